// Albums inside albums: at most eight levels, and none inside itself.
import { type Kysely, sql } from 'kysely'
import { limits } from '../../../contract/plain/limits.ts'
import { withAlbumsAround, withAlbumsInside } from '../../db/nested-albums.ts'
import type { Schema } from '../../db/schema.ts'
import { Failure } from '../shared/failure.ts'

const { maxDepth } = limits.albums

/**
 * @param transaction one that holds the lock of its owner (`lockUser`): two moves that each keep the tree free of circles could make one
 * together
 * @param id the album that moves; undefined for one that is created
 * @throws {Failure} album_not_found: the parent is not the owner's; album_depth, album_circle
 */
export async function assertFitsInto(
  transaction: Kysely<Schema>,
  { ownerId, parentId, id }: { ownerId: string; parentId: string; id?: string },
): Promise<void> {
  const chain = await chainOf(transaction, parentId)
  if (chain[0]?.owner_id !== ownerId) throw new Failure('album_not_found')
  if (id !== undefined && chain.some((album) => album.id === id)) throw new Failure('album_circle')
  const levels = id === undefined ? 1 : await levelsOf(transaction, id)
  if (chain.length + levels > maxDepth) throw new Failure('album_depth', { limit: maxDepth })
}

/** The album and those that it is in, from the inside. */
async function chainOf(db: Kysely<Schema>, id: string): Promise<{ id: string; owner_id: string | null }[]> {
  const { rows } = await sql<{ id: string; owner_id: string | null }>`
    ${withAlbumsAround(sql`${id}`)}
    select albums.id, owner_id from around join albums on albums.id = around.id order by level`.execute(db)
  return rows
}

/** 1 for an album without albums inside it. */
async function levelsOf(db: Kysely<Schema>, id: string): Promise<number> {
  const { rows } = await sql<{ levels: number }>`
    ${withAlbumsInside(sql`${id}`)} select max(level) as levels from inside`.execute(db)
  return Number(rows[0]?.levels ?? 1)
}
