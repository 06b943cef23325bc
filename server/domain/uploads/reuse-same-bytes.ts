// The earlier image that an upload of the same bytes gets, instead of a new one.
import type { Visibility } from '../../../contract/plain/visibility.ts'
import { expiryColumns, type Lifetime } from '../images/expiry/expiry-by-role.ts'
import type { ImageRow } from '../images/image-row.ts'
import { mayManage } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import type { UploadRequest } from './upload-request.ts'

/**
 * Returns the caller's own available image of these bytes, which then lives at least so long
 * from now; undefined when there is none, or when the request needs a new one.
 */
export async function reuseSameBytes(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { body, caller }: UploadRequest,
  { sha256, lifetime, visibility }: { sha256: string; lifetime: Lifetime; visibility: Visibility },
): Promise<ImageRow | undefined> {
  // The image that exists comes with its delete link and gets a later expiry: not by a key that may only upload.
  if (body.max_views !== undefined || caller.kind !== 'user' || !mayManage(caller)) return undefined
  const { account } = caller
  const found = await db
    .selectFrom('images')
    .selectAll()
    .where('owner_id', '=', account.id)
    .where('sha256', '=', sha256)
    .where('expires_at', '>', now())
    .where('quarantined_at', 'is', null)
    .where('views_left', 'is', null)
    // A public one would show what was to be private.
    .where('visibility', '=', visibility)
    .orderBy('expires_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const columns = expiryColumns(now(), lifetime)
  if (!found || found.expires_at >= columns.expires_at) return found
  const extended = await db
    .updateTable('images')
    .set(columns)
    .where('id', '=', found.id)
    .where('expires_at', '>', now())
    .where('expires_at', '<', columns.expires_at)
    .returningAll()
    .executeTakeFirst()
  // Another request has deleted it meanwhile, or kept it for longer.
  const live = db.selectFrom('images').selectAll().where('id', '=', found.id).where('expires_at', '>', now())
  return extended ?? live.executeTakeFirst()
}
