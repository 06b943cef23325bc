// Clients that send requests until they are stopped.

/** One request of a client. */
type Send = (client: number) => Promise<unknown>

/**
 * Each client sends one request after the other.
 * @returns a function that stops the clients and awaits their last responses. @throws what a client threw
 */
export function keepSending(clients: number, send: Send): () => Promise<void> {
  let isOver = false
  const running = sendUntil(() => isOver, clients, send)
  // Awaited below: a failure must not end the process meanwhile.
  running.catch(() => {})
  return async () => {
    isOver = true
    await running
  }
}

/** Each client sends one request after the other until it is over. */
export async function sendUntil(isOver: () => boolean, clients: number, send: Send): Promise<void> {
  const client = async (_: unknown, number: number) => {
    while (!isOver()) await send(number)
  }
  await Promise.all(Array.from({ length: clients }, client))
}

/** Processes all items, `width` at a time. */
export async function inParallel<T>(
  width: number,
  items: Iterable<T>,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const queue = items[Symbol.iterator]()
  const worker = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: width }, worker))
}
