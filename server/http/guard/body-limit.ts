// Limits the bytes of a whole body. The multipart parser does not count bytes outside the parts.
import type { FastifyRequest } from 'fastify'
import type { Failure } from '../../domain/failure.ts'

/**
 * Counts the body while `read` reads it; above `maxBytes` fails `read` with `refusal`.
 * @param read must start reading synchronously: earlier chunks are lost
 * @throws {Failure} the refusal; what `read` throws
 */
export async function withinBytes<T>(
  { raw }: FastifyRequest,
  { maxBytes, refusal }: { maxBytes: number; refusal: Failure },
  read: () => Promise<T>,
): Promise<T> {
  // Known from the header: nothing needs to be read.
  if (Number(raw.headers['content-length'] ?? 0) > maxBytes) throw refusal
  let bytes = 0
  const count = (part: Buffer) => {
    bytes += part.length
    if (bytes <= maxBytes) return
    raw.off('data', count)
    // The reader fails and cleans up. `destroy` would close the connection before the response.
    raw.emit('error', refusal)
  }
  raw.on('data', count)
  try {
    return await read()
  } finally {
    raw.off('data', count)
  }
}
