import { type Client, createClient, uploadPath, type Outgoing } from '../contract/client.ts'
import type { UploadedImage } from '../contract/images.ts'
import { RequestFailed, refusalOf } from './request-failed.ts'

export interface ConnectOptions {
  /** Address of the server, such as https://img.example.com. */
  url: string
  /** An API key or a session token. Without one, requests are those of a guest. */
  apiKey?: string | undefined
  /** Attempts of a request that may be repeated. Default 5. */
  attempts?: number
  /** Time limit of one attempt in milliseconds; uploads get more, by their size. Default 30,000. */
  timeoutMs?: number
  /** The longest wait that the server may demand with Retry-After, in milliseconds. Default 120,000. */
  maxWaitMs?: number
  /** Ends all requests and waits. */
  signal?: AbortSignal
  /** Called before the wait for the next attempt. */
  onRetry?: (retry: { reason: RequestFailed; waitMs: number }) => void
}

export interface UploadOptions {
  /** Default: the name of a File. */
  fileName?: string
  /** Until the image expires: seconds, or a number with s, m, h or d, such as 12h. Default: as long as the server allows. */
  expiresIn?: string | undefined
  /** Uploads with the same key, by the same user within 24 hours, are one image. Default: random, for retries only. */
  idempotencyKey?: string
}

export interface ImageHost extends Client {
  /** @throws {RequestFailed} */
  uploadImage(file: Blob, options?: UploadOptions): Promise<UploadedImage>
}

/** An upload that is slower than this fails. */
const minBytesPerMs = 16
const firstBackoffMs = 500
const maxBackoffMs = 30_000
/** Refusals that say nothing about the request itself. 507 is not one: a full disk stays full. */
const temporary = new Set([408, 425, 429, 500, 502, 503, 504])

/**
 * Returns an object with a function for every endpoint. Requests that may be repeated (GET, DELETE, uploads) are, after
 * connection errors and temporary refusals; all others only after 429, which changed nothing.
 * The functions throw {@link RequestFailed}.
 * @throws {TypeError} when `url` is not an http or https address
 */
export function connect(options: ConnectOptions): ImageHost {
  const base = baseOf(options.url)
  const credentials: Record<string, string> =
    options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }

  const send = ({ method, path, body, headers }: Outgoing) =>
    withRetries(options, ['GET', 'DELETE'].includes(method), () => ({
      url: base + path,
      timeoutMs: options.timeoutMs ?? 30_000,
      init: {
        method,
        headers: { ...credentials, ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
    }))

  return {
    ...createClient(send),
    async uploadImage(file, { fileName, expiresIn, idempotencyKey = crypto.randomUUID() } = {}) {
      const form = new FormData()
      // Fields before the file, so that the server has read them when the file arrives.
      if (expiresIn !== undefined) form.append('expires_in', expiresIn)
      if (fileName === undefined) form.append('image', file)
      else form.append('image', file, fileName)
      // Encoded before it is sent: an abort while the fetch of Node 24.21 encodes a form ends the process.
      const encoded = new Response(form)
      const type = encoded.headers.get('content-type') ?? ''
      const body = await encoded.blob()
      const response = await withRetries(options, true, () => ({
        url: base + uploadPath,
        timeoutMs: (options.timeoutMs ?? 30_000) + Math.ceil(file.size / minBytesPerMs),
        init: {
          method: 'POST',
          headers: { ...credentials, 'idempotency-key': idempotencyKey, 'content-type': type },
          body,
        },
      }))
      return (await response.json()) as UploadedImage
    },
  }
}

function baseOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new TypeError(`${url} is not an address that begins with http:// or https://`)
  return new URL(url).origin
}

/** With its body, so that a connection which ends in the middle of it is a failed attempt. */
interface JsonResponse {
  headers: Headers
  json: () => Promise<unknown>
}

interface Attempt {
  url: string
  init: RequestInit
  timeoutMs: number
}

async function withRetries(
  { attempts = 5, maxWaitMs = 120_000, signal, onRetry }: ConnectOptions,
  isRepeatable: boolean,
  nextAttempt: () => Attempt,
): Promise<JsonResponse> {
  for (let failed = 0; ;) {
    const result = await sendOnce(nextAttempt(), signal)
    if (!(result instanceof RequestFailed)) return result
    const { status, retryAfterMs } = result
    const isLimited = status === 429 && retryAfterMs !== undefined
    // A rate limit is not a failed attempt: the server says when to go on.
    if (!isLimited) failed++
    const mayRepeat = status === 429 || (isRepeatable && (status === 0 || temporary.has(status)))
    const waitMs =
      retryAfterMs ?? Math.min(maxBackoffMs, firstBackoffMs * 2 ** (failed - 1)) * (0.5 + Math.random() / 2)
    if (!mayRepeat || failed >= attempts || waitMs > maxWaitMs) throw result
    onRetry?.({ reason: result, waitMs })
    await sleep(waitMs, signal)
  }
}

/** @throws only when `signal` aborts, with its reason */
async function sendOnce(
  { url, init, timeoutMs }: Attempt,
  signal?: AbortSignal,
): Promise<JsonResponse | RequestFailed> {
  const deadline = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      ...init,
      // fetch would turn a redirected POST into a GET.
      redirect: 'manual',
      signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
    })
    if (!response.ok) return await refusalOf(response)
    const text = await response.text()
    if (!isJson(response)) return new RequestFailed(`${new URL(url).origin} is not an Image Host`, response)
    const body: unknown = JSON.parse(text)
    return { headers: response.headers, json: async () => body }
  } catch (error) {
    signal?.throwIfAborted()
    const { host } = new URL(url)
    const why = deadline.aborted ? `no response within ${Math.round(timeoutMs / 1000)} s` : reasonOf(error)
    return new RequestFailed(`${host} cannot be reached: ${why}`, {}, { cause: error })
  }
}

const isJson = ({ headers }: Response) => headers.get('content-type')?.startsWith('application/json') === true

/** The innermost message: Node's fetch fails with 'fetch failed' and the reason as its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reasonOf(error.cause)
  return error.message || ('code' in error ? String(error.code) : error.name)
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted) stop()
  })
}
