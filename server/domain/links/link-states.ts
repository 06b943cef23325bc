// Whether visitors can open a link: open, waiting, ended or revoked, of a row and as a condition for lists.
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Link } from '../../../contract/endpoints/links.ts'
import type { LinksTable, Schema } from '../../db/schema.ts'

/** Computed at each use: nothing stores it. */
export function stateOf(link: LinksTable, isShared: boolean, now: number): Link['state'] {
  if (link.revoked_at !== null) return 'revoked'
  if (!isShared || link.views_left === 0 || (link.ends_at !== null && link.ends_at <= now)) return 'ended'
  return link.starts_at !== null && link.starts_at > now ? 'waiting' : 'open'
}

type InState = (now: number) => (row: ExpressionBuilder<Schema, 'links'>) => Expression<SqlBool>

const isEnded: InState = (now) => (row) => row.or([row('views_left', '=', 0), row('ends_at', '<=', now)])
const isRunning: InState = (now) => (row) =>
  row.and([
    row('revoked_at', 'is', null),
    row.or([row('views_left', 'is', null), row('views_left', '!=', 0)]),
    row.or([row('ends_at', 'is', null), row('ends_at', '>', now)]),
  ])

/** As {@link stateOf} computes them. */
export const isInState: Record<Link['state'], InState> = {
  revoked: () => (row) => row('revoked_at', 'is not', null),
  ended: (now) => (row) => row.and([row('revoked_at', 'is', null), isEnded(now)(row)]),
  waiting: (now) => (row) => row.and([isRunning(now)(row), row('starts_at', '>', now)]),
  open: (now) => (row) =>
    row.and([isRunning(now)(row), row.or([row('starts_at', 'is', null), row('starts_at', '<=', now)])]),
}
