// Receives the images of an upload into a temporary folder: from a multipart form, from another body,
// or from the URLs in them.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { limits } from '../../../contract/plain/limits.ts'
import type { Caller } from '../../domain/shared/caller.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import { Failure } from '../../domain/shared/failure.ts'
import { createKeyedSemaphores } from '../../concurrency/semaphore.ts'
import { throttleAddress, type Undo } from '../../domain/shared/throttle.ts'
import {
  admitUpload,
  type AnnouncedUpload,
  countFurtherFiles,
  reserveDisk,
  reserveSpace,
  wasNotTaken,
} from '../../domain/uploads/admission.ts'
import { fetchRemoteImage } from '../../domain/uploads/remote-image.ts'
import { inFolder } from '../../domain/uploads/upload-folder.ts'
import { uploadLimitsOf } from '../../domain/uploads/upload-limits.ts'
import type { ReceivedFile } from '../../domain/uploads/upload-one.ts'
import { isForeignOrigin } from '../request/client-address.ts'
import { formCredential } from '../request/credentials.ts'
import { decodeBody, decodeImage, maxEncodedBytes, type ReceivedImage } from './encoded-image.ts'
import {
  type BodyLimit,
  chunksOf,
  type Fields,
  limitBytes,
  readForm,
  receiveParts,
  assertDeclaredBytes,
  saveChunks,
  toUploadFailure,
} from './multipart.ts'

/** Names of the fields in which clients send images. */
const imageFields = ['image', 'file', 'source', 'smfile', 'upload', 'list', 'files', 'files[]', 'file[]']

/**
 * Concurrent guest uploads per client address: several tabs and people, of which some have slow lines. Queued
 * requests wait with their bodies unread, for less time than proxies wait for the server to read on.
 */
const guestSemaphoreOf = createKeyedSemaphores({
  permits: 8,
  maxQueued: 100,
  maxWaitMs: 30_000,
  rejectWith: () => new Failure('busy', {}, { retryAfterS: 2 }),
})

export interface UploadOptions extends Omit<AnnouncedUpload, 'caller'> {
  /** As the headers and the URL identify it. */
  caller: Caller
  /** Authorizes the caller; identifies a guest by a key in the body. */
  authorize: (fields: Fields) => Promise<Caller>
  /** Otherwise a multipart form or JSON. */
  acceptsAnyBody: boolean
  maxFiles: number
}

export interface ReceivedUpload {
  caller: Caller
  /** At least one. */
  files: ReceivedFile[]
  /** The text fields, unvalidated. */
  fields: Fields
  /** Releases the reserved space before the temporary folder is deleted. */
  release: () => void
}

type Use<T> = (received: ReceivedUpload) => Promise<T>

/**
 * Receives the images and passes them to `use`. The temporary folder is deleted afterwards. The space
 * of the files stays reserved until `use` calls `release` or ends.
 * @throws {Failure} unsupported_body, no_file, too_many_files, empty_file, file_too_large,
 * malformed_upload, malformed_json, foreign_origin, guest_uploads_off, too_many_requests, busy,
 * storage_full, quota_exceeded, guest_quota_full, total_quota_full, api_key_quota,
 * upload_by_url_off, url_not_fetched, invalid_input: url; and what `authorize` and `use` throw
 */
export async function withUpload<T>(
  deps: Deps,
  request: FastifyRequest,
  options: UploadOptions,
  use: Use<T>,
): Promise<T> {
  const counted: Undo[] = []
  const given = { ...options, counted }
  try {
    if (request.isMultipart()) return await withForm(deps, request, given, use)
    if (options.acceptsAnyBody || isJson(request)) return await withBody(deps, request, given, use)
    throw unsupportedBody()
  } catch (error) {
    const isCutOff = request.raw.destroyed && !request.raw.complete
    if (isCutOff || wasNotTaken(error)) await Promise.all(counted.map((undo) => undo()))
    // Node discards the rest of a body by itself only when nothing of it was read. The connection is
    // used again.
    request.raw.resume()
    throw error
  }
}

/** Undo the counts in the hour of the uploader. */
interface CountedOptions extends UploadOptions {
  counted: Undo[]
}

const unsupportedBody = () => new Failure('unsupported_body', { expected: 'multipart/form-data' })

const isJson = ({ headers }: FastifyRequest) => /^application\/json\b/i.test(headers['content-type'] ?? '')

/** The fields before the first image identify the uploader, so that it is admitted before its image is read. */
async function withForm<T>(deps: Deps, request: FastifyRequest, options: CountedOptions, use: Use<T>): Promise<T> {
  const isGuest = options.caller.kind === 'guest'
  const caller = await options.authorize(isGuest ? keysInHead(await readHead(request)) : {})
  const maxBytes = await admit(deps, request, { ...options, caller })
  const fileBytes = options.acceptsAnyBody ? maxEncodedBytes(maxBytes) : maxBytes
  const limit = limitOf(maxBytes, fileBytes * options.maxFiles)
  return limitGuest(deps, caller, options, () =>
    withSpace(deps, { upload: { ...options, caller }, bytes: declaredBytes(request, limit) }, async (space) => {
      await untilBuffered(request)
      return inFolder(deps, async (folder) => {
        const maxFields = options.acceptsAnyBody ? limits.compat.maxFields : limits.upload.maxFields
        const given = { folder, imageFields, maxBytes: fileBytes, maxFiles: options.maxFiles, maxFields }
        const { fields, parts } = await readForm(request, limit, () => receiveParts(request, given))
        // Stored as a guest's, the image would not be where its owner expects it.
        if (caller.kind === 'guest' && formCredential(fields) !== undefined)
          throw new Failure('invalid_input', { field: 'key', problem: 'must come before the image' })
        const images: ReceivedImage[] = []
        for (const { path, name } of parts) images.push({ ...(await decodeImage(path, maxBytes)), name })
        return useImages(deps, { caller, maxBytes, images, fields, space, folder, options }, use)
      })
    }),
  )
}

/** Received before the uploader is admitted: the key can be behind the image. Nothing else is done with it. */
async function withBody<T>(deps: Deps, request: FastifyRequest, options: CountedOptions, use: Use<T>): Promise<T> {
  const sender = options.caller
  const kinds = sender.kind === 'guest' ? (['guest', 'user'] as const) : (['user'] as const)
  const mostBytes = Math.max(...kinds.map((kind) => uploadLimitsOf(deps.config, kind).maxBytes))
  const limit = limitOf(mostBytes, maxEncodedBytes(mostBytes))
  if (sender.kind === 'guest') await countUnidentifiedBody(deps, options.address)
  return limitGuest(deps, sender, options, async () => {
    const release = await reserveDisk(deps, declaredBytes(request, limit))
    try {
      await untilBuffered(request)
      return await inFolder(deps, async (folder) => {
        const path = join(folder, 'body')
        await saveBody(request, path, limit)
        const { images, fields } = await decodeBody(path, { maxBytes: mostBytes, imageFields })
        const isUpload = options.acceptsAnyBody || images.length > 0 || 'url' in fields
        if (!isUpload) throw unsupportedBody()
        const caller = await options.authorize(fields)
        const maxBytes = await admit(deps, request, { ...options, caller })
        if (images.some((image) => 'bytes' in image && image.bytes > maxBytes))
          throw new Failure('file_too_large', { maxBytes })
        release()
        const bytes = images.reduce((sum, image) => sum + ('bytes' in image ? image.bytes : 0), 0)
        return withSpace(deps, { upload: { ...options, caller }, bytes }, (space) =>
          useImages(deps, { caller, maxBytes, images, fields, space, folder, options }, use),
        )
      })
    } finally {
      release()
    }
  })
}

/** Bodies that are read although their sender may be refused: no more than ordinary requests. @throws {Failure} too_many_requests */
const countUnidentifiedBody = (deps: Deps, address: string) =>
  throttleAddress(deps, address, {
    key: 'unidentified-body',
    limit: deps.config.RATE_LIMIT,
    windowMs: limits.rateWindowMs,
  })

interface Received {
  caller: Caller
  maxBytes: number
  images: ReceivedImage[]
  fields: Fields
  space: Space
  folder: string
  options: CountedOptions
}

async function useImages<T>(deps: Deps, received: Received, use: Use<T>): Promise<T> {
  const { caller, maxBytes, images, fields, space, folder, options } = received
  const { address, maxFiles } = options
  const { url } = fields
  if (images.length === 0 && typeof url === 'string' && url !== '') images.push({ url, name: '' })
  if (images.length === 0) throw new Failure('no_file')
  if (images.length > maxFiles) throw new Failure('too_many_files')
  await countFurtherFiles(deps, { ...options, caller }, images.length, options.counted)
  // Their bytes are in the body, whose space is reserved, as that of one image.
  if (images.length > 1) await space.add(0, images.length - 1)
  const fetchedBy = caller.kind === 'user' ? caller.account.id : address
  const files: ReceivedFile[] = []
  for (const [index, image] of images.entries()) {
    // A folder for each file: its rewritten form and its thumbnail are made beside it.
    const own = index === 0 ? folder : join(folder, `image-${index}`)
    if (index > 0) await mkdir(own)
    const reserve = (bytes: number) => space.add(bytes, 0)
    if ('path' in image) files.push({ folder: own, path: image.path, name: image.name })
    else files.push(await fetchRemoteImage(deps, image.url, { folder: own, maxBytes, reserve, fetchedBy }))
  }
  return use({ caller, files, fields, release: space.release })
}

/** @throws {Failure} */
async function admit(
  deps: Deps,
  request: FastifyRequest,
  { counted, ...upload }: AnnouncedUpload & Pick<CountedOptions, 'counted'>,
): Promise<number> {
  // A page of another site must not upload with the address of its visitor.
  if (upload.caller.kind === 'guest' && isForeignOrigin(deps.config, request)) throw new Failure('foreign_origin')
  const { maxBytes, uncount } = await admitUpload(deps, upload)
  counted.push(uncount)
  return maxBytes
}

const limitOf = (maxBytes: number, bodyBytes: number): BodyLimit => ({
  maxBytes: bodyBytes + limits.upload.framingBytes,
  refusal: new Failure('file_too_large', { maxBytes }),
})

export function limitGuest<T>(
  deps: Deps,
  caller: Caller,
  { address }: Pick<UploadOptions, 'address'>,
  task: () => Promise<T>,
): Promise<T> {
  const isLimited = caller.kind === 'guest' && deps.config.GUEST_UPLOADS_PER_HOUR > 0
  return isLimited ? guestSemaphoreOf(address)(task) : task()
}

/** Of the images in the body. @throws the refusal of the limit */
function declaredBytes(request: FastifyRequest, limit: BodyLimit): number {
  assertDeclaredBytes(request, limit)
  const bytes = Number(request.headers['content-length'] ?? limit.maxBytes)
  return Math.max(0, bytes - limits.upload.framingBytes)
}

interface Space {
  /** Reserves more. @throws {Failure} */
  add: (bytes: number, images: number) => Promise<void>
  /** Releases all of it. */
  release: () => void
}

/** @param bytes of one image */
async function withSpace<T>(
  deps: Deps,
  { upload, bytes }: { upload: AnnouncedUpload; bytes: number },
  use: (space: Space) => Promise<T>,
): Promise<T> {
  const reserved: (() => void)[] = []
  const add = async (more: number, images: number) => void reserved.push(await reserveSpace(deps, upload, more, images))
  const release = () => reserved.forEach((one) => one())
  try {
    await add(bytes, 1)
    return await use({ add, release })
  } finally {
    release()
  }
}

async function saveBody(request: FastifyRequest, path: string, limit: BodyLimit): Promise<void> {
  try {
    await saveChunks(path, limitBytes(limit)(chunksOf(request)))
  } catch (error) {
    throw toUploadFailure(error)
  }
}

/** Returns the buffered beginning of the body, which stays in the request. */
async function readHead(request: FastifyRequest): Promise<string> {
  await untilBuffered(request)
  const head = request.raw.read() as Buffer | null
  if (head === null) return ''
  request.raw.unshift(head)
  return head.toString('latin1')
}

/** Keys come in the first part, or after a few short ones. */
const maxKeyHeadBytes = 4096

/** Finds keys in parts before the first file, without parsing the form. */
function keysInHead(head: string): Fields {
  const beforeFile = head.slice(0, maxKeyHeadBytes).split(/;\s*filename/i, 1)[0] ?? ''
  const parts = beforeFile.matchAll(/;\s*name="?(key|token)"?[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n([^\r\n]*)\r\n/gi)
  return Object.fromEntries([...parts].map(([, name = '', value]) => [name.toLowerCase(), value]))
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
