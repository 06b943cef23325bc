// The upload of the MCP endpoint: base64 in the call, or the address of the image.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { UploadedImage } from '../../../contract/endpoints/images.ts'
import type { Visibility } from '../../../contract/plain/visibility.ts'
import { recordingBlockRefusals } from '../../domain/moderation/block-refusals.ts'
import { assertNetworkNotBlocked } from '../../domain/moderation/blocked-networks.ts'
import type { UserCaller } from '../../domain/shared/caller.ts'
import type { Deps, RequestContext } from '../../domain/shared/deps.ts'
import { Failure } from '../../domain/shared/failure.ts'
import { admitUpload, wasNotTaken } from '../../domain/uploads/admission.ts'
import { reserveDiskAndQuota } from '../../domain/uploads/reserved-space.ts'
import { fetchRemoteImage } from '../../domain/uploads/remote-image.ts'
import { makeUploadFolder } from '../../domain/uploads/upload-folder.ts'
import { uploadImage } from '../../domain/uploads/upload-one.ts'
import type { ReceivedFile } from '../../domain/uploads/upload-request.ts'
import { maxEncodedBytes } from '../uploads/encoded-image.ts'

export interface McpCall extends RequestContext<UserCaller> {
  ip: string | undefined
  /** Of a large body, which counts as an upload before it is read. */
  admission?: Awaited<ReturnType<typeof admitUpload>>
  /** Ends the reservation of the disk for it: its tool reserves what the image takes. */
  releaseBody?: () => void
}

interface UploadInput {
  data?: string
  url?: string
  name?: string
  /** Milliseconds. */
  expires_in?: number | 'never'
  visibility?: Visibility
  tags?: string[] | undefined
  album?: string
}

/** As POST /api/upload. @throws {Failure} as uploadImage and receiveUpload */
export async function uploadByMcp(
  deps: Deps,
  call: McpCall,
  { data, url, name, expires_in: expiresIn, visibility, tags, album }: UploadInput,
) {
  if ((data === undefined) === (url === undefined))
    throw new Failure('invalid_input', { field: 'data', problem: 'is required, or url, and not both' })
  const { caller, address, ip } = call
  await recordingBlockRefusals(deps, { caller, address }, () => assertNetworkNotBlocked(deps, { address, ip }))
  const announced = { caller, address, key: undefined }
  const { maxBytes, uncount } = call.admission ?? (await admitUpload(deps, announced))
  try {
    const bytes = data === undefined ? undefined : decode(data, maxBytes)
    using space = await reserveDiskAndQuota(deps, announced, bytes?.length ?? 0)
    await using folder = await makeUploadFolder(deps)
    const given = { folder: folder.path, maxBytes, fetchedBy: caller.account.id }
    const file = bytes
      ? await saveImage(bytes, folder.path)
      : await fetchRemoteImage(deps, url ?? '', { ...given, reserve: (declared) => space.add(declared, 0) })
    const stored = await uploadImage(deps, {
      ...call,
      file: { ...file, name: name ?? file.name },
      body: { expires_in: expiresIn, visibility, tags, album },
      headers: {},
    })
    return summaryOf(stored)
  } catch (error) {
    if (wasNotTaken(error)) await uncount()
    throw error
  }
}

async function saveImage(bytes: Buffer, folder: string): Promise<ReceivedFile> {
  const path = join(folder, 'source')
  await writeFile(path, bytes)
  return { folder, path, name: '' }
}

/** Without the fields that clients of other hosts read. */
function summaryOf(stored: UploadedImage) {
  const { id: imageId, url, thumbnailUrl, page_url, visibility, view_key, width, height, size, mime } = stored
  const { expires_at, duplicate, quarantined } = stored
  const about = { visibility, view_key, width, height, size, mime, expires_at, duplicate, quarantined }
  return { id: imageId, url, thumbnailUrl, page_url, ...about }
}

/** @throws {Failure} invalid_input, empty_file, file_too_large */
function decode(data: string, maxBytes: number): Buffer {
  if (data.length > maxEncodedBytes(maxBytes)) throw new Failure('file_too_large', { maxBytes })
  // Decoding skips line breaks. Removing them from a text with millions took a second.
  const text = data.replace(/^data:[^,]{0,100};base64,/, '').trimEnd()
  if (!/^[\w+/\s-]*={0,2}$/.test(text)) throw new Failure('invalid_input', { field: 'data', problem: 'must be base64' })
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length === 0) throw new Failure('empty_file')
  if (bytes.length > maxBytes) throw new Failure('file_too_large', { maxBytes })
  return bytes
}
