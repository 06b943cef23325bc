// Moderation by admins: lists everyone's images; quarantines, restores, removes and blocks them
// (docs/decisions/0031).
import type { Input } from '../../../contract/api.ts'
import type { ModeratedImage } from '../../../contract/moderation.ts'
import { audit, type AuditOrigin } from '../audit/audit.ts'
import type { RequestOrigin, UserCaller } from '../caller.ts'
import type { Deps, RequestContext } from '../deps.ts'
import type { Page } from '../keyset-page.ts'
import type { ImageFilters } from './image-list-filters.ts'
import { type ImageRow, toImage } from './image-row.ts'
import { findImages, type ListScope } from './list-images.ts'
import { countStoredImages } from './owner-counts.ts'
import { owned, ownerOf, removeImages } from './remove-images.ts'

/** @throws {Failure} invalid_input: an invalid cursor */
export async function listAllImages(
  deps: Deps,
  { baseUrl, query: { q = '', status, ...page } }: RequestContext<UserCaller> & Pick<Input<'listAllImages'>, 'query'>,
): Promise<Page<ModeratedImage>> {
  const { scope, filters } = await readSearch(deps, q.trim())
  const quarantined = status === 'quarantined' ? 'only' : 'included'
  const found = await findImages(deps, scope, { ...page, ...filters, quarantined })
  const owners = await findOwners(deps, found.items)
  const items = found.items.map((row) => ({
    ...toImage(row, baseUrl),
    sha256: row.sha256,
    owner: owners.get(row.owner_id) ?? null,
    quarantined_at: row.quarantined_at === null ? null : new Date(row.quarantined_at).toISOString(),
  }))
  return { ...found, items }
}

/** An exact match of an indexed column, if there is one; else a part of the name. */
async function readSearch(deps: Deps, text: string): Promise<{ scope: ListScope; filters: ImageFilters }> {
  const everyone = { ownerId: null, storedImages: await countStoredImages(deps) }
  if (/^[\da-f]{64}$/i.test(text)) {
    const hash = text.toLowerCase()
    const fromAddress = deps.db.selectFrom('images').select('id').where('address_hash', '=', hash).limit(1)
    const isAddress = (await fromAddress.executeTakeFirst()) !== undefined
    return { scope: everyone, filters: isAddress ? { addressHash: hash } : { sha256: hash } }
  }
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
  { caller, address, body }: RequestOrigin & Pick<Input<'moderateImages'>, 'body'>,
) {
  const { action, ids, reason = '' } = body
  const origin = { actor: caller, address }
  const counts = { images: 0, copies: 0 }
  if (action === 'quarantine' || action === 'restore') {
    counts.images = await setQuarantine(deps, ids, action === 'quarantine', origin)
  } else {
    if (action === 'block') counts.copies = await blockBytesOf(deps, ids, { reason, caller, address })
    const removal = action === 'block' ? 'image_blocked' : 'image_deleted'
    counts.images = (await removeImages(deps, ids, { ...origin, action: removal })).images
  }
  deps.log.info({ by: caller.account.id, action, ids, ...counts }, 'images moderated')
  return { success: true as const, ...counts }
}

/** The hot caches of all servers notice the changed rows (server/db/image-changes.ts). */
function setQuarantine(deps: Deps, ids: string[], isQuarantined: boolean, origin: AuditOrigin): Promise<number> {
  return deps.db.transaction().execute(async (db) => {
    const rows = await db
      .updateTable('images')
      .set({ quarantined_at: isQuarantined ? deps.now() : null })
      .where('id', 'in', ids)
      .where('quarantined_at', isQuarantined ? 'is' : 'is not', null)
      .where('expires_at', '>', deps.now())
      .returning(['id', ...owned])
      .execute()
    const action = isQuarantined ? 'image_quarantined' : 'image_restored'
    const entries = rows.map((row) => ({ ...origin, action, target: { id: row.id }, details: ownerOf(row) }) as const)
    await audit({ ...deps, db }, ...entries)
    return rows.length
  })
}

/**
 * Blocks the bytes of these images and quarantines every image that has them: nothing is served even
 * if the process dies before the removal.
 * @returns the number of images quarantined beside these
 */
async function blockBytesOf(
  deps: Deps,
  ids: string[],
  { reason, caller, address }: RequestOrigin & { reason: string },
): Promise<number> {
  const { now } = deps
  return deps.db.transaction().execute(async (transaction) => {
    // @NOTE The first statement must write: SQLite does not wait for another process when a
    // transaction upgrades from reading to writing.
    const blocked = await transaction
      .insertInto('blocked_images')
      .columns(['sha256', 'reason', 'created_at', 'created_by'])
      .expression((query) =>
        query
          .selectFrom('images')
          .select([
            'images.sha256',
            query.cast<string>(query.val(reason), 'text').as('reason'),
            query.cast<number>(query.val(now()), 'bigint').as('created_at'),
            query.cast<string>(query.val(caller.account.id), 'text').as('created_by'),
          ])
          .distinct()
          .where('images.id', 'in', ids),
      )
      .onConflict((conflict) => conflict.column('sha256').doNothing())
      .returning('sha256')
      .execute()
    const quarantined = await transaction
      .updateTable('images')
      .set({ quarantined_at: now() })
      .where('sha256', 'in', (query) =>
        query.selectFrom('images as chosen').select('chosen.sha256').where('chosen.id', 'in', ids),
      )
      .where('quarantined_at', 'is', null)
      .where('expires_at', '>', now())
      .returning(['id', ...owned])
      .execute()
    const copies = quarantined.filter(({ id }) => !ids.includes(id))
    const origin = { actor: caller, address }
    await audit(
      { ...deps, db: transaction },
      ...blocked.map(
        ({ sha256: id }) => ({ ...origin, action: 'block_added', target: { id }, details: { reason } }) as const,
      ),
      ...copies.map(
        (row) => ({ ...origin, action: 'image_quarantined', target: { id: row.id }, details: ownerOf(row) }) as const,
      ),
    )
    return copies.length
  })
}
