// Lists everyone's images for admins, and converts rows to the form in which they see them.
import type { Input } from '../../../../contract/endpoints/api.ts'
import type { ModeratedImage } from '../../../../contract/endpoints/moderation.ts'
import { hashAddress } from '../../shared/address-privacy.ts'
import type { RequestOrigin, UserCaller } from '../../shared/caller.ts'
import type { Deps, RequestContext, ResponseOrigins } from '../../shared/deps.ts'
import type { Page } from '../../shared/keyset-page.ts'
import type { ImageFilters } from './image-list-filters.ts'
import { type ImageRow, toImage } from '../image-row.ts'
import { findIdIn } from '../find-image.ts'
import type { ListScope } from './search-by-index.ts'
import { findImages } from './list-images.ts'
import { countUntrashedImages } from '../owner-counts.ts'
import { everyone } from '../may-view.ts'

/** @throws {Failure} invalid_input: an invalid cursor */
export async function listAllImages(
  deps: Deps,
  {
    query: { q = '', status, ...page },
    ...origins
  }: RequestContext<UserCaller> & Pick<Input<'listAllImages'>, 'query'>,
): Promise<Page<ModeratedImage>> {
  const { scope, filters } = await readSearch(deps, q.trim())
  const quarantined = status === 'quarantined' ? 'only' : 'included'
  const found = await findImages(deps, scope, { ...page, ...filters, quarantined })
  return { ...found, items: await toModeratedImages(deps, found.items, origins) }
}

/** Converts rows to the form in which admins see images. */
export async function toModeratedImages(
  deps: Deps,
  rows: ImageRow[],
  { address, ...origins }: ResponseOrigins & Pick<RequestOrigin, 'address'>,
): Promise<ModeratedImage[]> {
  const ownHash = hashAddress(deps, address)
  const owners = await findOwners(deps, rows)
  return rows.map((row) => ({
    ...toImage(deps, { ...row, expires_at: row.undo_expires_at ?? row.expires_at }, origins),
    sha256: row.sha256,
    owner: owners.get(row.owner_id) ?? null,
    quarantined_at: row.quarantined_at === null ? null : new Date(row.quarantined_at).toISOString(),
    address_hash: row.address_hash,
    restorable_until: row.undo_until === null ? null : new Date(row.undo_until).toISOString(),
    from_own_network: row.address_hash === ownHash,
    resembles: row.resembles,
  }))
}

/** An exact match of an indexed column, if there is one; else a part of the name. */
async function readSearch(
  deps: Deps,
  text: string,
): Promise<{ scope: ListScope; filters: ImageFilters & { q?: string } }> {
  const all = { ownerId: null, storedImages: await countUntrashedImages(deps) }
  if (/^[\da-f]{64}$/i.test(text)) {
    const hash = text.toLowerCase()
    const fromAddress = deps.db.selectFrom('images').select('id').where('address_hash', '=', hash).limit(1)
    const isAddress = (await fromAddress.executeTakeFirst()) !== undefined
    return { scope: all, filters: isAddress ? { addressHash: hash } : { sha256: hash } }
  }
  const [, digits] = /^address:\s*([\da-f]{8,64})$/i.exec(text) ?? []
  if (digits !== undefined)
    return { scope: all, filters: { addressHash: await findAddressHash(deps, digits.toLowerCase()) } }
  const id = await findIdIn(deps, text, everyone)
  if (id !== undefined) return { scope: all, filters: { id } }
  const owner = await deps.db
    .selectFrom('users')
    .select(['id', 'image_count'])
    .where('email', '=', text.toLowerCase())
    .executeTakeFirst()
  if (owner) return { scope: { ownerId: owner.id, storedImages: owner.image_count }, filters: {} }
  return { scope: all, filters: { q: text } }
}

/** @returns the hash of an image that begins with the digits; the digits, which no image has, where there is none */
async function findAddressHash({ db }: Deps, digits: string): Promise<string> {
  const row = await db
    .selectFrom('images')
    .select('address_hash')
    .where('address_hash', '>=', digits)
    // The digit that would follow f.
    .where('address_hash', '<', `${digits}g`)
    .limit(1)
    .executeTakeFirst()
  return row?.address_hash ?? digits
}

/** Returns the users by their ids. */
export async function findOwners(
  { db }: Deps,
  rows: { owner_id: string | null }[],
): Promise<Map<string | null, ModeratedImage['owner']>> {
  const ids = [...new Set(rows.flatMap((row) => row.owner_id ?? []))]
  if (ids.length === 0) return new Map()
  const owners = await db.selectFrom('users').select(['id', 'email', 'status']).where('id', 'in', ids).execute()
  return new Map(owners.map((owner) => [owner.id, owner]))
}
