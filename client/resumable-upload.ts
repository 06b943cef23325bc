// Uploads by the tus protocol (tus.io): what the server has received is not sent again. Its library is loaded when it
// is needed.
import type { DetailedError, FileReader, UploadOptions } from 'tus-js-client'
import { noResponse, reasonOf, refusalOf, RequestFailed } from './request-failed.ts'
import { type KnownServer, type RetryOptions, temporaryStatuses, withRetries } from './retries.ts'
import { requestJson, sendOnce } from './send-once.ts'

export interface ResumableUpload {
  /** Origin of the server. */
  base: string
  file: Blob
  /** Names and values: `filename`, `filetype`, and the text fields of an upload. */
  metadata: Record<string, string>
  credentials: Record<string, string>
  idempotencyKey: string
  /** Without a response or a byte for this long, an attempt has failed. */
  timeoutMs: number
  /** Where an upload of the same file was started before. */
  uploadUrl: string | undefined
  onUploadUrl: ((url: string) => void) | undefined
  onProgress: ((sentBytes: number, totalBytes: number) => void) | undefined
}

const endpointPath = '/api/uploads'
/** 409: the server has more or fewer bytes than the upload assumed. The next attempt asks. */
const temporaryInside = new Set([...temporaryStatuses, 409])
const version = { 'tus-resumable': '1.0.0' }
/** A server that loses the same upload again and again keeps none. */
const maxRestarts = 3
/** The server may wait for its decoders before it responds to the last byte. */
const finishTimeoutMs = 90_000
/**
 * Bytes are acknowledged in parts that take about this long. What the system has taken from the program may still wait
 * for the line, megabytes of it: only a response shows how far the upload is, and that the line works.
 */
const partMs = 4000
const minPartBytes = 64 * 1024
const maxPartBytes = 8 * 1024 * 1024
/** How fast the line is. Each upload starts with a part of 256 KiB. */
interface Pace {
  bytesPerMs: number
}
const firstPace: Pace = { bytesPerMs: 64 }
const partBytes = ({ bytesPerMs }: Pace) =>
  Math.round(Math.min(Math.max(bytesPerMs * partMs, minPartBytes), maxPartBytes))

/**
 * Uploads a file, or the rest of it.
 * @returns the body of the last response; undefined when the server has no resumable uploads
 * @throws {RequestFailed}
 */
export async function uploadResumably(
  upload: ResumableUpload,
  options: RetryOptions,
  server: KnownServer,
): Promise<string | undefined> {
  const { base, uploadUrl, onUploadUrl } = upload
  let url = uploadUrl === undefined ? undefined : addressAt(base, uploadUrl)
  for (let restarts = 0; ; restarts++) {
    url ??= await create(upload, options, server)
    if (url === undefined) return undefined
    onUploadUrl?.(url)
    try {
      return await finish(upload, url, options, server)
    } catch (error) {
      const isUnknown = error instanceof RequestFailed && [404, 410].includes(error.status)
      if (!isUnknown || restarts >= maxRestarts) throw error
      const reason = new RequestFailed('The server no longer has the beginning of this upload. It starts again', error)
      options.onRetry?.({ reason, waitMs: 0 })
      url = undefined
    }
  }
}

/** Whatever host the server calls itself: credentials are sent to the given one only. */
const addressAt = (base: string, location: string) => base + new URL(location, base).pathname

/** @returns the address of the new upload */
async function create(
  { base, file, metadata, credentials, idempotencyKey, timeoutMs }: ResumableUpload,
  options: RetryOptions,
  server: KnownServer,
): Promise<string | undefined> {
  const pairs = Object.entries(metadata).map(([name, value]) => `${name} ${toBase64(value)}`)
  const headers = {
    ...credentials,
    ...version,
    'idempotency-key': idempotencyKey,
    'upload-length': String(file.size),
    ...(pairs.length > 0 && { 'upload-metadata': pairs.join(',') }),
  }
  const attempt = { url: base + endpointPath, timeoutMs, init: { method: 'POST', headers } }
  try {
    const created = await withRetries(options, server, temporaryStatuses, () => sendOnce(attempt, options.signal))
    const location = created.headers.get('location')
    if (location !== null) return addressAt(base, location)
  } catch (error) {
    if (!(error instanceof RequestFailed && [404, 405].includes(error.status))) throw error
  }
  server.hasResumableUploads = false
  return undefined
}

const toBase64 = (text: string) => btoa(String.fromCodePoint(...new TextEncoder().encode(text)))

async function finish(
  upload: ResumableUpload,
  url: string,
  options: RetryOptions,
  server: KnownServer,
): Promise<string> {
  const { signal } = options
  const pace = { ...firstPace }
  let known = 0
  const body = await withRetries(options, server, temporaryInside, (noteProgress) =>
    sendRest(upload, {
      url,
      signal,
      pace,
      onOffset(offset) {
        if (offset > known) noteProgress()
        known = Math.max(known, offset)
      },
    }),
  )
  if (body !== '') return body
  // The response to the last byte was lost.
  const get = { url, timeoutMs: finishTimeoutMs, init: { headers: upload.credentials } }
  return (await withRetries(options, server, temporaryStatuses, () => requestJson(get, signal))).body
}

interface Rest {
  url: string
  signal: AbortSignal | undefined
  pace: Pace
  /** Called with the bytes that the server has. */
  onOffset: (offset: number) => void
}

/**
 * Asks for the offset and sends the bytes from there on.
 * @returns the body of the last response; '' when there was nothing to send
 * @throws the reason of the signal; an error of reading the file
 */
async function sendRest(
  { file, credentials, timeoutMs, onProgress }: ResumableUpload,
  { url, signal, pace, onOffset }: Rest,
): Promise<string | RequestFailed> {
  const { Upload } = await import('tus-js-client')
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    let watchdog: ReturnType<typeof setTimeout> | undefined
    let partStart = 0
    const end = () => {
      clearTimeout(watchdog)
      signal?.removeEventListener('abort', stop)
    }
    const settle = (result: string | RequestFailed) => {
      end()
      resolve(result)
    }
    const fail = (error: Error) => {
      end()
      void running.abort()
      reject(error)
    }
    const stop = () => fail(signal?.reason as Error)
    const watch = (ms: number) => {
      clearTimeout(watchdog)
      watchdog = setTimeout(() => {
        void running.abort()
        pace.bytesPerMs = Math.max(1, pace.bytesPerMs / 8)
        settle(noResponse(url, `no response within ${Math.round(ms / 1000)} s`))
      }, ms)
    }
    const startPart = (offset: number) => {
      const bytes = partBytes(pace)
      running.options.chunkSize = bytes
      partStart = performance.now()
      const isLast = offset + bytes >= file.size
      watch(timeoutMs + (2 * bytes) / pace.bytesPerMs + (isLast ? finishTimeoutMs : 0))
    }
    const settings: UploadOptions = {
      uploadUrl: url,
      headers: credentials,
      retryDelays: null,
      storeFingerprintForResuming: false,
      chunkSize: partBytes(pace),
      ...nodeReader(file, fail),
      onAfterResponse(request, response) {
        if (request.getMethod() !== 'HEAD') return
        const offset = Number(response.getHeader('upload-offset'))
        if (!Number.isInteger(offset)) return
        onOffset(offset)
        startPart(offset)
      },
      onChunkComplete(bytes, accepted, total) {
        pace.bytesPerMs = Math.min(bytes / Math.max(1, performance.now() - partStart), 4 * pace.bytesPerMs)
        onOffset(accepted)
        onProgress?.(accepted, total)
        startPart(accepted)
      },
      onProgress: (sent, total) => onProgress?.(sent, total),
      onSuccess: ({ lastResponse }) => settle(lastResponse.getBody()),
      onError: (error) => settle(toFailed(url, error)),
    }
    const running = new Upload(file, settings)
    signal?.addEventListener('abort', stop, { once: true })
    watch(timeoutMs)
    running.start()
  })
}

function toFailed(url: string, error: Error | DetailedError): RequestFailed {
  if (!('originalResponse' in error)) return noResponse(url, reasonOf(error), error)
  const { originalResponse: response, causingError } = error
  if (!response) return noResponse(url, reasonOf(causingError ?? error), error)
  const status = response.getStatus()
  return refusalOf({ status, statusText: '', header: (name) => response.getHeader(name), body: response.getBody() })
}

/** As Node offers it without an import, which bundlers for browsers would follow. */
interface NodeProcess {
  getBuiltinModule?: (name: 'node:stream') => {
    Readable: {
      fromWeb: (stream: ReadableStream) => { on: (event: 'error', listen: (error: Error) => void) => object }
    }
  }
}

/** In Node the library reads no Blob: it gets a stream, so that a file is not in memory as a whole. */
function nodeReader(file: Blob, onError: (error: Error) => void): Pick<UploadOptions, 'fileReader' | 'fingerprint'> {
  const { process } = globalThis as { process?: NodeProcess }
  const stream = process?.getBuiltinModule?.('node:stream')
  if (stream === undefined) return {}
  const fileReader: FileReader = {
    openFile: async () => ({
      size: file.size,
      async slice(start, end) {
        const part = file.slice(start, end)
        const value = stream.Readable.fromWeb(part.stream()).on('error', onError)
        return { value: Object.assign(value, { size: part.size }), done: end >= file.size }
      },
      close() {},
    }),
  }
  return { fileReader, fingerprint: async () => null as never }
}
