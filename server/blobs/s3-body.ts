// Checks the body of an S3 response: its length, its digest and how long S3 takes.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { BlobDamaged, StoreUnavailable } from './blob-store.ts'
import type { Attempt } from '../concurrency/circuit-breaker.ts'

interface Expected {
  key: string
  bytes: number
  /** Hexadecimal; undefined for a part of a blob, and for blobs put by another program. */
  sha256: string | undefined
  /** How long S3 may take for the whole body; the time of the reader does not count. */
  maxWaitMs: number
  /** The circuit breaker's attempt, which gets the outcome. */
  attempt: Attempt
}

/** Passes the body on. Fails with BlobDamaged or StoreUnavailable unless it is as expected. */
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
          // Wrong bytes that arrive in time: S3 is available.
          if (error instanceof BlobDamaged) attempt.succeeded()
          else attempt.failed()
          this.destroy(error as Error)
        },
      )
    },
    // Readable.from would hold the socket of a disconnected client until S3 sends its next byte.
    destroy(error, callback) {
      attempt.abandoned()
      body.destroy()
      callback(error)
    },
  })
}

async function* checkedChunks(body: Readable, { key, bytes, sha256, maxWaitMs }: Expected): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  const chunks = withinWait(body, maxWaitMs)
  let received = 0
  // The last chunk waits until everything is verified: after it the reader would see no error.
  let held: Buffer | undefined
  for await (const chunk of chunks) {
    if (held) yield held
    held = chunk
    received += chunk.length
    if (sha256) hash.update(chunk)
  }
  if (received !== bytes) throw new StoreUnavailable(`S3 ended ${key} after ${received} of ${bytes} bytes`)
  if (sha256 && hash.digest('hex') !== sha256) throw new BlobDamaged(`S3 returned other bytes of ${key} than were put`)
  if (held) yield held
}

/** Limits only the time spent waiting for S3: a client may read as slowly as it likes. */
async function* withinWait(body: Readable, maxWaitMs: number): AsyncGenerator<Buffer> {
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
          : new StoreUnavailable(`S3 ended the response early: ${(error as Error).message}`, { cause: error })
      })
      .finally(() => clearTimeout(timer))
    leftMs -= performance.now() - since
    if (next.done) return
    yield next.value
  }
}
