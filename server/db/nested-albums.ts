// Albums inside others and around them, as the start of a statement: `sql`${withAlbumsInside(roots)} select ... from inside``.
import { type RawBuilder, sql } from 'kysely'
import { limits } from '../../contract/plain/limits.ts'

/** The walks end one level deeper than albums may be nested, so that a caller notices what does not fit. */
const maxDepth = sql.lit(limits.albums.maxDepth)

/**
 * `inside (id, root, level)`: each root at level 1, and all albums inside it. An album is there once for each root around it.
 * @param roots ids, separated by commas, or a subquery
 */
export const withAlbumsInside = (roots: RawBuilder<unknown>) => sql`
  with recursive inside (id, root, level) as (
    select id, id, 1 from albums where id in (${roots})
    union all
    select albums.id, root, level + 1 from albums join inside on albums.parent_id = inside.id where level <= ${maxDepth})`

/**
 * `around (id, level)`: each album at level 1, and those that it is in.
 * @param albums ids, separated by commas, or a subquery
 */
export const withAlbumsAround = (albums: RawBuilder<unknown>) => sql`
  with recursive around (id, level) as (
    select id, 1 from albums where id in (${albums})
    union
    select parent_id, level + 1 from albums join around on albums.id = around.id
    where parent_id is not null and level <= ${maxDepth})`
