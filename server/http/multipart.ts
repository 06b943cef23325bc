// Receives the file of a multipart form, or the one that a URL names, into a temporary folder,
// limiting its size.
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { limits } from '../../contract/limits.ts'
import type { Deps } from '../domain/deps.ts'
import { Failure } from '../domain/failure.ts'
import { createKeyedSemaphores } from '../concurrency/semaphore.ts'
import { admitUpload, type AnnouncedUpload, reserveSpace } from '../domain/images/admission.ts'
import { fetchRemoteImage } from '../domain/images/remote-image.ts'
import type { ReceivedFile } from '../domain/images/uploads.ts'
import { isForeignOrigin } from './client-address.ts'

/** Concurrent guest uploads per client address. Queued requests wait with their bodies unread. */
const guestSemaphoreOf = createKeyedSemaphores({
  permits: 2,
  maxQueued: 100,
  maxWaitMs: 4000,
  rejectWith: () => new Failure('busy', {}, { retryAfterS: 2 }),
})

/**
 * Receives the file of the form field `field`, or fetches the one that the field `url` of the form
 * or JSON body names, and passes it to `use`. The temporary folder is deleted afterwards. The space
 * of the file stays reserved until `use` calls `release` or ends.
 * @throws {Failure} unsupported_body, no_file, too_many_files, empty_file, file_too_large,
 * malformed_upload, foreign_origin, guest_uploads_off, too_many_requests, busy, storage_full,
 * quota_exceeded, guest_quota_full, total_quota_full, api_key_quota, upload_by_url_off,
 * url_not_fetched, invalid_input: url; and what `use` throws
 */
export async function withUpload<T>(
  deps: Deps,
  request: FastifyRequest,
  upload: AnnouncedUpload & { field: string },
  use: (received: { file: ReceivedFile; fields: Fields; release: () => void }) => Promise<T>,
): Promise<T> {
  const { caller, address, field } = upload
  const json = jsonFields(request)
  if (!json && !request.isMultipart()) throw new Failure('unsupported_body', { expected: 'multipart/form-data' })
  // A page of another site must not upload with the address of its visitor.
  if (caller.kind === 'guest' && isForeignOrigin(deps.config, request)) throw new Failure('foreign_origin')
  const { maxBytes } = await admitUpload(deps, upload)
  const limit = {
    maxBytes: maxBytes + limits.upload.framingBytes,
    refusal: new Failure('file_too_large', { maxBytes }),
  }
  refuseDeclaredBytes(request, limit)
  const declaredBytes = Number(request.headers['content-length'] ?? limit.maxBytes)

  const isLimited = caller.kind === 'guest' && deps.config.GUEST_UPLOADS_PER_HOUR > 0
  const receiveAndUse = async () => {
    let release = await reserveSpace(deps, upload, Math.max(0, declaredBytes - limits.upload.framingBytes))
    const reserve = async (bytes: number) => {
      release()
      release = await reserveSpace(deps, upload, bytes)
    }
    try {
      await untilBuffered(request)
      return await inFolder(deps, async (folder) => {
        const { fields, ...received } = json
          ? { fields: json, file: undefined }
          : await readForm(request, limit, () => receive(request, { folder, field, maxBytes }))
        const fetchedBy = caller.kind === 'user' ? caller.account.id : address
        const file =
          received.file ?? (await fetchRemoteImage(deps, urlIn(fields), { folder, maxBytes, reserve, fetchedBy }))
        return use({ file, fields, release: () => release() })
      })
    } finally {
      release()
    }
  }
  return isLimited ? guestSemaphoreOf(address)(receiveAndUse) : receiveAndUse()
}

/** A JSON body, when it names a URL. */
function jsonFields({ body }: FastifyRequest): Fields | undefined {
  return typeof body === 'object' && body !== null && 'url' in body ? { ...body } : undefined
}

/** @throws {Failure} no_file */
function urlIn({ url }: Fields): string {
  if (typeof url !== 'string' || url === '') throw new Failure('no_file')
  return url
}

/**
 * Resolves when the request holds as much of its body as it buffers (16 KiB), or all of it. A body
 * that trickles in occupies no folder and no parser (33 kB of heap, 13 without them).
 * @throws {Failure} request_timeout, malformed_upload
 */
async function untilBuffered({ raw }: FastifyRequest): Promise<void> {
  const isBuffered = () => raw.complete || raw.destroyed || raw.readableLength >= raw.readableHighWaterMark
  if (isBuffered()) return
  const buffered = new Promise<void>((resolve, reject) => {
    const end = (error?: Error) => {
      raw.off('readable', check).off('close', end).off('error', end)
      if (error === undefined) resolve()
      else reject(error)
    }
    const check = () => {
      if (isBuffered()) end()
    }
    raw.on('readable', check).once('close', end).once('error', end)
  })
  await buffered.catch((error: unknown) => {
    throw toUploadFailure(error)
  })
}

/** Passes a new folder to `use` and deletes it afterwards. */
export async function inFolder<T>(deps: Deps, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(deps.tempDir, 'upload-'))
  try {
    return await use(folder)
  } finally {
    // A failed deletion does not change the result: the next start deletes the folder.
    await rm(folder, { recursive: true, force: true }).catch((error: unknown) =>
      deps.log.warn({ err: error, folder }, 'The folder of an upload could not be removed'),
    )
  }
}

/** The text fields of the form, unvalidated. */
type Fields = Record<string, unknown>

interface BodyLimit {
  maxBytes: number
  /** Thrown for a larger body. */
  refusal: Failure
}

/** Refuses by the header alone, before anything is read. */
function refuseDeclaredBytes({ headers }: FastifyRequest, { maxBytes, refusal }: BodyLimit): void {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw refusal
}

/**
 * Limits the bytes of the whole form: the parser does not count those outside the parts. After a
 * failure the rest of the body is discarded, so that the client can read the response.
 * @param read must start reading synchronously: earlier chunks are lost
 * @throws {Failure} the refusal, malformed_upload; what `read` throws
 */
export async function readForm<T>(request: FastifyRequest, limit: BodyLimit, read: () => Promise<T>): Promise<T> {
  const { raw } = request
  let bytes = 0
  const count = (part: Buffer) => {
    bytes += part.length
    if (bytes <= limit.maxBytes) return
    raw.off('data', count)
    // The reader fails and cleans up. `destroy` would close the connection before the response.
    raw.emit('error', limit.refusal)
  }
  try {
    refuseDeclaredBytes(request, limit)
    // The parser of an aborted body never ends (@fastify/multipart 10 listens too late).
    if (raw.destroyed) throw connectionClosed()
    raw.on('data', count)
    return await read().finally(() => raw.off('data', count))
  } catch (error) {
    raw.unpipe()
    raw.resume()
    throw toUploadFailure(error)
  }
}

const connectionClosed = (cause?: unknown) =>
  new Failure('malformed_upload', { problem: 'the connection closed before the upload was complete' }, { cause })

async function receive(
  request: FastifyRequest,
  { folder, field, maxBytes }: { folder: string; field: string; maxBytes: number },
): Promise<{ file: ReceivedFile | undefined; fields: Fields }> {
  let file: ReceivedFile | undefined
  const fields: Fields = {}
  const parts = request.parts({ limits: { files: 1, fileSize: maxBytes } })
  for await (const part of parts) {
    refuseTruncatedHeader(part)
    if (part.type === 'field') {
      fields[part.fieldname] = part.value
      continue
    }
    if (part.fieldname !== field) throw new Failure('no_file')
    // A content type alone makes a part a file, which the types of the plugin do not express.
    const sentName: string | undefined = part.filename
    file = { folder, path: join(folder, 'source'), name: sentName ?? '' }
    if ((await save(part, file.path, maxBytes)) === 0) throw new Failure('empty_file')
  }
  return { file, fields }
}

/** The part of a part header that is not its name: the boundary, the disposition and the type. */
const plainHeaderBytes = 512

/** The parser truncates a long header without an error. Only the names in it can be that long. */
function refuseTruncatedHeader({ fieldname = '', filename = '' }: { fieldname?: string; filename?: string }): void {
  const most = limits.upload.maxPartHeaderBytes - plainHeaderBytes
  if (Buffer.byteLength(fieldname) + Buffer.byteLength(filename) > most)
    throw new Failure('malformed_upload', { problem: 'a name in it is too long' })
}

/** @returns bytes. @throws {Failure} file_too_large, without waiting for the rest */
async function save(part: MultipartFile, path: string, maxBytes: number): Promise<number> {
  const out = createWriteStream(path)
  const tooLarge = new AbortController()
  if (part.file.truncated) tooLarge.abort()
  part.file.once('limit', () => tooLarge.abort())
  try {
    await pipeline(part.file, out, { signal: tooLarge.signal })
  } catch (error) {
    if (tooLarge.signal.aborted) throw new Failure('file_too_large', { maxBytes }, { cause: error })
    throw error
  }
  return out.bytesWritten
}

const parserFailures: Record<string, () => Failure> = {
  FST_FILES_LIMIT: () => new Failure('too_many_files'),
  FST_PARTS_LIMIT: () => new Failure('malformed_upload', { problem: 'it has too many parts' }),
  FST_FIELDS_LIMIT: () => new Failure('malformed_upload', { problem: 'it has too many fields' }),
  FST_PROTO_VIOLATION: () => new Failure('malformed_upload', { problem: 'it has a forbidden field name' }),
}

/** The parser's errors have no class of their own: every error of it concerns the form. */
function toUploadFailure(error: unknown): unknown {
  if (error instanceof Failure) return error
  const { code, message } = error as { code?: string; message?: string }
  const known = code === undefined ? undefined : parserFailures[code]
  if (known) return known()
  // The client disconnected: no file of the server can be reset.
  if (code === 'ECONNRESET') return connectionClosed(error)
  if (code?.startsWith('E') && code !== 'ERR_STREAM_PREMATURE_CLOSE') return error
  return new Failure('malformed_upload', { problem: message ?? 'it cannot be read' }, { cause: error })
}
