// Sends a large file by the tus protocol: what the server has received is not sent again after a
// lost connection, a reload of the page or a restart of the server. One call is one attempt: it
// continues where the one before has stopped, and upload-engine.ts repeats it.
import { DetailedError, type HttpResponse, Upload } from 'tus-js-client'
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import { addStarted, findStarted, removeStarted } from './started-uploads.ts'
import {
  type Attempt,
  lifetimeFields,
  responseTimeoutMs,
  onStall,
  refusal,
  requireNotHeldForReview,
} from './send-either-way.ts'
import { SendError } from './wait-or-give-up.ts'

const uploadsPath = '/api/uploads'

/**
 * The rest of the file goes in one request on a fast line, and in requests of about this time on a
 * slow one. Each response confirms what has arrived: a proxy that buffers request bodies loses at
 * most one request when the line breaks, and the progress cannot run far ahead of the line, as it
 * does by the megabytes that fit into the buffers of a system.
 */
const requestMs = 5000
/** Of the first request, whose time measures the line, and of the smallest. */
const minRequestBytes = 64 * 1024

/** The server does not know the upload: it has another disk, or has deleted what it had. */
export class UploadGone extends Error {
  readonly hadJustBegun: boolean

  constructor(hadJustBegun: boolean) {
    super('The server no longer has the upload')
    this.hadJustBegun = hadJustBegun
  }
}

/**
 * @throws {SendError}
 * @throws {UploadGone}
 */
export async function sendResumable(file: File, attempt: Attempt): Promise<UploadedImage> {
  const { startedAs: name, used } = attempt
  const path = findStarted(name)
  try {
    const last = await transfer(file, path, attempt)
    const image = imageIn(last) ?? (await readImage(findStarted(name) ?? '', attempt))
    removeStarted(name)
    return requireNotHeldForReview(image)
  } catch (error) {
    const { status, code } = error as SendError
    const isOfAccount = used === null && code === 'authentication_required'
    if (status === 404 || status === 410 || isOfAccount) throw new UploadGone(path === undefined)
    // The server has more or fewer bytes than this page knows: the next attempt asks.
    if (status === 409 || status === 423) throw new SendError(0)
    if (isFinal(status)) removeStarted(name)
    throw error
  }
}

/**
 * Sends the rest.
 * @param path where the server has a part of the file
 * @returns the last response, which has no body if there was nothing left to send
 */
function transfer(file: File, path: string | undefined, attempt: Attempt): Promise<HttpResponse> {
  const { signal, onProgress, key, album, startedAs, used, proof } = attempt
  return new Promise<HttpResponse>((resolve, reject) => {
    let began = 0
    const stop = () => {
      void upload.abort()
      reject(new SendError(0))
    }
    const upload = new Upload(file, {
      // With both, a refused HEAD would begin again silently.
      ...(path === undefined ? { endpoint: uploadsPath } : { uploadUrl: path }),
      metadata: {
        filename: file.name,
        filetype: file.type,
        ...(album !== undefined && { album }),
        ...lifetimeFields(used),
      },
      headers: authorization(used),
      chunkSize: minRequestBytes,
      retryDelays: null,
      storeFingerprintForResuming: false,
      onBeforeRequest(request) {
        if (request.getMethod() === 'POST') {
          request.setHeader('idempotency-key', key)
          if (proof !== undefined) request.setHeader('x-proof-of-work', proof)
        }
        onStall(request.getUnderlyingObject() as XMLHttpRequest, stop)
        began = performance.now()
      },
      onUploadUrlAvailable() {
        // Without the origin, which a proxy may have changed.
        upload.url = new URL(upload.url ?? '', location.href).pathname
        addStarted(startedAs, upload.url)
      },
      onProgress: (sent, total) => onProgress(sent / total),
      onChunkComplete(bytes) {
        const bytesPerMs = bytes / Math.max(1, performance.now() - began)
        upload.options.chunkSize = Math.max(minRequestBytes, Math.ceil(bytesPerMs * requestMs))
      },
      onSuccess: ({ lastResponse }) => resolve(lastResponse),
      onError: (error) => void errorOf(error, path, attempt).then(reject, reject),
    })
    signal.addEventListener('abort', stop, { once: true })
    upload.start()
  })
}

async function errorOf(error: Error, path: string | undefined, attempt: Attempt): Promise<Error> {
  if (!(error instanceof DetailedError)) return error
  const { originalResponse: response } = error
  if (response === null) return new SendError(0)
  const reason = refusal(
    response.getStatus(),
    jsonOf(response.getBody()),
    (name) => response.getHeader(name) ?? null,
    attempt,
  )
  // A refused HEAD has no body, and the status 423 for all that passes: a GET responds with the reason.
  const { status } = reason
  if (reason.code !== '' || path === undefined || !(status === 423 || isFinal(status))) return reason
  return readImage(path, attempt).then(
    () => reason,
    (refused: Error) => refused,
  )
}

/** Of an upload that was received whole. @throws {SendError} */
async function readImage(path: string, attempt: Attempt): Promise<object> {
  const { signal, used } = attempt
  const stop = AbortSignal.any([signal, AbortSignal.timeout(responseTimeoutMs)])
  let response: Response
  try {
    response = await fetch(path, { headers: authorization(used), signal: stop, cache: 'no-store' })
  } catch (cause) {
    throw Object.assign(new SendError(0), { cause })
  }
  const body = jsonOf(await response.text().catch(() => ''))
  if (!response.ok || body === undefined)
    throw refusal(response.ok ? 0 : response.status, body, (name) => response.headers.get(name), attempt)
  return body
}

const authorization = (used: string | null): Record<string, string> =>
  used === null ? {} : { authorization: `Bearer ${used}` }

const imageIn = (response: HttpResponse) => (response.getStatus() === 200 ? jsonOf(response.getBody()) : undefined)

/** Undefined for anything else: a proxy's page, or nothing. */
function jsonOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

const isFinal = (status: number) =>
  status >= 400 && status < 500 && ![404, 408, 409, 410, 423, 425, 429].includes(status)
