// Receives the images of an upload into a temporary folder: from a multipart form, from another body,
// or from the URLs in them.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { limits } from '../../../contract/plain/limits.ts'
import { ResourceStack } from '../../concurrency/resource-stack.ts'
import type { Caller } from '../../domain/shared/caller.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import { Failure } from '../../domain/shared/failure.ts'
import { throttleAddress, type Undo } from '../../domain/shared/throttle.ts'
import { admitUpload, wasNotTaken } from '../../domain/uploads/admission.ts'
import type { AnnouncedUpload } from '../../domain/uploads/idempotency.ts'
import { reserveDisk, reserveDiskAndQuota, type Space } from '../../domain/uploads/reserved-space.ts'
import { uploadSlot } from '../../domain/uploads/guest-slots.ts'
import { countFurtherFiles } from '../../domain/uploads/uploads-per-hour.ts'
import { fetchRemoteImage } from '../../domain/uploads/remote-image.ts'
import { makeUploadFolder } from '../../domain/uploads/upload-folder.ts'
import { uploadLimitsOf } from '../../domain/uploads/upload-limits.ts'
import type { ReceivedFile } from '../../domain/uploads/upload-request.ts'
import { authorizeUploader, type CallerContext } from '../request/callers.ts'
import { clientAddress } from '../request/client-address.ts'
import { isForeignOrigin } from '../request/cross-origin.ts'
import { formCredential } from '../request/credentials.ts'
import { decodeBody, unwrapIfEncoded, maxEncodedBytes, type ReceivedImage } from './encoded-image.ts'
import {
  assertDeclaredBytes,
  type BodyLimit,
  type Fields,
  keysBeforeFile,
  saveImageParts,
  saveBody,
  untilBuffered,
} from './multipart.ts'

/** Names of the fields in which clients send images. */
const imageFields = ['image', 'file', 'source', 'smfile', 'upload', 'list', 'files', 'files[]', 'file[]']

interface UploadOptions extends Pick<AnnouncedUpload, 'key'> {
  /** Otherwise a multipart form or JSON. */
  acceptsAnyBody: boolean
  maxFiles: number
}

interface ReceivedUpload {
  caller: Caller
  /** At least one. */
  files: ReceivedFile[]
  /** The text fields, unvalidated. */
  fields: Fields
  /** Of the images: released when their rows count. */
  space: Space
}

/** What an upload holds until it has ended, and what undoes each of its counts in the hour of the uploader. */
interface Holdings {
  held: ResourceStack
  counted: Undo[]
}

/**
 * Receives the images and has them handled. Their folder, their space and the place of a guest are held until then. An upload
 * that fails before a decoder worked on it does not count. A sender who is a guest by the headers and the URL may have a key in
 * the body.
 * @param handle stores the images and responds
 * @throws {Failure} unsupported_body, no_file, too_many_files, empty_file, file_too_large,
 * malformed_upload, malformed_json, foreign_origin, guest_uploads_off, too_many_requests, busy,
 * storage_full, quota_exceeded, guest_quota_full, total_quota_full, api_key_quota,
 * upload_by_url_off, url_not_fetched, invalid_input: url; those of authorizeUploader, and what `handle` throws
 */
export async function receiveUpload(
  call: CallerContext,
  sender: Caller,
  options: UploadOptions,
  handle: (upload: ReceivedUpload) => Promise<void>,
): Promise<void> {
  const { raw } = call.request
  const receive = call.request.isMultipart() ? receiveImageForm : receiveImageBody
  const counted: Undo[] = []
  try {
    await using held = new ResourceStack()
    const received = await receive(call, sender, options, { held, counted })
    const files = await filesOf(call.deps, received, options.maxFiles, counted)
    const { upload, fields, space } = received
    await handle({ caller: upload.caller, files, fields, space })
  } catch (error) {
    const isCutOff = raw.destroyed && !raw.complete
    if (isCutOff || wasNotTaken(error)) await Promise.all(counted.map((undo) => undo()))
    // Node discards the rest of a body by itself only when nothing of it was read. The connection is
    // used again.
    raw.resume()
    throw error
  }
}

interface Received extends Pick<ReceivedUpload, 'fields' | 'space'> {
  upload: AnnouncedUpload
  maxBytes: number
  images: ReceivedImage[]
  folder: string
}

/** The fields before the first image identify the uploader, so that it is admitted before its image is read. */
async function receiveImageForm(
  call: CallerContext,
  sender: Caller,
  { key, acceptsAnyBody, maxFiles }: UploadOptions,
  { held, counted }: Holdings,
): Promise<Received> {
  const { deps, request } = call
  const caller = await authorizeUploader(call, sender, sender.kind === 'guest' ? await keysBeforeFile(request) : {})
  const upload = { caller, address: clientAddress(request), key }
  const maxBytes = await admit(call, upload, counted)
  const fileBytes = acceptsAnyBody ? maxEncodedBytes(maxBytes) : maxBytes
  const limit = limitOf(maxBytes, fileBytes * maxFiles)
  held.use(await uploadSlot(deps, caller, upload.address))
  const space = held.use(await reserveDiskAndQuota(deps, upload, declaredBytes(request, limit)))
  await untilBuffered(request)
  const folder = held.use(await makeUploadFolder(deps)).path
  const maxFields = acceptsAnyBody ? limits.compat.maxFields : limits.upload.maxFields
  const given = { folder, imageFields, maxBytes: fileBytes, maxFiles, maxFields }
  const { fields, parts } = await saveImageParts(request, limit, given)
  // Stored as a guest's, the image would not be where its owner expects it.
  if (caller.kind === 'guest' && formCredential(fields) !== undefined)
    throw new Failure('invalid_input', { field: 'key', problem: 'must come before the image' })
  const images: ReceivedImage[] = []
  for (const { path, name } of parts) images.push({ ...(await unwrapIfEncoded(path, maxBytes)), name })
  return { upload, maxBytes, images, fields, space, folder }
}

/** Received before the uploader is admitted: the key can be behind the image. Nothing else is done with it. */
async function receiveImageBody(
  call: CallerContext,
  sender: Caller,
  { key, acceptsAnyBody }: UploadOptions,
  { held, counted }: Holdings,
): Promise<Received> {
  const { deps, request } = call
  if (!acceptsAnyBody && !isJson(request)) throw unsupportedBody()
  const address = clientAddress(request)
  const kinds = sender.kind === 'guest' ? (['guest', 'user'] as const) : (['user'] as const)
  const mostBytes = Math.max(...kinds.map((kind) => uploadLimitsOf(deps.config, kind).maxBytes))
  const limit = limitOf(mostBytes, maxEncodedBytes(mostBytes))
  if (sender.kind === 'guest') await countUnidentifiedBody(deps, address)
  held.use(await uploadSlot(deps, sender, address))
  const bodySpace = held.use(await reserveDisk(deps, declaredBytes(request, limit)))
  await untilBuffered(request)
  const folder = held.use(await makeUploadFolder(deps)).path
  const path = join(folder, 'body')
  await saveBody(request, path, limit)
  const { images, fields } = await decodeBody(path, { maxBytes: mostBytes, imageFields })
  const isUpload = acceptsAnyBody || images.length > 0 || 'url' in fields
  if (!isUpload) throw unsupportedBody()
  const upload = { caller: await authorizeUploader(call, sender, fields), address, key }
  const maxBytes = await admit(call, upload, counted)
  const sizes = images.map((image) => ('bytes' in image ? image.bytes : 0))
  if (sizes.some((bytes) => bytes > maxBytes)) throw new Failure('file_too_large', { maxBytes })
  bodySpace.release()
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  const space = held.use(await reserveDiskAndQuota(deps, upload, bytes))
  return { upload, maxBytes, images, fields, space, folder }
}

const isJson = ({ headers }: FastifyRequest) => /^application\/json\b/i.test(headers['content-type'] ?? '')

const unsupportedBody = () =>
  new Failure('unsupported_body', { expected: 'multipart/form-data with a file, or JSON with base64' })

/** Bodies that are read although their sender may be refused: no more than ordinary requests. @throws {Failure} too_many_requests */
const countUnidentifiedBody = (deps: Deps, address: string) =>
  throttleAddress(deps, address, {
    key: 'unidentified-body',
    limit: deps.config.RATE_LIMIT,
    windowMs: limits.rateWindowMs,
  })

/** @returns the most bytes of an image. @throws {Failure} foreign_origin, and as admitUpload */
async function admit({ deps, request }: CallerContext, upload: AnnouncedUpload, counted: Undo[]): Promise<number> {
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

/** Of the images in the body. @throws the refusal of the limit */
function declaredBytes(request: FastifyRequest, limit: BodyLimit): number {
  assertDeclaredBytes(request, limit)
  const bytes = Number(request.headers['content-length'] ?? limit.maxBytes)
  return Math.max(0, bytes - limits.upload.framingBytes)
}

/** The received images, and those that are fetched from a URL in the body. */
async function filesOf(
  deps: Deps,
  { upload, maxBytes, images, fields: { url }, space, folder }: Received,
  maxFiles: number,
  counted: Undo[],
): Promise<ReceivedFile[]> {
  if (images.length === 0 && typeof url === 'string' && url !== '') images.push({ url, name: '' })
  if (images.length === 0) throw new Failure('no_file')
  if (images.length > maxFiles) throw new Failure('too_many_files')
  await countFurtherFiles(deps, upload, images.length, counted)
  // Their bytes are in the body, whose space is reserved, as that of one image.
  if (images.length > 1) await space.add(0, images.length - 1)
  const { caller, address } = upload
  const fetchedBy = caller.kind === 'user' ? caller.account.id : address
  const reserve = (bytes: number) => space.add(bytes, 0)
  const files: ReceivedFile[] = []
  for (const [index, image] of images.entries()) {
    // A folder for each file: its rewritten form and its thumbnail are made beside it.
    const own = index === 0 ? folder : join(folder, `image-${index}`)
    if (index > 0) await mkdir(own)
    if ('path' in image) files.push({ folder: own, path: image.path, name: image.name })
    else files.push(await fetchRemoteImage(deps, image.url, { folder: own, maxBytes, reserve, fetchedBy }))
  }
  return files
}

/** Clients declare types that do not parse, or that of a form for the bytes of an image. */
const knownTypes = /^\s*(multipart\/form-data|application\/json)\b/i

/** Leaves bodies of any type unread, for receiveUpload. Multipart forms and JSON are still recognized. */
export function acceptUnreadBodies(scope: FastifyInstance): void {
  scope.removeContentTypeParser('application/json')
  scope.addContentTypeParser('*', (_request, _body, done) => done(null))
  scope.addHook('onRequest', async ({ raw: { headers } }) => {
    const { 'content-type': type } = headers
    if (type !== undefined && !knownTypes.test(type)) headers['content-type'] = 'application/octet-stream'
  })
}
