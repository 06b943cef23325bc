// What expiry may be chosen for an image that is stored.
import { dayMs, limits } from '../../../../contract/plain/limits.ts'
import { keptExpiry } from '../../../db/kept-expiry.ts'
import type { ImagesTable } from '../../../db/schema.ts'
import { actsAsAdmin, type Caller } from '../../shared/caller.ts'
import type { Deps } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'
import { latestExpiry, mayKeep, roleOf, type UploaderRole } from './expiry-policy.ts'

type Owned = Pick<ImagesTable, 'owner_id' | 'created_at'>
type ExpiryDeps = Pick<Deps, 'config' | 'now'>

/** Guests are anonymous: without a bound anyone could extend images of theirs forever. */
export function extendedExpiry({ config, now }: ExpiryDeps, caller: Caller, row: Owned): number {
  const wanted = now() + limits.extensionDays * dayMs
  const isBounded = row.owner_id === null && config.GUEST_MAX_DAYS > 0 && !actsAsAdmin(caller)
  return isBounded ? Math.min(wanted, row.created_at + config.GUEST_MAX_DAYS * dayMs) : wanted
}

/**
 * The columns of an image with this expiry: at most what an extension or the policy of the caller's role gives. Guests'
 * images are never kept.
 * @param wanted UTC milliseconds; null: never
 * @throws {Failure} keep_not_allowed; invalid_input: expires_at
 */
export function chosenColumns(
  deps: ExpiryDeps,
  caller: Caller,
  row: Owned & Pick<ImagesTable, 'expires_at'>,
  wanted: number | null,
): Partial<Pick<ImagesTable, 'expires_at' | 'expires_after_view_days'>> {
  const isGuests = row.owner_id === null
  const latest = isGuests ? extendedExpiry(deps, caller, row) : undefined
  const expires_at = chosenExpiry(deps, isGuests ? 'guest' : roleOf(caller), wanted, latest)
  // Of a kept image that gets a date back, views count as before.
  const isMoved = wanted !== null && row.expires_at !== keptExpiry
  return { expires_at, ...(isMoved && { expires_after_view_days: null }) }
}

/** @returns the expiry as it is stored. @throws {Failure} keep_not_allowed; invalid_input: expires_at */
export function chosenExpiry(
  { config, now }: ExpiryDeps,
  role: UploaderRole,
  wanted: number | null,
  latest: number = latestExpiry(config, role, now()),
): number {
  if (wanted === null) {
    if (!mayKeep(config, role)) throw new Failure('keep_not_allowed')
    return keptExpiry
  }
  const isPast = wanted <= now()
  if (!isPast && wanted <= latest) return wanted
  const problem = isPast ? 'must be in the future' : `must be ${new Date(latest).toISOString()} or earlier`
  throw new Failure('invalid_input', { field: 'expires_at', problem })
}
