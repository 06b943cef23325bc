// Samples test cases from a seed: the same seed yields the same cases. Shrinks a failing case.
import fc from 'fast-check'

export interface SampledCase<T> {
  value: T
  seed: number
  /** Index among the cases of its seed. */
  path: number
}

/** Number of cases sampled at once. */
const batch = 200

export function* sampleCases<T>(arbitrary: fc.Arbitrary<T>, seed: number, count: number): Generator<SampledCase<T>> {
  for (let made = 0; made < count; made += batch) {
    const own = seed + made / batch
    const values = fc.sample(arbitrary, { seed: own, numRuns: Math.min(batch, count - made) })
    for (const [path, value] of values.entries()) yield { value, seed: own, path }
  }
}

/** Time limit for shrinking a case. */
const shrinkTimeoutMs = 30_000

/**
 * Returns the smallest case found in time that still fails, or the given one if it does not fail
 * again.
 */
export async function shrinkCase<T>(
  arbitrary: fc.Arbitrary<T>,
  { value, seed, path }: SampledCase<T>,
  fails: (value: T) => Promise<boolean>,
): Promise<T> {
  const property = fc.asyncProperty(arbitrary, async (candidate) => !(await fails(candidate)))
  const options = { seed, path: String(path), numRuns: 1, interruptAfterTimeLimit: shrinkTimeoutMs }
  const { counterexample } = await fc.check(property, options)
  return counterexample?.[0] ?? value
}
