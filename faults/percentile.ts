// The nearest-rank percentile, which is always one of the values.

/** @param share 0.99 is the 99th percentile. @returns 0 for no values */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0
