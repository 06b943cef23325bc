// Bounded concurrency.

/** Processes all items, `width` at a time. */
export async function inParallel<T>(
  width: number,
  source: Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const items = source[Symbol.iterator]()
  const worker = async () => {
    for (let next = items.next(); !next.done; next = items.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: width }, worker))
}
