// Lists, creates and changes albums.
import { sql, type Updateable } from 'kysely'
import type { Album } from '../../../contract/endpoints/albums.ts'
import type { Input } from '../../../contract/endpoints/api.ts'
import { parseImageQuery, problemText } from '../../../contract/plain/image-query.ts'
import { countRows } from '../../db/count-rows.ts'
import { withAlbumsInside } from '../../db/nested-albums.ts'
import type { AlbumsTable } from '../../db/schema.ts'
import { findImages } from '../images/lists/list-images.ts'
import { highestOf, type Membership } from '../images/sharing/memberships.ts'
import type { UserCaller } from '../shared/caller.ts'
import type { Deps, RequestContext } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import type { Page } from '../shared/keyset-page.ts'
import { newId } from '../shared/secrets.ts'
import { lockUser } from '../shared/transaction-locks.ts'
import { albumFor, type OpenAlbum } from './album-access.ts'
import { addImages } from './change-album-images.ts'
import { assertFitsInto } from './album-tree.ts'
import { scopeOfLive, shownImages } from './album-contents.ts'
import { showAlbums } from './show-albums.ts'

type UserRequest = RequestContext<UserCaller>

/** Own albums, and those that the caller is a member of with the albums inside them. */
export async function listAlbums(deps: Deps, { caller, ...origins }: UserRequest): Promise<Page<Album>> {
  const roles = await memberships(deps, caller.account.id)
  const ids = [...roles.keys()]
  const rows = await deps.db
    .selectFrom('albums')
    .selectAll()
    .where((album) => {
      const isOwn = album('owner_id', '=', caller.account.id)
      return ids.length === 0 ? isOwn : album.or([isOwn, album('id', 'in', ids)])
    })
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const albums = rows.map((row): OpenAlbum => {
    const membership = roles.get(row.id)
    if (row.owner_id === caller.account.id || !membership) return { ...row, role: 'owner', memberId: null }
    const parent = row.parent_id !== null && roles.has(row.parent_id) ? row.parent_id : null
    return { ...row, parent_id: parent, ...membership }
  })
  return { items: await showAlbums(deps, albums, { caller, origins }), total: albums.length, nextCursor: null }
}

/** The ids of the albums that {@link listAlbums} lists, in no order. */
export async function listAlbumIds(deps: Deps, { account }: UserCaller): Promise<string[]> {
  const own = await deps.db.selectFrom('albums').select('id').where('owner_id', '=', account.id).execute()
  return [...new Set([...own.map(({ id }) => id), ...(await memberships(deps, account.id)).keys()])]
}

/** The albums of others that a user may view, with the membership that has the highest role in each. */
async function memberships({ db }: Deps, userId: string): Promise<Map<string, Membership>> {
  const { rows } = await sql<Membership & { id: string }>`
    ${withAlbumsInside(sql`
      select album_id from album_members join albums on albums.id = album_id
      join users on users.id = albums.owner_id and users.status = 'Active'
      where user_id = ${userId} and accepted_at is not null`)}
    select inside.id, member.role, member.id as "memberId" from inside
    join album_members as member on member.album_id = inside.root and member.user_id = ${userId}
    where member.accepted_at is not null`.execute(db)
  const found = new Map<string, Membership>()
  for (const { id, ...membership } of rows)
    found.set(id, highestOf([membership, found.get(id) ?? membership]) ?? membership)
  return found
}

/** @throws {Failure} album_not_found */
export async function getAlbum(
  deps: Deps,
  { caller, params, ...origins }: UserRequest & Pick<Input<'getAlbum'>, 'params'>,
): Promise<Album> {
  const album = await albumFor(deps, caller, params.id, 'view')
  const shown = { ...album, parent_id: await visibleParent(deps, caller, album) }
  const [first] = await showAlbums(deps, [shown], { caller, origins })
  if (!first) throw new Failure('album_not_found')
  return first
}

/** A member of an album learns nothing of the one that it is in. */
async function visibleParent(deps: Deps, caller: UserCaller, album: OpenAlbum): Promise<string | null> {
  if (album.role === 'owner' || album.parent_id === null) return album.parent_id
  return (await memberships(deps, caller.account.id)).has(album.parent_id) ? album.parent_id : null
}

/**
 * @throws {Failure} too_many_albums; album_not_found: the album that it is to be in; album_depth; album_is_live: a live album
 * has no images of its own; image_not_found: none of the images is the caller's; invalid_input: the query
 */
export async function createAlbum(
  deps: Deps,
  { caller, body, ...origins }: UserRequest & Pick<Input<'createAlbum'>, 'body'>,
): Promise<Album> {
  const { title, description = '', parent_id: parentId = null, query = null, images = [] } = body
  assertLiveQuery(query)
  if (query !== null && images.length > 0) throw new Failure('album_is_live')
  const id = newId(deps)
  await deps.db.transaction().execute(async (db) => {
    await lockUser(db, caller.account.id)
    await assertRoomForAlbum({ ...deps, db }, caller.account.id)
    if (parentId !== null) await assertFitsInto(db, { ownerId: caller.account.id, parentId })
    const row: AlbumsTable = {
      id,
      owner_id: caller.account.id,
      guest_token_hash: null,
      parent_id: parentId,
      title,
      description,
      cover_id: null,
      query,
      upload_visibility: body.upload_visibility ?? null,
      created_at: deps.now(),
    }
    await db.insertInto('albums').values(row).execute()
    if (images.length === 0) return
    // Whoever names images does not want an empty album. Some may have been deleted meanwhile.
    const added = await addImages({ ...deps, db }, { caller, albumId: id, ids: images })
    if (added.length === 0) throw new Failure('image_not_found')
  })
  return getAlbum(deps, { ...origins, caller, params: { id } })
}

/** How many albums an account owns. */
export const countAlbums = ({ db }: Pick<Deps, 'db'>, ownerId: string): Promise<number> =>
  countRows(db.selectFrom('albums').where('owner_id', '=', ownerId))

/** @throws {Failure} too_many_albums */
async function assertRoomForAlbum({ db, config }: Pick<Deps, 'db' | 'config'>, ownerId: string): Promise<void> {
  const limit = config.MAX_ALBUMS
  if ((await countAlbums({ db }, ownerId)) >= limit) throw new Failure('too_many_albums', { limit })
}

/** @throws {Failure} invalid_input: a term that says nothing */
function assertLiveQuery(query: string | null): void {
  if (query === null) return
  const { terms, problem } = parseImageQuery(query)
  if (problem) throw new Failure('invalid_input', { field: 'query', problem: problemText(problem) })
  // Albums that mean each other would never end.
  if (terms.some(({ kind }) => kind === 'album'))
    throw new Failure('invalid_input', { field: 'query', problem: 'must not have the term album: in a live album' })
  if (terms.length === 0) throw new Failure('invalid_input', { field: 'query', problem: 'must not be empty' })
}

/** @throws {Failure} invalid_input */
function assertQueryChange(album: AlbumsTable, query: string | null): void {
  if (album.query === null && query !== null)
    throw new Failure('invalid_input', { field: 'query', problem: 'is of live albums only. Create one' })
  if (album.query !== null && query === null)
    throw new Failure('invalid_input', { field: 'query', problem: 'must not be null, because the album is live' })
  assertLiveQuery(query)
}

/** @throws {Failure} image_not_found */
async function assertCover(deps: Deps, album: OpenAlbum, coverId: string): Promise<void> {
  const shown =
    album.query === null
      ? await shownImages(deps, album.id).select('images.id').where('images.id', '=', coverId).executeTakeFirst()
      : (await findImages(deps, await scopeOfLive(deps, album), { q: album.query, id: coverId })).items[0]
  if (!shown) throw new Failure('image_not_found')
}

/**
 * @throws {Failure} album_not_found, album_depth, album_circle; album_role: a member may not change more than texts and cover;
 * image_not_found: the cover is not in it; invalid_input: the query, which only a live album has
 */
export async function updateAlbum(
  deps: Deps,
  { caller, params: { id }, body, ...origins }: UserRequest & Pick<Input<'updateAlbum'>, 'params' | 'body'>,
): Promise<Album> {
  const { title, description, cover_id: coverId, ...ofOwner } = body
  const isOfOwner = Object.values(ofOwner).some((value) => value !== undefined)
  const album = await albumFor(deps, caller, id, isOfOwner ? 'owner' : 'manage')
  const { parent_id: parentId, query } = ofOwner
  if (query !== undefined) assertQueryChange(album, query)
  const given = Object.entries({ title, description, cover_id: coverId, ...ofOwner }).filter(
    ([, value]) => value !== undefined,
  )
  if (given.length > 0) {
    await deps.db.transaction().execute(async (db) => {
      await lockUser(db, album.owner_id ?? '')
      if (typeof parentId === 'string') await assertFitsInto(db, { ownerId: caller.account.id, parentId, id })
      if (typeof coverId === 'string')
        await assertCover({ ...deps, db }, { ...album, query: query ?? album.query }, coverId)
      const changes: Updateable<AlbumsTable> = Object.fromEntries(given)
      await db.updateTable('albums').set(changes).where('id', '=', id).execute()
    })
  }
  return getAlbum(deps, { ...origins, caller, params: { id } })
}
