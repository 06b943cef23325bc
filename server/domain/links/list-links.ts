// The links of a user in pages, of an album, an image or a state.
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Input } from '../../../contract/endpoints/api.ts'
import type { Link } from '../../../contract/endpoints/links.ts'
import type { Schema } from '../../db/schema.ts'
import type { UserCaller } from '../shared/caller.ts'
import type { Deps, RequestContext } from '../shared/deps.ts'
import { type Page, readPage } from '../shared/keyset-page.ts'
import { toLinks } from './show-links.ts'

/** @throws {Failure} invalid_input: a cursor of another list */
export async function listLinks(
  deps: Deps,
  { caller, query, ...origins }: RequestContext<UserCaller> & Pick<Input<'listLinks'>, 'query'>,
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
