// Moderation by admins: lists everyone's images; quarantines, restores, removes and blocks them
// (docs/decisions/0031).
import type { Input } from '../../../contract/api.ts'
import type { ModeratedImage } from '../../../contract/moderation.ts'
import type { UserCaller } from '../caller.ts'
import type { Deps, RequestContext } from '../deps.ts'
import type { Page } from '../keyset-page.ts'
import type { ImageFilters } from './image-list-filters.ts'
import { type ImageRow, toImage } from './image-row.ts'
import { findImages, type ListScope } from './list-images.ts'
import { countStoredImages } from './owner-counts.ts'
import { removeImages } from './remove-images.ts'

/** @throws {Failure} invalid_input: an invalid cursor */
export async function listAllImages(
  deps: Deps,
  { baseUrl, query: { q = '', status, ...page } }: RequestContext<UserCaller> & Pick<Input<'listAllImages'>, 'query'>,
): Promise<Page<ModeratedImage>> {
  const { scope, filters } = await readSearch(deps, q.trim())
  const quarantined = status === 'quarantined' ? 'only' : 'included'
  const found = await findImages(deps, scope, { ...page, ...filters, quarantined })
  const ownerOf = await findOwners(deps, found.items)
  const items = found.items.map((row) => ({
    ...toImage(row, baseUrl),
    sha256: row.sha256,
    owner: ownerOf.get(row.owner_id) ?? null,
    quarantined_at: row.quarantined_at === null ? null : new Date(row.quarantined_at).toISOString(),
  }))
  return { ...found, items }
}

/** An exact match of an indexed column, if there is one; else a part of the name. */
async function readSearch(deps: Deps, text: string): Promise<{ scope: ListScope; filters: ImageFilters }> {
  const everyone = { ownerId: null, storedImages: await countStoredImages(deps) }
  if (/^[\da-f]{64}$/i.test(text)) return { scope: everyone, filters: { sha256: text.toLowerCase() } }
  const id = await findIdIn(deps, text)
  if (id !== undefined) return { scope: everyone, filters: { id } }
  const owner = await deps.db
    .selectFrom('users')
    .select(['id', 'image_count'])
    .where('email', '=', text.toLowerCase())
    .executeTakeFirst()
  if (owner) return { scope: { ownerId: owner.id, storedImages: owner.image_count }, filters: {} }
  return { scope: everyone, filters: { q: text } }
}

/** Ids are 22 characters of base64url; file names and URLs of images contain them. */
async function findIdIn({ db }: Deps, text: string): Promise<string | undefined> {
  const candidates = [...text.matchAll(/[\w-]{22}(?![\w-])/g)].map(([candidate]) => candidate)
  if (candidates.length === 0) return undefined
  const found = await db.selectFrom('images').select('id').where('id', 'in', candidates).executeTakeFirst()
  return found?.id
}

async function findOwners({ db }: Deps, rows: ImageRow[]): Promise<Map<string | null, ModeratedImage['owner']>> {
  const ids = [...new Set(rows.flatMap((row) => row.owner_id ?? []))]
  if (ids.length === 0) return new Map()
  const owners = await db.selectFrom('users').select(['id', 'email', 'status']).where('id', 'in', ids).execute()
  return new Map(owners.map((owner) => [owner.id, owner]))
}

/** @returns the images changed, and the other images with the same bytes that a block quarantined */
export async function moderateImages(
  deps: Deps,
  { caller, body }: { caller: UserCaller } & Pick<Input<'moderateImages'>, 'body'>,
) {
  const { action, ids, reason = '' } = body
  const by = caller.account.id
  const counts = { images: 0, copies: 0 }
  if (action === 'quarantine' || action === 'restore') {
    counts.images = await setQuarantine(deps, ids, action === 'quarantine')
  } else {
    if (action === 'block') counts.copies = await blockBytesOf(deps, ids, { reason, by })
    counts.images = (await removeImages(deps, ids)).images
  }
  deps.log.info({ by, action, ids, ...counts }, 'images moderated')
  return { success: true as const, ...counts }
}

/** The hot caches of all servers notice the changed rows (server/db/image-changes.ts). */
async function setQuarantine({ db, now }: Deps, ids: string[], isQuarantined: boolean): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('images')
    .set({ quarantined_at: isQuarantined ? now() : null })
    .where('id', 'in', ids)
    .where('quarantined_at', isQuarantined ? 'is' : 'is not', null)
    .where('expires_at', '>', now())
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/**
 * Blocks the bytes of these images and quarantines every image that has them: nothing is served even
 * if the process dies before the removal.
 * @returns the number of images quarantined beside these
 */
async function blockBytesOf(
  { db, now }: Deps,
  ids: string[],
  { reason, by }: { reason: string; by: string },
): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    // @NOTE The first statement must write: SQLite does not wait for another process when a
    // transaction upgrades from reading to writing.
    await transaction
      .insertInto('blocked_images')
      .columns(['sha256', 'reason', 'created_at', 'created_by'])
      .expression((query) =>
        query
          .selectFrom('images')
          .select([
            'images.sha256',
            query.cast<string>(query.val(reason), 'text').as('reason'),
            query.cast<number>(query.val(now()), 'bigint').as('created_at'),
            query.cast<string>(query.val(by), 'text').as('created_by'),
          ])
          .distinct()
          .where('images.id', 'in', ids),
      )
      .onConflict((conflict) => conflict.column('sha256').doNothing())
      .execute()
    const quarantined = await transaction
      .updateTable('images')
      .set({ quarantined_at: now() })
      .where('sha256', 'in', (query) =>
        query.selectFrom('images as chosen').select('chosen.sha256').where('chosen.id', 'in', ids),
      )
      .where('quarantined_at', 'is', null)
      .where('expires_at', '>', now())
      .returning('id')
      .execute()
    return quarantined.filter(({ id }) => !ids.includes(id)).length
  })
}
