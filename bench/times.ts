// Times of works that are compared with each other.

const warmUps = 20

/** One after the other in each round, so that what disturbs one disturbs the other as well. Milliseconds, sorted. */
export async function inTurns(works: (() => Promise<unknown>)[], rounds: number): Promise<number[][]> {
  const times: number[][] = works.map(() => [])
  for (let round = 0; round < rounds + warmUps; round++) {
    for (const [n, work] of works.entries()) {
      const start = performance.now()
      await work()
      // The first rounds warm caches up.
      if (round >= warmUps) times[n]?.push(performance.now() - start)
    }
  }
  return times.map((all) => all.toSorted((a, b) => a - b))
}

/** Of sorted times: 0.5 is the median. */
export const at = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
