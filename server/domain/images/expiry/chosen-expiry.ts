// What expiry may be chosen for an image that is stored.
import { dayMs, limits } from '../../../../contract/plain/limits.ts'
import { keptExpiry } from '../../../db/kept-expiry.ts'
import type { ImagesTable } from '../../../db/schema.ts'
import { actsAsAdmin, type Caller } from '../../shared/caller.ts'
import type { Deps } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'
import { latestExpiry, mayKeep, roleOf } from './expiry-policy.ts'

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
  const { config } = deps
  const role = row.owner_id === null ? 'guest' : roleOf(caller)
  if (wanted === null) {
    if (!mayKeep(config, role)) throw new Failure('keep_not_allowed')
    return { expires_at: keptExpiry }
  }
  const now = deps.now()
  const latest = row.owner_id === null ? extendedExpiry(deps, caller, row) : latestExpiry(config, role, now)
  assertWithin(wanted, now, latest)
  // Of a kept image that gets a date back, views count as before.
  return { expires_at: wanted, ...(row.expires_at !== keptExpiry && { expires_after_view_days: null }) }
}

/** @throws {Failure} invalid_input: expires_at */
export function assertWithin(wanted: number, now: number, latest: number): void {
  if (wanted > now && wanted <= latest) return
  const problem = wanted <= now ? 'must be in the future' : `must be ${new Date(latest).toISOString()} or earlier`
  throw new Failure('invalid_input', { field: 'expires_at', problem })
}
