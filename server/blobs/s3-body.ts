// What S3 sends, checked: all of it, the bytes that were put, and in time.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { BlobDamaged, StoreUnavailable } from './blob-store.ts'
import type { Attempt } from '../concurrency/circuit-breaker.ts'

interface Expected {
  key: string
  bytes: number
  /** Hexadecimal; undefined for a part of a blob, and for blobs that another program put. */
  sha256: string | undefined
  /** How long S3 may take for all of it; the time that the reader takes does not count. */
  maxWaitMs: number
  /** Is told how S3 has done. */
  attempt: Attempt
}

/**
 * Passes the body on. Ends well only after the expected bytes; fails when they are others, fewer, or too slow.
 * The stream fails with {@link BlobDamaged} or {@link StoreUnavailable}.
 */
export function checkedBody(body: Readable, expected: Expected): Readable {
  const { attempt } = expected
  const chunks = checkedChunks(body, expected)
  return new Readable({
    read() {
      chunks.next().then(
        ({ done, value }) => {
          if (done) attempt.succeeded()
          this.push(done ? null : value)
        },
        (error: unknown) => {
          // Wrong bytes came in time: S3 answers.
          if (error instanceof BlobDamaged) attempt.succeeded()
          else attempt.failed()
          this.destroy(error as Error)
        },
      )
    },
    // Not Readable.from: it would keep the socket of a visitor who left until S3 sends its next byte.
    destroy(error, callback) {
      attempt.abandoned()
      body.destroy()
      callback(error)
    },
  })
}

async function* checkedChunks(body: Readable, { key, bytes, sha256, maxWaitMs }: Expected): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  const chunks = patiently(body, maxWaitMs)
  let received = 0
  // The last chunk is held back until all is known to be right: after it the reader has no reason to look for an error.
  let held: Buffer | undefined
  for await (const chunk of chunks) {
    if (held) yield held
    held = chunk
    received += chunk.length
    if (sha256) hash.update(chunk)
  }
  if (received !== bytes) throw new StoreUnavailable(`S3 ended ${key} after ${received} of ${bytes} bytes`)
  if (sha256 && hash.digest('hex') !== sha256) throw new BlobDamaged(`S3 gave other bytes of ${key} than were put`)
  if (held) yield held
}

/** Counts only the time in which we wait for S3: a visitor on a slow line may take as long as they need. */
async function* patiently(body: Readable, maxWaitMs: number): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let leftMs = maxWaitMs
  for (;;) {
    const since = performance.now()
    const timer = setTimeout(() => body.destroy(new StoreUnavailable('S3 was too slow')), Math.max(0, leftMs))
    const next = await chunks
      .next()
      .catch((error: unknown) => {
        throw error instanceof StoreUnavailable
          ? error
          : new StoreUnavailable(`S3 broke off: ${(error as Error).message}`, { cause: error })
      })
      .finally(() => clearTimeout(timer))
    leftMs -= performance.now() - since
    if (next.done) return
    yield next.value
  }
}
