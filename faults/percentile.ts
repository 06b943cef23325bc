// The value that so many of all values do not pass: the nearest-rank percentile, which is always one of them.

/** @param share 0.99 is the 99th percentile. @returns 0 of no values */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0
