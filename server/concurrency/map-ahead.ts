/** Maps up to `count` items concurrently and yields the results in the order of the items. */
export async function* ahead<T, R>(
  items: AsyncIterable<T>,
  count: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const queue: Promise<R>[] = []
  try {
    for await (const item of items) {
      const result = work(item)
      // The failure is thrown when the item is yielded.
      result.catch(() => {})
      queue.push(result)
      if (queue.length >= count) yield (await queue.shift()) as R
    }
    for (const result of queue) yield await result
  } finally {
    // Whoever stops early must not leave work behind.
    await Promise.allSettled(queue)
  }
}
