// Runs the measured works in turn, so that what disturbs the machine affects all of them alike.

/**
 * Runs all works in each round, so that a disturbance affects all of them; every second round in reverse order, so that no
 * work always follows the same one. Returns one list per work.
 * @param warmUps rounds before that are not counted: processes start and caches fill
 */
export async function alternateRounds<T>(
  works: readonly (() => Promise<T>)[],
  rounds: number,
  warmUps = 1,
): Promise<T[][]> {
  const found: T[][] = works.map(() => [])
  const order = [...works.entries()]
  for (let round = 0; round < warmUps + rounds; round++) {
    for (const [n, work] of round % 2 === 0 ? order : order.toReversed()) {
      const one = await work()
      if (round >= warmUps) found[n]?.push(one)
    }
  }
  return found
}

/** Like {@link alternateRounds} for short calls. Returns the milliseconds of each. */
export function alternate(
  works: readonly (() => Promise<unknown>)[],
  rounds: number,
  warmUps = 20,
): Promise<number[][]> {
  const timed = works.map((work) => async () => {
    const start = performance.now()
    await work()
    return performance.now() - start
  })
  return alternateRounds(timed, rounds, warmUps)
}
