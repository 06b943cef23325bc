// Makes images public or private, and creates and ends the keys that open private ones (docs/decisions/0066).
import { imageUrls, withKey } from '../../../contract/derive/client.ts'
import type { Input } from '../../../contract/endpoints/api.ts'
import type { Image } from '../../../contract/endpoints/images.ts'
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import type { UserCaller } from '../shared/caller.ts'
import type { Deps, RequestContext } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { queuePurges } from './cache-purges.ts'
import { toImage } from './image-row.ts'
import { findManaged, type OwnerRequest } from './managed-image.ts'
import { endingViewKeys, viewKeyOf } from './sharing/view-keys.ts'

/** Skips what is not among the caller's images, is deleted, hidden by an admin, or has that visibility. */
export async function setVisibility(
  deps: Deps,
  { caller, body: { ids, visibility }, ...origins }: RequestContext<UserCaller> & Pick<Input<'setVisibility'>, 'body'>,
) {
  const rows = await deps.db.transaction().execute(async (db) => {
    const changed = await db
      .updateTable('images')
      .set({ visibility, ...endingViewKeys })
      .where('id', 'in', ids)
      .where('owner_id', '=', caller.account.id)
      .where('visibility', '!=', visibility)
      .where('expires_at', '>', deps.now())
      .where('quarantined_at', 'is', null)
      .returningAll()
      .execute()
    if (visibility === 'private') {
      await queuePurges(
        { ...deps, db },
        changed.map(({ id }) => id),
      )
    }
    return changed
  })
  return { success: true as const, images: rows.map((row) => toImage(deps, row, origins)) }
}

/** @throws {Failure} invalid_input: expires_in; and those of getImage */
export async function createViewKey(
  deps: Deps,
  { body: { expires_in: wantedMs }, ...request }: OwnerRequest & Pick<Input<'createViewKey'>, 'body'>,
) {
  const { maxDays, defaultDays } = limits.viewKey
  if (wantedMs !== undefined && wantedMs > maxDays * dayMs)
    throw new Failure('invalid_input', { field: 'expires_in', problem: `must be at most ${maxDays}d` })
  const row = await findManaged(deps, request)
  const endsAt = Math.floor((deps.now() + (wantedMs ?? defaultDays * dayMs)) / 1000) * 1000
  const key = viewKeyOf(deps, row, endsAt)
  return {
    key,
    expires_at: new Date(endsAt).toISOString(),
    url: withKey(imageUrls.original(request.baseUrl, row.file_name), key),
    page_url: withKey(imageUrls.sharePage(request.siteUrl, row.id), key),
  }
}

/** @throws {Failure} as getImage */
export async function endViewKeys(deps: Deps, request: OwnerRequest): Promise<Image> {
  const { id } = await findManaged(deps, request)
  const row = await deps.db
    .updateTable('images')
    .set(endingViewKeys)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw new Failure('image_gone')
  return toImage(deps, row, request)
}
