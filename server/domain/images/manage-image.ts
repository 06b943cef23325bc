// Reads, changes, deletes, restores and extends an image for its owner.
import type { Kysely, Updateable } from 'kysely'
import type { Input } from '../../../contract/endpoints/api.ts'
import type { Image } from '../../../contract/endpoints/images.ts'
import type { Visibility } from '../../../contract/plain/visibility.ts'
import { isUniqueViolation } from '../../db/database-errors.ts'
import { joinTags, replaceTagRows } from '../../db/image-tags.ts'
import { expiryText } from '../../db/kept-expiry.ts'
import type { ImagesTable, Schema } from '../../db/schema.ts'
import { audit, type AuditDeps } from '../audit/audit.ts'
import { queuePurges } from './cache-purges.ts'
import { actsAsAdmin, type Caller } from '../shared/caller.ts'
import type { Deps, RequestContext } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { chosenColumns, extendedExpiry } from './expiry/chosen-expiry.ts'
import {
  type ImageRow,
  findLiveImage,
  findStoredImage,
  assertAvailable,
  toImage,
  type ViewedImage,
} from './image-row.ts'
import { ownerOf, removeImages } from './remove-images.ts'
import { retryWhenDiskFull } from '../shared/retry-when-disk-full.ts'
import type { Deletion } from './deleted-expiry.ts'
import { restoreDeleted, softDeleteImage } from './soft-delete.ts'
import { endingViewKeys } from './view-keys.ts'
import { everyone, mayManage, owns, viewableBy } from './may-view.ts'

/** @throws {Failure} as deleteImage */
export async function getImage(deps: Deps, request: OwnerRequest): Promise<Image> {
  const row = await findManaged(deps, request)
  return toImage(deps, row, request)
}

/**
 * Changes the given fields. A custom link is unique among images and among those that were deleted
 * in the last 30 days, whose owner alone may use it again. Caches drop an image that gets private, or whose views are
 * limited: they would serve it without counting. They also drop one that now expires earlier.
 * @throws {Failure} slug_taken, slug_needs_account, private_needs_account, tags_need_account, keep_not_allowed, and those of
 * {@link deleteImage}
 */
export async function updateImage(
  deps: Deps,
  {
    body: { title, alt, slug, tags, max_views: viewsLeft, visibility, expires_at: wanted },
    ...request
  }: OwnerRequest & Pick<Input<'updateImage'>, 'body'>,
): Promise<Image> {
  const row = await findManaged(deps, request)
  const expiry = wanted === undefined ? {} : chosenColumns(deps, request.caller, row, wanted)
  const fields = { title, alt, slug, tags: tags && joinTags(tags), views_left: viewsLeft, visibility, ...expiry }
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  if (given.length === 0) return toImage(deps, row, request)
  if (row.owner_id === null) assertForGuests({ slug, tags, visibility })
  const changing = deps.db.transaction().execute(async (db) => {
    if (typeof slug === 'string') await reserveSlug(db, slug, row)
    const changes: Updateable<ImagesTable> = Object.fromEntries(given)
    const isTurned = visibility !== undefined && (await turnVisibility(db, row.id, visibility))
    const updated = await setColumns({ ...deps, db }, request, row, changes)
    if (tags) await replaceTagRows(db, row, tags)
    const isLimitedNow = row.views_left === null && updated.views_left !== null
    const isPrivateNow = isTurned && visibility === 'private'
    // Caches store it until the expiry that it had.
    const isShortened = updated.expires_at < row.expires_at
    if (isLimitedNow || isPrivateNow || isShortened) await queuePurges({ ...deps, db }, [row.id])
    return updated
  })
  const changed = await changing.catch((error: unknown) => {
    // Another image got the link since the check.
    if (isUniqueViolation(error)) throw new Failure('slug_taken', { slug: slug ?? '' }, { cause: error })
    throw error
  })
  return toImage(deps, changed, request)
}

/** By the row as it is, which may have changed since it was read. @returns whether it had the other visibility */
async function turnVisibility(db: Kysely<Schema>, id: string, visibility: Visibility): Promise<boolean> {
  const turned = await db
    .updateTable('images')
    .set({ visibility, ...endingViewKeys })
    .where('id', '=', id)
    .where('visibility', '!=', visibility)
    .returning('id')
    .executeTakeFirst()
  return turned !== undefined
}

/** What images without an account cannot have. @throws {Failure} */
function assertForGuests({
  slug,
  tags,
  visibility,
}: Pick<Input<'updateImage'>['body'], 'slug' | 'tags' | 'visibility'>) {
  if (typeof slug === 'string') throw new Failure('slug_needs_account')
  if (tags && tags.length > 0) throw new Failure('tags_need_account')
  if (visibility === 'private') throw new Failure('private_needs_account')
}

/** @throws {Failure} slug_taken */
async function reserveSlug(db: Kysely<Schema>, slug: string, row: ImageRow): Promise<void> {
  // @NOTE First, because it writes: SQLite does not wait for another process when a transaction
  // upgrades from reading to writing.
  await db
    .updateTable('tombstones')
    .set({ slug: null })
    .where('slug', '=', slug)
    .where('slug_owner_id', '=', row.owner_id)
    .execute()
  // Like a tombstone: what its owner has deleted gives up its link to another image of theirs.
  await db
    .updateTable('images')
    .set({ slug: null })
    .where('slug', '=', slug)
    .where('owner_id', '=', row.owner_id)
    .where('undo_until', 'is not', null)
    .execute()
  const image = db.selectFrom('images').select('id').where('slug', '=', slug).where('id', '!=', row.id)
  const tombstone = db.selectFrom('tombstones').select('id').where('slug', '=', slug)
  if ((await image.executeTakeFirst()) ?? (await tombstone.executeTakeFirst()))
    throw new Failure('slug_taken', { slug })
}

/** @throws {Failure} as {@link findManaged} */
export async function deleteImage(deps: Deps, request: OwnerRequest & Pick<Input<'deleteImage'>, 'query'>) {
  const row = await findManaged(deps, request)
  const { caller, address } = request
  const by = softDeletionOf(deps, request, row)
  if (by === undefined) await removeImages(deps, [row.id], { actor: caller, address, action: 'image_deleted' })
  // As in removeImages, a full disk is no reason to fail. False: another call was faster.
  else if (!(await retryWhenDiskFull(deps, () => softDeleteImage(deps, row.id, { caller, address, by }))))
    throw new Failure('image_gone')
  return { success: true as const }
}

/** How the image can be restored; undefined: it cannot. */
function softDeletionOf(
  { config }: Pick<Deps, 'config'>,
  request: OwnerRequest & Pick<Input<'deleteImage'>, 'query'>,
  row: ImageRow,
): Deletion | undefined {
  const { query, caller } = request
  if (query.undo === undefined && query.trash === undefined) return undefined
  if (!owns(request, row)) return 'byAdmin'
  const isOfAccount = caller.kind === 'user' && row.owner_id === caller.account.id
  return query.trash !== undefined && isOfAccount && config.TRASH_DAYS > 0 ? 'toTrash' : 'byOwner'
}

/**
 * Restores an image. An image that exists, for example restored by a concurrent call, is returned
 * unchanged. Only admins restore what an admin deleted of another user; for its owner it stays
 * deleted.
 * @throws {Failure} quota_exceeded, and those of {@link deleteImage}
 */
export async function restoreImage(deps: Deps, request: OwnerRequest): Promise<Image> {
  const found = await findStoredImage(deps, 'id', request.params.id, viewableBy(deps, request))
  const isLiving = found.expires_at > deps.now()
  // Expired images fail with image_gone for every caller.
  if (!isLiving && found.undo_until === null) throw new Failure('image_gone')
  assertAvailable(found)
  assertMayManage(request, found)
  if (isLiving) return toImage(deps, found, request)
  const { caller, address } = request
  const by: Deletion[] = actsAsAdmin(caller) ? ['byOwner', 'byAdmin'] : ['byOwner']
  const [row] = await restoreDeleted(deps, { ids: [found.id], by, caller, address })
  if (!row) return toImage(deps, await findLiveImage(deps, 'id', found.id, everyone), request)
  return toImage(deps, row, request)
}

/**
 * Sets the expiry to one year from now, for guests within GUEST_MAX_DAYS of the upload. Never
 * shortens it.
 * @throws {Failure} like {@link deleteImage}
 */
export async function extendImage(deps: Deps, request: OwnerRequest) {
  const row = await findManaged(deps, request)
  const expiresAt = Math.max(row.expires_at, extendedExpiry(deps, request.caller, row))
  await deps.db.transaction().execute((db) => setColumns({ ...deps, db }, request, row, { expires_at: expiresAt }))
  return { success: true as const, id: row.id, expires_at: expiryText(expiresAt) }
}

/**
 * Changes a live image, with an entry in the audit log unless its owner does it.
 * @param deps.db a transaction
 * @throws {Failure} image_gone: the sweep or a concurrent call was faster. A deleted image is not restored
 */
async function setColumns(
  deps: AuditDeps,
  request: OwnerRequest,
  row: ImageRow,
  changes: Updateable<ImagesTable>,
): Promise<ImageRow> {
  const changed = await deps.db
    .updateTable('images')
    .set(changes)
    .where('id', '=', row.id)
    .where('expires_at', '>', deps.now())
    .returningAll()
    .executeTakeFirst()
  if (!changed) throw new Failure('image_gone')
  if (owns(request, row)) return changed
  const { caller: actor, address } = request
  const details = { fields: Object.keys(changes), ...ownerOf(row) }
  await audit(deps, { actor, address, action: 'image_updated', target: { id: row.id }, details })
  return changed
}

export interface OwnerRequest extends RequestContext<Caller> {
  params: { id: string }
  /** delete_token of a guest's image, from the header or the body. */
  guestToken: string | undefined
}

/**
 * The image, if it is there and the caller may manage it.
 * @throws {Failure} image_gone, image_unavailable, image_not_found, and those of {@link assertMayManage}
 */
export async function findManaged(deps: Deps, request: OwnerRequest): Promise<ViewedImage> {
  const row = await findLiveImage(deps, 'id', request.params.id, viewableBy(deps, request))
  assertMayManage(request, row)
  return row
}

/**
 * Guests own images by a token, users by their account; admins may manage all.
 * @throws {Failure} guest_token_required, wrong_guest_token, forbidden
 */
export function assertMayManage(request: Pick<OwnerRequest, 'caller' | 'guestToken'>, row: ImageRow): void {
  const { caller, guestToken } = request
  if (mayManage(request, row)) return
  if (row.guest_token_hash === null)
    throw new Failure(caller.kind === 'guest' ? 'authentication_required' : 'forbidden')
  if (guestToken === undefined) throw new Failure(caller.kind === 'guest' ? 'guest_token_required' : 'forbidden')
  throw new Failure('wrong_guest_token')
}
