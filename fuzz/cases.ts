// Cases by a seed: the same seed makes the same ones, and each can be made smaller while it still fails.
import fc from 'fast-check'

export interface Drawn<T> {
  value: T
  seed: number
  /** Its place among those of its seed. */
  path: number
}

/** So many are made at a time. */
const batch = 200

export function* draw<T>(arbitrary: fc.Arbitrary<T>, seed: number, count: number): Generator<Drawn<T>> {
  for (let made = 0; made < count; made += batch) {
    const own = seed + made / batch
    const values = fc.sample(arbitrary, { seed: own, numRuns: Math.min(batch, count - made) })
    for (const [path, value] of values.entries()) yield { value, seed: own, path }
  }
}

/** Making a case smaller is given up then. */
const patienceMs = 30_000

/** The smallest case that still fails, as far as it was found in time; the given one when it does not fail again. */
export async function smallest<T>(
  arbitrary: fc.Arbitrary<T>,
  { value, seed, path }: Drawn<T>,
  fails: (value: T) => Promise<boolean>,
): Promise<T> {
  const property = fc.asyncProperty(arbitrary, async (candidate) => !(await fails(candidate)))
  const options = { seed, path: String(path), numRuns: 1, interruptAfterTimeLimit: patienceMs }
  const { counterexample } = await fc.check(property, options)
  return counterexample?.[0] ?? value
}
