// Changes what an image says and who may view it: title, texts, custom link, tags, views, visibility, expiry.
import type { Kysely, Updateable } from 'kysely'
import type { Input } from '../../../contract/endpoints/api.ts'
import type { Image } from '../../../contract/endpoints/images.ts'
import type { Visibility } from '../../../contract/plain/visibility.ts'
import { isUniqueViolation } from '../../db/database-errors.ts'
import { joinTags, replaceTagRows } from '../../db/image-tags.ts'
import type { ImagesTable, Schema } from '../../db/schema.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { queuePurges } from './cache-purges.ts'
import { takeSlug } from './custom-links.ts'
import { chosenColumns } from './expiry/chosen-expiry.ts'
import { toImage } from './image-row.ts'
import { findManaged, type OwnerRequest, changeLiveImage } from './managed-image.ts'
import { endingViewKeys } from './sharing/view-keys.ts'

/**
 * Changes the given fields. A custom link is unique among images and among those that were deleted
 * in the last 30 days, whose owner alone may use it again. Caches drop an image that gets private, or whose views are
 * limited: they would serve it without counting. They also drop one that now expires earlier.
 * @throws {Failure} slug_taken, slug_needs_account, private_needs_account, tags_need_account, keep_not_allowed, and those of
 * {@link findManaged}
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
    if (typeof slug === 'string') await takeSlug(db, slug, row)
    const changes: Updateable<ImagesTable> = Object.fromEntries(given)
    const isTurned = visibility !== undefined && (await turnVisibility(db, row.id, visibility))
    const updated = await changeLiveImage({ ...deps, db }, request, row, changes)
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
