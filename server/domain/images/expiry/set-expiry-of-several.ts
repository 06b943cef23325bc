// Chooses the expiry of several images at once.
import { sql } from 'kysely'
import type { Input } from '../../../../contract/endpoints/api.ts'
import { keptExpiry } from '../../../db/never-expires.ts'
import type { UserCaller } from '../../shared/caller.ts'
import type { Deps, RequestContext } from '../../shared/deps.ts'
import { queuePurges } from '../cache-purges.ts'
import { toImage } from '../image-row.ts'
import { chosenExpiry } from './chosen-expiry.ts'
import { roleOf } from './expiry-by-role.ts'

/**
 * Skips what is not among the caller's images, is deleted, hidden by an admin, or has that expiry.
 * @throws {Failure} keep_not_allowed; invalid_input: expires_at
 */
export async function setExpiry(
  deps: Deps,
  {
    caller,
    body: { ids, expires_at: wanted },
    ...origins
  }: RequestContext<UserCaller> & Pick<Input<'setExpiry'>, 'body'>,
) {
  const expiresAt = chosenExpiry(deps, roleOf(caller), wanted)
  const rows = await deps.db.transaction().execute(async (db) => {
    const changed = await db
      .updateTable('images')
      .set((image) => ({
        expires_at: expiresAt,
        // Of a kept image that gets a date back, views count as before.
        ...(wanted !== null && {
          expires_after_view_days: image
            .case()
            .when('expires_at', '=', keptExpiry)
            .then(image.ref('expires_after_view_days'))
            .else(sql<null>`null`)
            .end(),
        }),
      }))
      .where('id', 'in', ids)
      .where('owner_id', '=', caller.account.id)
      .where('expires_at', '!=', expiresAt)
      .where('expires_at', '>', deps.now())
      .where('quarantined_at', 'is', null)
      .returningAll()
      .execute()
    // Caches store an image until the expiry that it had.
    if (wanted !== null) {
      await queuePurges(
        { ...deps, db },
        changed.map(({ id }) => id),
      )
    }
    return changed
  })
  return { success: true as const, images: rows.map((row) => toImage(deps, row, origins)) }
}
