// Whether a link can be opened now: it has started, has not ended, and is neither revoked nor used up.
import { limits } from '../../../contract/plain/limits.ts'
import type { LinksTable } from '../../db/schema.ts'
import { isStillShared } from '../images/sharing/link-targets.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'

/** PostgreSQL stores no NUL, and refuses to look for one. */
export const isStorable = (text: string) => !text.includes('\0')

/**
 * Every reason not to open it looks the same, and takes one query that finds nothing, so that the time of the response tells
 * nothing either.
 */
export async function findOpenLink(
  deps: Deps,
  { slug, cookie }: { slug: string; cookie: string | undefined },
): Promise<{ link: LinksTable; ownerName: string | null }> {
  if (!isStorable(slug)) throw new Failure('link_not_found')
  const found = await deps.db
    .selectFrom('links')
    .leftJoin('users', 'users.id', 'links.owner_id')
    .leftJoin('albums', 'albums.id', 'links.album_id')
    .selectAll('links')
    .select(['users.name as ownerName', 'users.show_name', 'albums.owner_id as albumOwner'])
    .where('links.slug', '=', slug.slice(0, limits.share.maxSlugLength + 1).toLowerCase())
    .where('users.status', 'is distinct from', 'Inactive')
    .where('links.revoked_at', 'is', null)
    .where((link) => link.or([link('starts_at', 'is', null), link('starts_at', '<=', deps.now())]))
    .where((link) => link.or([link('ends_at', 'is', null), link('ends_at', '>', deps.now())]))
    // Whoever has no cookie has not visited it while there were views left.
    .$if(cookie === undefined, (links) =>
      links.where((link) => link.or([link('views_left', 'is', null), link('views_left', '>', 0)])),
    )
    .executeTakeFirst()
  if (!found) throw new Failure('link_not_found')
  const { ownerName, show_name: showsName, albumOwner, ...link } = found
  if (albumOwner !== link.owner_id && !(await isStillShared(deps.db, link))) throw new Failure('link_not_found')
  return { link, ownerName: showsName === 1 ? ownerName : null }
}
