// When images expire, by the role of who uploads them: the settings USER_EXPIRY, ADMIN_EXPIRY, MAY_KEEP and those of guests.
import { dayMs, limits } from '../../../../contract/plain/limits.ts'
import type { Config, ExpiryPolicy } from '../../../config.ts'
import { keptExpiry } from '../../../db/never-expires.ts'
import type { ImagesTable } from '../../../db/schema.ts'
import type { Caller } from '../../shared/caller.ts'
import { Failure } from '../../shared/failure.ts'

export type UploaderRole = 'guest' | 'user' | 'admin'

export const roleOf = (caller: Caller): UploaderRole => (caller.kind === 'guest' ? 'guest' : caller.account.role)

export function expiryPolicyOf(config: Config, role: UploaderRole): ExpiryPolicy {
  if (role === 'guest') return { after: 'upload', days: config.GUEST_RETENTION_DAYS }
  const ofUsers = config.USER_EXPIRY ?? { after: 'upload', days: config.USER_RETENTION_DAYS }
  return role === 'user' ? ofUsers : (config.ADMIN_EXPIRY ?? ofUsers)
}

/** Whether images of this role may be without an expiry. */
export function mayKeep(config: Config, role: UploaderRole): boolean {
  if (role === 'guest') return false
  const isAllowed = config.MAY_KEEP === 'users' || (config.MAY_KEEP === 'admins' && role === 'admin')
  return isAllowed || expiryPolicyOf(config, role).after === 'never'
}

/** Of a new image. */
export interface Lifetime {
  /** null: it never expires. */
  ms: number | null
  afterViewDays: number | null
}

/** As `expires_in` says, at most what the role has. @throws {Failure} invalid_input: longer; keep_not_allowed */
export function lifetimeOf(config: Config, role: UploaderRole, wanted: number | 'never' | undefined): Lifetime {
  const policy = expiryPolicyOf(config, role)
  if (wanted === undefined)
    return policy.after === 'never'
      ? { ms: null, afterViewDays: null }
      : { ms: policy.days * dayMs, afterViewDays: policy.after === 'view' ? policy.days : null }
  if (wanted === 'never') {
    if (!mayKeep(config, role)) throw new Failure('keep_not_allowed')
    return { ms: null, afterViewDays: null }
  }
  const maxDays = longestDays(config, role)
  if (wanted > maxDays * dayMs)
    throw new Failure('invalid_input', { field: 'expires_in', problem: `must be at most ${maxDays}d` })
  return { ms: wanted, afterViewDays: null }
}

/** The columns of an image whose lifetime begins at `from`. */
export const expiryColumns = (
  from: number,
  { ms, afterViewDays }: Lifetime,
): Pick<ImagesTable, 'expires_at' | 'expires_after_view_days'> => ({
  expires_at: ms === null ? keptExpiry : from + ms,
  expires_after_view_days: afterViewDays,
})

/** Of a new image that expires. */
function longestDays(config: Config, role: UploaderRole): number {
  const policy = expiryPolicyOf(config, role)
  return mayKeep(config, role) || policy.after === 'never' ? limits.upload.maxRetentionDays : policy.days
}

export const latestExpiryOfUpload = (config: Config, role: UploaderRole, now: number) =>
  now + longestDays(config, role) * dayMs

/** The latest that may be chosen for a stored image. An extension gives a year, whatever the policy. */
export const latestExpiry = (config: Config, role: UploaderRole, now: number) =>
  now + Math.max(longestDays(config, role), limits.extensionDays) * dayMs
