// Originals in an S3 bucket, Amazon's or of a compatible server. Only this file loads the SDK.
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { S3ClientConfig } from '@aws-sdk/client-s3'
import { limits } from '../../contract/plain/limits.ts'
import { BlobMissing, type BlobStore, type ByteRange, StoreUnavailable } from './blob-store.ts'
import { type Attempt, CircuitOpen, createCircuitBreaker } from '../concurrency/circuit-breaker.ts'
import { checkedBody } from './s3-body.ts'
import type { S3Options } from './s3-options.ts'
import { describeOutage, s3Refusal } from './s3-refusal.ts'
import { SharedFiles } from './shared-files.ts'

/** As on the disk: a buffer up to this size, above it a stream. */
const maxBufferedBytes = 1024 * 1024
/** `put` buffers the blob up to this size. A rewritten image may be larger than the upload. */
const bufferedPutBytes = 2 * limits.upload.maxMaxBytes
/** Each stream to a slow client holds one; the SDK's limit of 50 would block all others. */
const maxSockets = 500
/** An admin's page waits for it. */
const usableMs = 2000
/** @throws {Error} naming the wrong setting when the bucket cannot be listed */
export async function openS3Store(options: S3Options): Promise<BlobStore> {
  const { bucket: Bucket, tempDir, prefix = 'originals/', suffix = '', responseMs = 10_000 } = options
  const { maxPutBytes = bufferedPutBytes } = options
  // In addition to the wait for the response, 10 MB may take 40 s.
  const { slowestBytesPerMs = 256 } = options
  // On Node 20 the SDK warns that versions from January 2027 will not support it. The version is
  // pinned here. The switch: https://github.com/aws/aws-sdk-js-v3/issues/7983
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client(clientConfig(options))
  const keyOf = (key: string) => prefix + key + suffix
  const msFor = (bytes: number) => responseMs + bytes / slowestBytesPerMs
  const breaker = createCircuitBreaker(options.monotonicMs)
  /** @throws {StoreUnavailable} while the circuit is open */
  const beginAttempt = (): Attempt => {
    try {
      return breaker()
    } catch (error) {
      if (!(error instanceof CircuitOpen)) throw error
      const { failures, retryAfterS } = error
      throw new StoreUnavailable(`S3 failed ${failures} times in a row; no request is sent for now`, { retryAfterS })
    }
  }
  await mkdir(tempDir, { recursive: true })

  /** HeadBucket needs the same permission, but its errors have no body with the reason. */
  const listPage = (ContinuationToken?: string, MaxKeys?: number) => (abortSignal: AbortSignal) =>
    client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken, MaxKeys }), { abortSignal })

  // Without the permission to list, Amazon responds 403 instead of 404 for a missing blob.
  try {
    const page = await sendWithin(responseMs, listPage(undefined, 1))
    if (page.Name === undefined) throw new Error('the response is not that of an S3 server')
  } catch (error) {
    client.destroy()
    throw s3Refusal(error instanceof StoreUnavailable ? (error.cause ?? error) : error, options)
  }

  /** Sends a request. @throws {StoreUnavailable} @throws {BlobMissing} */
  async function sendAttempt<T>(
    key: string,
    attempt: Attempt,
    maxMs: number,
    send: (signal: AbortSignal) => Promise<T>,
  ) {
    try {
      const response = await sendWithin(maxMs, send)
      attempt.responded()
      return response
    } catch (error) {
      if (isMissing(error)) {
        attempt.succeeded()
        throw new BlobMissing(key, { cause: error })
      }
      // S3 is available: the configuration must change, and other requests may succeed.
      if (error instanceof StoreUnavailable) attempt.failed()
      else attempt.succeeded()
      throw error
    }
  }

  /** The same for requests without a response body. */
  async function sendRequest<T>(key: string, maxMs: number, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const attempt = beginAttempt()
    const response = await sendAttempt(key, attempt, maxMs, send)
    attempt.succeeded()
    return response
  }

  /** @returns a stream that fails instead of ending early or returning other bytes than were put */
  async function get(key: string, range?: ByteRange): Promise<{ bytes: number; body: Readable }> {
    const command = new sdk.GetObjectCommand({
      Bucket,
      Key: keyOf(key),
      ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
    })
    const attempt = beginAttempt()
    const since = performance.now()
    const response = await sendAttempt(key, attempt, responseMs, (abortSignal) => client.send(command, { abortSignal }))
    const body = response.Body as Readable
    const bytes = response.ContentLength
    if (bytes === undefined || (range && bytes !== range.end - range.start + 1)) {
      body.destroy()
      attempt.failed()
      throw new StoreUnavailable(`S3 sent ${bytes ?? 'an unknown number of'} bytes of ${key}, not those of the range`)
    }
    // Of a range only the length can be verified.
    const sha256 = range ? undefined : response.Metadata?.sha256
    return {
      bytes,
      body: checkedBody(body, { key, bytes, sha256, maxWaitMs: msFor(bytes) - (performance.now() - since), attempt }),
    }
  }

  /** However many renders of an image wait for a decoder, they share one local copy. */
  const copies = new SharedFiles()

  async function download(key: string): Promise<string> {
    const { body } = await get(key)
    const path = join(tempDir, `s3-${key}-${randomUUID()}`)
    try {
      await pipeline(body, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
      return path
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
  }

  return {
    isOnDisk: false,

    // Past the circuit breaker: it says what is known from other requests, and an admin asks about now.
    isUsable: () =>
      sendWithin(usableMs, listPage(undefined, 1)).then(
        () => true,
        () => false,
      ),

    async put(key, path, signal) {
      const { size } = await stat(path)
      if (size > maxPutBytes) throw new Error(`${path} has ${size} bytes; at most ${maxPutBytes} can be put`)
      // The SDK repeats a request with a buffer, not one with a stream.
      const bytes = size <= bufferedPutBytes ? await readFile(path) : undefined
      // Its signature lets the server refuse bytes damaged in transit. In the metadata it lets every
      // read verify them, whatever the server's ETag means.
      const sha256 = await hashOf(bytes ? [bytes] : createReadStream(path))
      const command = new sdk.PutObjectCommand({
        Bucket,
        Key: keyOf(key),
        Body: bytes ?? createReadStream(path),
        ContentLength: size,
        Metadata: { sha256 },
      })
      // The SDK computes it of buffers only.
      command.middlewareStack.add(
        (next) => (args) => {
          ;(args.request as { headers: Record<string, string> }).headers['x-amz-content-sha256'] = sha256
          return next(args)
        },
        { step: 'build' },
      )
      await sendRequest(key, msFor(size), (inTime) =>
        client.send(command, { abortSignal: signal ? AbortSignal.any([inTime, signal]) : inTime }),
      ).catch((error: unknown) => {
        throw signal?.aborted ? signal.reason : error
      })
      await rm(path)
    },

    async read(key, range, { pieceBytes } = {}) {
      const { bytes, body } = await get(key, range)
      return pieceBytes !== undefined || bytes > maxBufferedBytes ? body : buffer(body)
    },

    openLocalFile: (key) =>
      copies.open(
        key,
        () => download(key),
        (path) => rm(path, { force: true }),
      ),

    async delete(key) {
      const command = new sdk.DeleteObjectCommand({ Bucket, Key: keyOf(key) })
      await sendRequest(key, responseMs, (abortSignal) => client.send(command, { abortSignal })).catch((error) => {
        if (!(error instanceof BlobMissing)) throw error
      })
    },

    async *list() {
      let token: string | undefined
      do {
        const page = await sendRequest('list', responseMs, listPage(token))
        for (const { Key = '', LastModified } of page.Contents ?? []) {
          if (!Key.endsWith(suffix)) continue
          const key = Key.slice(prefix.length, Key.length - suffix.length)
          // The sweep deletes unknown keys: objects that are no blobs are left out.
          if (LastModified && /^[\w-]+$/.test(key)) yield { key, modifiedAtMs: latestMs(LastModified) }
        }
        token = page.IsTruncated ? page.NextContinuationToken : undefined
      } while (token !== undefined)
    },
  }
}

function clientConfig({ endpoint, region, accessKeyId, secretAccessKey }: S3Options): S3ClientConfig {
  return {
    region,
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
    // The default, aws-chunked framing, is refused or stored by other servers (measured on three).
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // With it the SDK waits for "100 Continue" as long as for the response: a proxy that sends none
    // would stop large uploads.
    expectContinueHeader: false,
    retryMode: 'standard',
    maxAttempts: 3,
    // Not its requestTimeout: that only warns, restarts with each attempt, and is the same for ten
    // bytes and ten megabytes.
    requestHandler: { connectionTimeout: 3000, httpAgent: { maxSockets }, httpsAgent: { maxSockets } },
  }
}

/** Limits all attempts together; the body has its own limit. @throws {StoreUnavailable} */
async function sendWithin<T>(maxMs: number, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), maxMs)
  try {
    return await send(abort.signal)
  } catch (error) {
    const why = abort.signal.aborted ? `did not respond within ${Math.round(maxMs)} ms` : describeOutage(error)
    throw why === undefined ? error : new StoreUnavailable(`S3 ${why}`, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

async function hashOf(chunks: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

/** Only NoSuchKey: a missing bucket must not look like one deleted image. */
const isMissing = (error: unknown) => error instanceof Error && error.name === 'NoSuchKey'

/** Amazon rounds down to seconds: the sweep must not delete a blob before its row is written. */
function latestMs(date: Date): number {
  const ms = date.getTime()
  return ms % 1000 === 0 ? ms + 999 : ms
}
