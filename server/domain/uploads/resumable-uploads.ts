// Resumable uploads: admitted like every upload when they start, stored like every upload when they are
// complete (docs/decisions/0059).
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { UploadedImage } from '../../../contract/endpoints/images.ts'
import type { Input } from '../../../contract/endpoints/api.ts'
import type { Caller, RequestOrigin } from '../shared/caller.ts'
import { nullWhenMissing } from '../../blobs/durable.ts'
import { createSingleFlight } from '../../concurrency/single-flight.ts'
import type { Deps, ResponseOrigins } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import type { UploadRecord } from '../shared/ports.ts'
import { chooseUploadAlbum } from '../albums/album-of-upload.ts'
import { admitUpload, wasNotTaken } from './admission.ts'
import { ownerOf, reserveDiskAndQuota } from './reserved-space.ts'
import { lifetimeOf, roleOf } from '../images/expiry/expiry-by-role.ts'
import { assertUnguessableKey, uploaderOf } from './idempotency.ts'
import { repeatResponse, uploadImage } from './upload-one.ts'
import { assertMayHaveTags, visibilityOf } from './new-image.ts'
import { makeUploadFolder } from './upload-folder.ts'
import { refusalOf } from './upload-refusals.ts'

type TextFields = Input<'uploadImage'>['body']

interface NewUpload extends RequestOrigin<Caller> {
  id: string
  /** Of the whole file, as declared. */
  bytes: number
  metadata: UploadRecord['metadata']
  /** Those of the metadata, validated. */
  body: TextFields
  /** The Idempotency-Key. */
  key: string | undefined
}

/** In use until it is disposed of: no other upload takes its place. */
export interface StartedUpload extends AsyncDisposable {
  record: UploadRecord
  /** For a start that failed: the upload ends and does not count in its hour. */
  cancel: () => Promise<void>
}

/**
 * Admits an upload and reserves its space until it ends.
 * @throws {Failure} those of admitUpload, reserveDiskAndQuota, assertMayHaveTags, chooseUploadAlbum and visibilityOf; empty_file, file_too_large,
 * invalid_input, busy
 */
export async function startUpload(deps: Deps, upload: NewUpload): Promise<StartedUpload> {
  const { caller, address, id, bytes, metadata, body } = upload
  if (bytes === 0) throw new Failure('empty_file')
  assertUnguessableKey(caller, upload.key)
  assertMayHaveTags(upload)
  lifetimeOf(deps.config, roleOf(caller), body.expires_in)
  visibilityOf(caller, body.visibility, await chooseUploadAlbum(deps, caller, body.album))
  const { maxBytes, uncount } = await admitUpload(deps, upload)
  if (bytes > maxBytes) throw new Failure('file_too_large', { maxBytes })
  const space = await reserveDiskAndQuota(deps, upload, bytes).catch(async (error: unknown) => {
    if (wasNotTaken(error)) await uncount()
    throw error
  })
  // The id is secret: nobody else's key is the same.
  const key = upload.key ?? `upload:${id}`
  const owner = ownerOf(caller)
  const starter = uploaderOf({ caller, address })
  const record = { id, owner, starter, address, bytes, createdAt: deps.now(), metadata, key, isStored: false }
  try {
    const endUse = await deps.uploadRecords.add(record, space.release)
    return {
      record,
      [Symbol.asyncDispose]: endUse,
      async cancel() {
        // A repetition of the start may have made an image of it, which counts.
        const held = deps.uploadRecords.find(id)
        if (!held || held.isStored || finishing.isRunning(id)) return
        await deps.uploadRecords.remove(id)
        await uncount()
      },
    }
  } catch (error) {
    space.release()
    await uncount()
    throw error
  }
}

/** The unfinished upload of a client that repeats its start because the response was lost. */
export const findStartedUpload = (
  { uploadRecords }: Pick<Deps, 'uploadRecords'>,
  { caller, address, key, bytes }: Pick<NewUpload, 'caller' | 'address' | 'key' | 'bytes'>,
): UploadRecord | undefined =>
  key === undefined ? undefined : uploadRecords.findStarted({ starter: uploaderOf({ caller, address }), key, bytes })

/**
 * Returns the upload if the caller may continue it. Of a guest the secret id is enough: a phone
 * changes its address, and its owner may log in meanwhile.
 * @throws {Failure} upload_not_found, authentication_required
 */
export function requireUpload(deps: Pick<Deps, 'uploadRecords'>, id: string, caller: Caller): UploadRecord {
  const record = deps.uploadRecords.find(id)
  if (!record) throw new Failure('upload_not_found')
  if (record.owner === null) return record
  if (caller.kind === 'guest') throw new Failure('authentication_required')
  if (caller.account.id !== record.owner) throw new Failure('upload_not_found')
  return record
}

/** Bytes that the server has of it. @throws {Failure} upload_not_found */
export async function receivedBytes(
  { uploadRecords }: Pick<Deps, 'uploadRecords'>,
  { id, bytes, isStored }: UploadRecord,
): Promise<number> {
  if (isStored) return bytes
  const file = await stat(join(uploadRecords.folder, id)).catch(nullWhenMissing)
  if (!file) throw new Failure('upload_not_found')
  return file.size
}

/**
 * What the server has of an upload that was found by its key. The first request may not have created the file yet.
 * @throws {Failure} busy
 */
export async function receivedBytesOfStarted(deps: Pick<Deps, 'uploadRecords'>, record: UploadRecord): Promise<number> {
  try {
    return await receivedBytes(deps, record)
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'upload_not_found')) throw error
    throw new Failure('busy', {}, { retryAfterS: 1, cause: error })
  }
}

interface CompleteUpload extends ResponseOrigins {
  record: UploadRecord
  caller: Caller
  body: TextFields
  name: string
}

const finishing = createSingleFlight<UploadedImage>()

/** Complete uploads that were not stored: when the server can be asked again, and whether a decoder has worked on them. */
const failed = new WeakMap<UploadRecord, { retryAt: number; isDecoded: boolean }>()

/**
 * Stores the image of a completely received upload, once, however many requests ask for it. A refused
 * image ends the upload; a busy server does not.
 * @throws {Failure} those of uploadImage; image_gone, upload_not_found, too_many_requests
 */
export function finishUpload(deps: Deps, upload: CompleteUpload): Promise<UploadedImage> {
  const { id } = upload.record
  const { uploadRecords } = deps
  return finishing.run(id, () => uploadRecords.use(id, () => storeOnce(deps, upload)))
}

async function storeOnce(deps: Deps, upload: CompleteUpload): Promise<UploadedImage> {
  const { record, body, name, ...origins } = upload
  const { id, address, key } = record
  const caller: Caller = record.owner === null ? { kind: 'guest' } : upload.caller
  const request = { ...origins, caller, address, headers: { 'idempotency-key': key } }
  const { uploadRecords } = deps
  const held = uploadRecords.find(id)
  if (!held) throw new Failure('upload_not_found')
  if (held.isStored) return repeatResponse(deps, request)
  const again = await admitAgain(deps, held, { caller, address, key })
  try {
    await using folder = await makeUploadFolder(deps)
    const file = { folder: folder.path, path: join(uploadRecords.folder, id), name }
    const image = await uploadImage(deps, { ...request, body, file })
    await uploadRecords.setStored(id)
    return image
  } catch (error) {
    if (error instanceof Failure && refusalOf(error.code) === 'lasting') await uploadRecords.remove(id)
    else {
      if (wasNotTaken(error)) await again?.uncount()
      keepForRetry(held, error, deps.now())
    }
    throw error
  }
}

/** Admits an upload whose last attempt failed: the start of an upload has paid for one time in a decoder. */
async function admitAgain(deps: Deps, held: UploadRecord, by: Parameters<typeof admitUpload>[1]) {
  const { retryAt = 0, isDecoded = false } = failed.get(held) ?? {}
  const waitMs = retryAt - deps.now()
  if (waitMs > 0) throw new Failure('busy', {}, { retryAfterS: Math.ceil(waitMs / 1000) })
  return isDecoded ? admitUpload(deps, by) : undefined
}

function keepForRetry(held: UploadRecord, error: unknown, now: number): void {
  const retryAfterS = error instanceof Failure ? (error.retryAfterS ?? 0) : 0
  const isDecoded = failed.get(held)?.isDecoded === true || !wasNotTaken(error)
  failed.set(held, { retryAt: now + 1000 * retryAfterS, isDecoded })
}

/** The job that ends abandoned uploads. */
export async function sweepUploads({ db, uploadRecords }: Pick<Deps, 'db' | 'uploadRecords'>, now: number) {
  const uploads = await uploadRecords.sweep(now)
  // The command of another process may have deleted their account.
  const owners = [...uploadRecords.owners()]
  for (let at = 0; at < owners.length; at += 500) {
    const some = owners.slice(at, at + 500)
    const there = await db.selectFrom('users').select('id').where('id', 'in', some).execute()
    const left = new Set(there.map(({ id }) => id))
    for (const owner of some) if (!left.has(owner)) await uploadRecords.removeOf(owner)
  }
  return { uploads }
}
