// What a new image is: its visibility, and its row. A guest's has neither tags nor privacy.
import type { Visibility } from '../../../contract/plain/visibility.ts'
import { formats } from '../../../contract/plain/formats.ts'
import { joinTags } from '../../db/image-tags.ts'
import type { Ingested } from '../../imaging/pool/imaging.ts'
import type { OpenAlbum } from '../albums/album-access.ts'
import { expiryColumns, type Lifetime } from '../images/expiry/expiry-by-role.ts'
import { displayName, fileNameStem, importedName } from '../images/image-names.ts'
import type { ImageRow } from '../images/image-row.ts'
import { hashAddress } from '../shared/address-privacy.ts'
import type { Caller } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { hashSecret, newId } from '../shared/secrets.ts'
import type { UploadRequest } from './upload-request.ts'

/** Guests have only what they share. @throws {Failure} private_needs_account */
export function visibilityOf(caller: Caller, wanted: Visibility | undefined, album: OpenAlbum | undefined): Visibility {
  if (caller.kind === 'user') {
    const { account, by } = caller
    const ofKey = 'apiKeyId' in by ? by.grant.uploadVisibility : null
    return wanted ?? (album && visibilityIn(album)) ?? ofKey ?? account.upload_visibility
  }
  if (wanted === 'private') throw new Failure('private_needs_account')
  return 'public'
}

/** The album of somebody else makes no image public that its owner would have private. */
const visibilityIn = ({ role, upload_visibility: visibility }: OpenAlbum): Visibility | null =>
  role === 'owner' || visibility === 'private' ? visibility : null

/** Tags are an account's: of a guest nobody could list them. @throws {Failure} tags_need_account */
export function assertMayHaveTags({ caller, body }: Pick<UploadRequest, 'caller' | 'body'>): void {
  if (caller.kind === 'guest' && body.tags !== undefined && body.tags.length > 0) throw new Failure('tags_need_account')
}

interface NewImage {
  image: Ingested
  resembles: string | null
  lifetime: Lifetime
  /** Of a guest's. */
  deleteToken: string | undefined
  visibility: Visibility
}

export function newRow(
  deps: Deps,
  { caller, address, file, body, imported }: UploadRequest,
  { image, resembles, lifetime, deleteToken, visibility }: NewImage,
): ImageRow {
  const id = newId(deps)
  const now = deps.now()
  const hasAddress = !imported && deps.config.ADDRESS_RETENTION_DAYS > 0
  const [extension] = formats[image.format].extensions
  const originalName = displayName(imported ? importedName(file.name, extension) : body.filename || file.name)
  return {
    id,
    file_name: `${fileNameStem(originalName)}-${id}.${extension}`,
    original_name: originalName,
    owner_id: caller.kind === 'user' ? caller.account.id : null,
    guest_token_hash: deleteToken === undefined ? null : hashSecret(deleteToken),
    format: image.format,
    width: image.widthPx,
    height: image.heightPx,
    frames: image.frames,
    has_alpha: image.hasAlpha ? 1 : 0,
    bytes: image.bytes,
    sha256: image.sha256,
    placeholder: image.placeholder,
    created_at: imported?.createdAt ?? now,
    ...expiryColumns(now, lifetime),
    undo_until: null,
    undo_expires_at: null,
    quarantined_at: resembles === null ? null : now,
    former_owner_id: null,
    address_hash: hasAddress ? hashAddress(deps, address) : null,
    phash: image.phashes[0] ?? null,
    phash_quality: image.phashQuality,
    resembles,
    blur: image.blur,
    title: body.title ?? '',
    alt: body.alt ?? '',
    slug: null,
    tags: joinTags(body.tags ?? []),
    views_left: body.max_views ?? null,
    views: imported?.views ?? 0,
    visibility,
    view_key_version: 0,
  }
}
