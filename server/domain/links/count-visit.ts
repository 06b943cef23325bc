// Which openings of a link count as a visit, and take one of its views.
import type { LinksTable } from '../../db/schema.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { linkCookie } from './link-cookies.ts'

export interface Visit {
  /** A crawler or a link preview, which is not a visitor. */
  isRobot: boolean
  /** HEAD: nobody sees anything. */
  isHead: boolean
  /** From a page of this site, as the owner of the link opens it. */
  isFromOwnPage: boolean
  /** Where visitors open the link: cookies are for its scheme. */
  siteUrl: string
}

/**
 * Takes one of the views that are left: of two visitors at once, only one gets the last. With limited views each opening is one,
 * whatever the client says it is.
 * @returns the header Set-Cookie; undefined: it is no visit
 */
export async function countVisit(deps: Deps, link: LinksTable, visit: Visit): Promise<string | undefined> {
  const isLimited = link.views_left !== null
  if (isLimited && visit.isRobot) throw new Failure('robot_excluded')
  if (visit.isRobot || visit.isHead || (visit.isFromOwnPage && !isLimited)) return undefined
  const counted = await deps.db
    .updateTable('links')
    .set((row) => ({
      views: row('views', '+', 1),
      last_viewed_at: deps.now(),
      ...(isLimited && { views_left: row('views_left', '-', 1) }),
    }))
    .where('id', '=', link.id)
    .where((row) => row.or([row('views_left', 'is', null), row('views_left', '>', 0)]))
    .returning('id')
    .executeTakeFirst()
  if (!counted) throw new Failure('link_not_found')
  return linkCookie(deps, 'visit', link, visit.siteUrl)
}
