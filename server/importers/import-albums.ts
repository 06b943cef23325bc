// Creates the albums of another host, with those of their images that were imported.
import type { Kysely } from 'kysely'
import { limits } from '../../contract/plain/limits.ts'
import type { AlbumsTable, Schema } from '../db/schema.ts'
import { addImages } from '../domain/albums/change-album-images.ts'
import { lockAlbum } from '../domain/albums/album-order.ts'
import { assertFitsInto } from '../domain/albums/album-tree.ts'
import type { Account } from '../domain/shared/caller.ts'
import type { Deps } from '../domain/shared/deps.ts'
import { Failure } from '../domain/shared/failure.ts'
import { newId } from '../domain/shared/secrets.ts'
import { lockUser } from '../domain/shared/transaction-locks.ts'
import { callerOf, findImported } from './import-image.ts'
import { shorten } from './strip-markup.ts'
import type { Report } from './import-report.ts'
import type { Source, SourceAlbum } from './source-types.ts'

interface Options {
  /** The name of the source. */
  name: string
  /** null: nobody owns the album, or its owner's account is missing because this is a dry run. */
  ownerOf: (sourceId: string | null) => Account | null
  isDryRun: boolean
  /** Images that this run imported, by their ids there. */
  isNew: ReadonlySet<string>
  report: Report | null
  signal: AbortSignal
}

const idsAtOnce = 500

/**
 * An album that was imported before only gets the images that this run imported. What its owner has changed since stays, and a
 * deleted album stays deleted.
 */
export async function importAlbums(deps: Deps, source: Source, options: Options) {
  const count = { created: 0, existed: 0 }
  const albums = new Map<string, SourceAlbum>()
  for await (const album of source.albums?.() ?? []) albums.set(album.id, album)
  for (const album of parentsFirst(albums)) {
    options.signal.throwIfAborted()
    const owner = options.ownerOf(album.ownerId)
    if (owner === null && !options.isDryRun) continue
    const known = (await findImported(deps.db, 'album', options.name, [album.id])).get(album.id)
    count[known === undefined ? 'created' : 'existed']++
    await options.report?.write({
      result: known === undefined ? 'imported' : 'exists',
      kind: 'album',
      id: album.id,
      name: album.title,
      owner: owner?.email ?? '',
    })
    if (owner === null || options.isDryRun) continue
    if (known === undefined) await createAlbum(deps, album, owner, options.name)
    else await addNewImages(deps, album, { owner, albumId: known, ...options })
  }
  return count
}

/** An album that would be inside itself comes without its parent: the parent is not there yet. */
function* parentsFirst(albums: Map<string, SourceAlbum>): Generator<SourceAlbum> {
  const seen = new Set<string>()
  for (const album of albums.values()) {
    const chain: SourceAlbum[] = []
    let next: SourceAlbum | undefined = album
    while (next && !seen.has(next.id)) {
      seen.add(next.id)
      chain.push(next)
      next = albums.get(next.parentId ?? '')
    }
    yield* chain.toReversed()
  }
}

async function createAlbum(deps: Deps, album: SourceAlbum, owner: Account, source: string): Promise<void> {
  const images = await album.imageIds()
  await deps.db.transaction().execute(async (db) => {
    await lockUser(db, owner.id)
    const id = newId(deps)
    const row: AlbumsTable = {
      id,
      owner_id: owner.id,
      guest_token_hash: null,
      parent_id: await findParent(db, album, owner, source),
      title: shorten(album.title, limits.albums.maxTitleLength) || 'Album',
      description: shorten(album.description, limits.albums.maxDescriptionLength),
      cover_id: (await findImported(db, 'image', source, [album.coverId ?? ''])).get(album.coverId ?? '') ?? null,
      query: album.query ?? null,
      upload_visibility: album.uploadVisibility ?? null,
      created_at: Math.min(album.createdAt ?? deps.now(), deps.now()),
    }
    await db.insertInto('albums').values(row).execute()
    await db.insertInto('imported_rows').values({ source, kind: 'album', source_id: album.id, target_id: id }).execute()
    await place({ ...deps, db }, { albumId: id, owner, source, images })
  })
}

/** Returns null if the parent belongs to another user, was deleted here, or would make the albums nest too deeply. */
async function findParent(
  db: Kysely<Schema>,
  { parentId }: SourceAlbum,
  owner: Account,
  source: string,
): Promise<string | null> {
  const found = parentId && (await findImported(db, 'album', source, [parentId])).get(parentId)
  if (!found) return null
  try {
    await assertFitsInto(db, { ownerId: owner.id, parentId: found })
    return found
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

async function addNewImages(
  deps: Deps,
  album: SourceAlbum,
  { albumId, owner, name: source, isNew }: { albumId: string; owner: Account } & Options,
): Promise<void> {
  const images = (await album.imageIds()).filter((id) => isNew.has(id))
  const isThere = await deps.db.selectFrom('albums').select('id').where('id', '=', albumId).executeTakeFirst()
  if (images.length === 0 || !isThere) return
  await deps.db.transaction().execute(async (db) => {
    await lockAlbum(db, albumId)
    await place({ ...deps, db }, { albumId, owner, source, images })
  })
}

/** Adds the images at the end, in this order. Other people's images are left out. */
async function place(
  deps: Deps,
  { albumId, owner, source, images }: { albumId: string; owner: Account; source: string; images: string[] },
): Promise<void> {
  for (let at = 0; at < images.length; at += idsAtOnce) {
    const there = images.slice(at, at + idsAtOnce)
    const here = await findImported(deps.db, 'image', source, there)
    const ids = there.flatMap((id) => here.get(id) ?? [])
    if (ids.length > 0) await addImages(deps, { caller: callerOf(owner), albumId, ids })
  }
}
