// Links of a user: created, changed, deleted (docs/decisions/0070).
import type { Kysely } from 'kysely'
import type { Input } from '../../../contract/endpoints/api.ts'
import type { Link } from '../../../contract/endpoints/links.ts'
import { countRows } from '../../db/count-rows.ts'
import type { LinksTable, Schema } from '../../db/schema.ts'
import { albumFor } from '../albums/album-access.ts'
import { audit } from '../audit/audit.ts'
import { keyPartOf } from '../delivery/variant-plan.ts'
import type { UserCaller } from '../shared/caller.ts'
import type { Deps, RequestContext } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { lockUser } from '../shared/transaction-locks.ts'
import {
  assertFont,
  assertFree,
  assertTimes,
  columnsOf,
  revocationOf,
  type Settings,
  throwSlugTaken,
} from './link-settings.ts'
import { toLinks } from './show-links.ts'
import { ownImages } from '../images/sharing/link-targets.ts'
import { newLink } from '../images/sharing/new-link.ts'

type Request = RequestContext<UserCaller>
type LinkRequest = Request & { params: { id: string } }

/** @throws {Failure} album_not_found, album_role, image_not_found, slug_taken, too_many_links; invalid_input, busy */
export async function createLink(
  deps: Deps,
  { caller, address, body, ...origins }: Request & Pick<Input<'createLink'>, 'body'>,
): Promise<Link> {
  const { album_id: albumId, images, ...settings } = body
  if ((albumId === undefined) === (images === undefined))
    throw new Failure('invalid_input', { field: 'album_id', problem: 'or images must be sent, and not both' })
  const owner = { owner_id: caller.account.id, guest_token_hash: null, album_id: albumId ?? null }
  const row: LinksTable = { ...newLink(deps, owner), ...(await columnsOf(settings)) }
  await assertFont(deps, settings)
  assertTimes(row)
  const creating = deps.db.transaction().execute(async (db) => {
    await lockUser(db, caller.account.id)
    if (albumId !== undefined) await albumFor({ db }, caller, albumId, 'manage')
    const ids = images && (await ownImages({ ...deps, db }, caller, images))
    await assertFree(db, row)
    const limit = deps.config.MAX_LINKS
    const count = await countRows(db.selectFrom('links').where('owner_id', '=', row.owner_id))
    if (limit > 0 && count >= limit) throw new Failure('too_many_links', { limit })
    await db.insertInto('links').values(row).execute()
    if (ids)
      await db
        .insertInto('link_images')
        .values(ids.map((image_id, position) => ({ link_id: row.id, image_id, position })))
        .execute()
    const details = { album: albumId, images: ids?.length, hasPassword: row.password_hash !== null }
    await audit({ ...deps, db }, { actor: caller, address, action: 'link_created', ...toTarget(row), details })
  })
  await creating.catch(throwSlugTaken(row.slug))
  return formOf(deps, row, { ...origins, caller })
}

/**
 * A new password, or none any more, ends what visitors have; so does revoking.
 * @throws {Failure} link_not_found, slug_taken; invalid_input, busy
 */
export async function updateLink(
  deps: Deps,
  { caller, address, params, body, ...origins }: LinkRequest & Pick<Input<'updateLink'>, 'body'>,
): Promise<Link> {
  await assertFont(deps, body)
  const changes = await columnsOf(body)
  const changing = deps.db.transaction().execute(async (db) => {
    await lockUser(db, caller.account.id)
    const row = await findOwnLink(db, caller, params.id)
    const changed: LinksTable = { ...row, ...changes, revoked_at: revocationOf(row, body, deps.now()) }
    const hadOrGetsPassword = (changes.password_hash ?? row.password_hash) !== null
    if (changes.password_hash !== undefined && hadOrGetsPassword) changed.version += 1
    assertTimes(changed)
    if (changed.slug !== row.slug) await assertFree(db, changed)
    const { views: _, last_viewed_at: __, views_left: ___, ...columns } = changed
    await db
      .updateTable('links')
      .set({ ...columns, ...(changes.views_left !== undefined && { views_left: changes.views_left }) })
      .where('id', '=', row.id)
      .execute()
    const fields = Object.keys(body).filter((field) => body[field as keyof Settings] !== undefined)
    if (fields.length > 0)
      await audit(
        { ...deps, db },
        { actor: caller, address, action: 'link_updated', ...toTarget(changed), details: { fields } },
      )
    return changed
  })
  const changed = await changing.catch(throwSlugTaken(body.slug ?? ''))
  if (body.watermark !== undefined) await deleteMarkedVariants(deps, changed)
  return formOf(deps, changed, { ...origins, caller })
}

/** @throws {Failure} link_not_found */
export async function deleteLink(deps: Deps, { caller, address, params }: LinkRequest) {
  const deleted = await deps.db.transaction().execute(async (db) => {
    await lockUser(db, caller.account.id)
    const row = await findOwnLink(db, caller, params.id)
    await db.deleteFrom('links').where('id', '=', row.id).execute()
    await audit({ ...deps, db }, { actor: caller, address, action: 'link_deleted', ...toTarget(row) })
    return row
  })
  if (deleted.watermark !== '') await deleteMarkedVariants(deps, deleted)
  return { success: true as const }
}

/** On this server. Others evict theirs, which nobody can request any more. */
const deleteMarkedVariants = ({ variants }: Deps, { id }: LinksTable) => variants.deleteNamed(keyPartOf(id))

const toTarget = ({ id, slug }: LinksTable) => ({ target: { id, label: slug } })

async function formOf(deps: Deps, row: LinksTable, to: Parameters<typeof toLinks>[2]): Promise<Link> {
  const [link] = await toLinks(deps, [row], to)
  if (!link) throw new Failure('link_not_found')
  return link
}

/** @throws {Failure} link_not_found */
async function findOwnLink(db: Kysely<Schema>, { account }: UserCaller, id: string): Promise<LinksTable> {
  const row = await db
    .selectFrom('links')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', account.id)
    .executeTakeFirst()
  if (!row) throw new Failure('link_not_found')
  return row
}
