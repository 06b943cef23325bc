// The links of a user in pages, of an album, an image or a state.
import type { Input } from '../../../contract/endpoints/api.ts'
import type { Link } from '../../../contract/endpoints/links.ts'
import type { UserCaller } from '../shared/caller.ts'
import type { Deps, RequestContext } from '../shared/deps.ts'
import { type Page, readPage } from '../shared/keyset-page.ts'
import { isInState } from './link-states.ts'
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
