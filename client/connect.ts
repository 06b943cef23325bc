import { type Client, createClient, uploadPath, type Outgoing } from '../contract/derive/client.ts'
import type { UploadedImage } from '../contract/endpoints/images.ts'
import type { Visibility } from '../contract/plain/visibility.ts'
import { uploadResumably } from './resumable-upload.ts'
import { type KnownServer, rateLimitedStatuses, type RetryOptions, temporaryStatuses, withRetries } from './retries.ts'
import { requestJson } from './send-once.ts'

export interface ConnectOptions extends RetryOptions {
  /** Address of the server, such as https://img.example.com. */
  url: string
  /** An API key or a session token. Without one, requests are those of a guest. */
  apiKey?: string | undefined
  /** Time limit of one attempt in milliseconds; of an upload, the time without progress. Default 30,000. */
  timeoutMs?: number
}

export interface UploadOptions {
  /** Default: the name of a File. */
  fileName?: string
  /** Until the image expires: seconds, or a number with s, m, h or d, such as 12h. Default: as long as the server allows. */
  expiresIn?: string | undefined
  /** Default: as the API key or the account has it. */
  visibility?: Visibility | undefined
  /** For the share page and embed codes. */
  title?: string | undefined
  /** What it shows, for those who cannot see it. */
  alt?: string | undefined
  /** The image is deleted after being served this often. Default: no limit. */
  maxViews?: number | undefined
  /** Of an image of an account, such as `travel/italy`. */
  tags?: readonly string[] | undefined
  /** The id of the album that the image is added to. */
  album?: string | undefined
  /** Uploads with the same key, by the same user within 24 hours, are one image. Default: random, for retries only. */
  idempotencyKey?: string
  /** Called while a file above 1 MiB is sent, and at the end of every upload. */
  onProgress?: (sentBytes: number, totalBytes: number) => void
  /** Called when the upload of a file above 1 MiB has started. */
  onUploadUrl?: (url: string) => void
  /** Continues an upload of the same file from where it stopped: its address, from `onUploadUrl`. */
  uploadUrl?: string | undefined
}

export interface ImageHost extends Client {
  /** @throws {RequestFailed} */
  uploadImage(file: Blob, options?: UploadOptions): Promise<UploadedImage>
}

/** Larger files are sent so that an upload can continue after a lost connection. */
const minResumableBytes = 1024 ** 2
/** Of other uploads, whose progress is not known: the time limit grows with the size. */
const minBytesPerMs = 4

/**
 * Returns an object with a function for every endpoint. Requests that may be repeated (GET, DELETE, uploads) are, after
 * connection errors and temporary refusals; all others only after 429, which changed nothing.
 * The functions throw {@link RequestFailed}.
 * @throws {TypeError} when `url` is not an http or https address
 */
export function connect(options: ConnectOptions): ImageHost {
  const base = baseOf(options.url)
  const { apiKey, signal, timeoutMs = 30_000 } = options
  const credentials: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
  const server: KnownServer = { hasResponded: false, hasResumableUploads: true }

  const send = async ({ method, path, body, headers }: Outgoing) => {
    const init = {
      method,
      headers: { ...credentials, ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    const attempt = { url: base + path, timeoutMs, init }
    const repeatable = ['GET', 'DELETE'].includes(method) ? temporaryStatuses : rateLimitedStatuses
    const received = await withRetries(options, server, repeatable, () => requestJson(attempt, signal))
    return { headers: received.headers, json: async (): Promise<unknown> => JSON.parse(received.body) }
  }

  return {
    ...createClient(send),
    async uploadImage(file, { idempotencyKey = crypto.randomUUID(), ...given } = {}) {
      const { fileName = 'name' in file ? String(file.name) : undefined, onProgress } = given
      const fields = fieldsOf(given)
      const body = await uploadAsResumable()
      const image = JSON.parse(body ?? (await uploadAsForm())) as UploadedImage
      onProgress?.(file.size, file.size)
      return image

      async function uploadAsResumable(): Promise<string | undefined> {
        if (file.size <= minResumableBytes || !server.hasResumableUploads) return undefined
        const metadata = {
          ...(fileName && { filename: fileName }),
          ...(file.type !== '' && { filetype: file.type }),
          ...fields,
        }
        const { uploadUrl, onUploadUrl } = given
        const upload = { base, file, metadata, credentials, idempotencyKey, timeoutMs }
        return uploadResumably({ ...upload, uploadUrl, onUploadUrl, onProgress }, options, server)
      }

      async function uploadAsForm(): Promise<string> {
        const form = new FormData()
        // Fields before the file, so that the server has read them when the file arrives.
        for (const [name, value] of Object.entries(fields)) form.append(name, value)
        if (fileName === undefined) form.append('image', file)
        else form.append('image', file, fileName)
        // Encoded before it is sent: an abort while the fetch of Node 24.21 encodes a form ends the process.
        const encoded = new Response(form)
        const headers = {
          ...credentials,
          'idempotency-key': idempotencyKey,
          'content-type': encoded.headers.get('content-type') ?? '',
        }
        const attempt = {
          url: base + uploadPath,
          timeoutMs: timeoutMs + Math.ceil(file.size / minBytesPerMs),
          init: { method: 'POST', headers, body: await encoded.blob() },
        }
        return (await withRetries(options, server, temporaryStatuses, () => requestJson(attempt, signal))).body
      }
    },
  }
}

/** The text fields of an upload, as the API names them. */
function fieldsOf({ expiresIn, visibility, title, alt, maxViews, tags = [], album }: UploadOptions) {
  const fields = {
    expires_in: expiresIn,
    visibility,
    title,
    alt,
    max_views: maxViews?.toString(),
    tags: tags.length > 0 ? tags.join(',') : undefined,
    album,
  }
  const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined)
  return Object.fromEntries(given)
}

function baseOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new TypeError(`${url} is not an address that begins with http:// or https://`)
  return new URL(url).origin
}
