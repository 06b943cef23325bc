// Extends an image: a year from now, for guests within a bound.
import type { ExpressionBuilder } from 'kysely'
import { dayMs, limits } from '../../../../contract/plain/limits.ts'
import { expiryText } from '../../../db/never-expires.ts'
import type { ImagesTable, Schema } from '../../../db/schema.ts'
import { actsAsAdmin, type Caller } from '../../shared/caller.ts'
import type { Deps } from '../../shared/deps.ts'
import { findManaged, type OwnerRequest, changeLiveImage } from '../managed-image.ts'

/**
 * Sets the expiry to one year from now, for guests within GUEST_MAX_DAYS of the upload. Never
 * shortens it.
 * @throws {Failure} like {@link findManaged}
 */
export async function extendImage(deps: Deps, request: OwnerRequest) {
  const row = await findManaged(deps, request)
  const wanted = extendedExpiry(deps, request.caller, row)
  // Compared in the update: another request may have changed the row since it was read.
  const later = (image: ExpressionBuilder<Schema, 'images'>) =>
    image.case().when('expires_at', '>', wanted).then(image.ref('expires_at')).else(wanted).end()
  const extended = await deps.db
    .transaction()
    .execute((db) => changeLiveImage({ ...deps, db }, request, row, { expires_at: later }))
  return { success: true as const, id: row.id, expires_at: expiryText(extended.expires_at) }
}

/** Guests are anonymous: without a bound anyone could extend images of theirs forever. */
export function extendedExpiry(
  { config, now }: Pick<Deps, 'config' | 'now'>,
  caller: Caller,
  row: Pick<ImagesTable, 'owner_id' | 'created_at'>,
): number {
  const wanted = now() + limits.extensionDays * dayMs
  const isBounded = row.owner_id === null && config.GUEST_MAX_DAYS > 0 && !actsAsAdmin(caller)
  return isBounded ? Math.min(wanted, row.created_at + config.GUEST_MAX_DAYS * dayMs) : wanted
}
