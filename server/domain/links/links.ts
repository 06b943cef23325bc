// Links of a user: created, listed, changed, deleted (docs/decisions/0070).
import { type Expression, type ExpressionBuilder, type Kysely, sql, type SqlBool, type Updateable } from 'kysely'
import type { Input } from '../../../contract/endpoints/api.ts'
import type { Link } from '../../../contract/endpoints/links.ts'
import { countRows } from '../../db/count-rows.ts'
import { isUniqueViolation } from '../../db/database-errors.ts'
import type { LinksTable, Schema } from '../../db/schema.ts'
import { hashPassword } from '../accounts/passwords.ts'
import { albumFor } from '../albums/album-access.ts'
import { audit } from '../audit/audit.ts'
import { keyPartOf } from '../delivery/variant-plan.ts'
import type { UserCaller } from '../shared/caller.ts'
import type { Deps, RequestContext } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { type Page, readPage } from '../shared/keyset-page.ts'
import { lockUser } from '../shared/transaction-locks.ts'
import { toLinks } from './show-links.ts'
import { ownImages } from '../images/sharing/link-targets.ts'
import { newLink } from '../images/sharing/new-link.ts'

type Request = RequestContext<UserCaller>
type LinkRequest = Request & { params: { id: string } }
type Settings = Input<'updateLink'>['body']

/** @throws {Failure} album_not_found, album_role, image_not_found, slug_taken, too_many_links; invalid_input */
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

/** @throws {Failure} invalid_input: a cursor of another list */
export async function listLinks(
  deps: Deps,
  { caller, query, ...origins }: Request & Pick<Input<'listLinks'>, 'query'>,
): Promise<Page<Link>> {
  const { album, image, state } = query
  let rows = deps.db.selectFrom('links').where('owner_id', '=', caller.account.id)
  if (album !== undefined) rows = rows.where('album_id', '=', album)
  if (image !== undefined)
    rows = rows.where('id', 'in', (named) =>
      named.selectFrom('link_images').select('link_id').where('image_id', '=', image),
    )
  if (state !== undefined) rows = rows.where(isInState[state](deps.now()))
  const page = await readPage(rows.selectAll(), rows, {
    ...query,
    by: ['created_at', 'id'],
    keyOf: ({ created_at: value, id }) => ({ value, id }),
    show: (row) => row,
  })
  const links = await toLinks(deps, page.items, { ...origins, caller })
  // One to an album that the caller does not manage any more has ended, which the query does not ask.
  return { ...page, items: state === undefined ? links : links.filter((link) => link.state === state) }
}

type InState = (now: number) => (row: ExpressionBuilder<Schema, 'links'>) => Expression<SqlBool>

const isEnded: InState = (now) => (row) => row.or([row('views_left', '=', 0), row('ends_at', '<=', now)])
const isRunning: InState = (now) => (row) =>
  row.and([
    row('revoked_at', 'is', null),
    row.or([row('views_left', 'is', null), row('views_left', '!=', 0)]),
    row.or([row('ends_at', 'is', null), row('ends_at', '>', now)]),
  ])

/** As stateOf in show-links.ts computes them. */
const isInState: Record<Link['state'], InState> = {
  revoked: () => (row) => row('revoked_at', 'is not', null),
  ended: (now) => (row) => row.and([row('revoked_at', 'is', null), isEnded(now)(row)]),
  waiting: (now) => (row) => row.and([isRunning(now)(row), row('starts_at', '>', now)]),
  open: (now) => (row) =>
    row.and([isRunning(now)(row), row.or([row('starts_at', 'is', null), row('starts_at', '<=', now)])]),
}

/**
 * A new password, or none any more, ends what visitors have; so does revoking.
 * @throws {Failure} link_not_found, slug_taken; invalid_input
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

function revocationOf({ revoked_at: before }: LinksTable, { revoked }: Settings, now: number): number | null {
  if (revoked === undefined) return before
  return revoked ? (before ?? now) : null
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

/** What the caller sends, as it is stored. */
async function columnsOf(settings: Settings): Promise<Partial<LinksTable>> {
  const { name, note, slug, watermark, password, max_views, max_size, starts_at, ends_at } = settings
  const passwordHash = typeof password === 'string' ? await hashPassword(password) : password
  const columns: Updateable<LinksTable> = {
    name,
    note,
    slug,
    watermark,
    max_size,
    views_left: max_views,
    starts_at: timeOf(starts_at),
    ends_at: timeOf(ends_at),
    shows_private: flagOf(settings.shows_private),
    can_download: flagOf(settings.can_download),
    password_hash: passwordHash,
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

/** @throws {Failure} invalid_input: a watermark, on a server that could draw lines only */
async function assertFont({ imaging }: Deps, { watermark = '' }: Settings): Promise<void> {
  if (watermark === '' || (await imaging.drawsLetters())) return
  throw new Failure('invalid_input', { field: 'watermark', problem: 'needs a font, and this server has none' })
}

const timeOf = (text: string | null | undefined) => (typeof text === 'string' ? Date.parse(text) : text)
const flagOf = (value: boolean | undefined) => (value === undefined ? undefined : value ? 1 : 0)

/** @throws {Failure} invalid_input */
function assertTimes({ starts_at: startsAt, ends_at: endsAt }: LinksTable): void {
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt)
    throw new Failure('invalid_input', { field: 'ends_at', problem: 'must be after starts_at' })
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

/** @throws {Failure} slug_taken */
async function assertFree(db: Kysely<Schema>, { id, slug }: LinksTable): Promise<void> {
  const other = db
    .selectFrom('links')
    .select(sql`1`.as('one'))
    .where('slug', '=', slug)
    .where('id', '!=', id)
  if (await other.executeTakeFirst()) throw new Failure('slug_taken', { slug })
}

/** Another server gave the slug away since the check. */
const throwSlugTaken =
  (slug: string) =>
  (error: unknown): never => {
    if (isUniqueViolation(error)) throw new Failure('slug_taken', { slug }, { cause: error })
    throw error
  }
