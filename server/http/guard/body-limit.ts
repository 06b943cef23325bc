// How much of a body may come, whatever it says of itself. For forms: what surrounds their parts is no part's.
import type { FastifyRequest } from 'fastify'
import type { Failure } from '../../domain/failure.ts'

/**
 * Counts the body while `read` reads it, and lets it fail with `refusal` the moment it is longer than `maxBytes`.
 * @param read begins to read at once: what comes before is lost
 * @throws {Failure} the refusal; what `read` throws
 */
export async function withinBytes<T>(
  { raw }: FastifyRequest,
  { maxBytes, refusal }: { maxBytes: number; refusal: Failure },
  read: () => Promise<T>,
): Promise<T> {
  // Told before the first byte: nothing of it needs to be read.
  if (Number(raw.headers['content-length'] ?? 0) > maxBytes) throw refusal
  let bytes = 0
  const count = (part: Buffer) => {
    bytes += part.length
    if (bytes <= maxBytes) return
    raw.off('data', count)
    // Whoever reads the body fails with it and tidies up. Not `destroy`: that closes the line, and nobody could be told.
    raw.emit('error', refusal)
  }
  raw.on('data', count)
  try {
    return await read()
  } finally {
    raw.off('data', count)
  }
}
