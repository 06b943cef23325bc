// What expiry may be chosen for an image that is stored.
import { keptExpiry } from '../../../db/never-expires.ts'
import type { ImagesTable } from '../../../db/schema.ts'
import type { Caller } from '../../shared/caller.ts'
import type { Deps } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'
import { latestExpiry, mayKeep, roleOf, type UploaderRole } from './expiry-by-role.ts'
import { extendedExpiry } from './extend-image.ts'

type ExpiryDeps = Pick<Deps, 'config' | 'now'>

/**
 * The columns of an image with this expiry: at most what an extension or the policy of the caller's role gives. Guests'
 * images are never kept.
 * @param wanted UTC milliseconds; null: never
 * @throws {Failure} keep_not_allowed; invalid_input: expires_at
 */
export function chosenColumns(
  deps: ExpiryDeps,
  caller: Caller,
  row: Pick<ImagesTable, 'owner_id' | 'created_at' | 'expires_at'>,
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
