// The limits of uploads, from the settings.
import { mimesFor } from '../../../contract/plain/formats.ts'
import { limits } from '../../../contract/plain/limits.ts'
import type { Config, ExpiryPolicy } from '../../config.ts'
import { expiryPolicyOf, mayKeep } from '../images/expiry/expiry-by-role.ts'
import type { Deps } from '../shared/deps.ts'

export interface UploadLimits {
  maxBytes: number
  /** null: images do not expire. */
  retentionDays: number | null
}

export const uploadLimitsOf = (config: Config, role: 'guest' | 'user'): UploadLimits =>
  role === 'guest'
    ? { maxBytes: config.GUEST_MAX_BYTES, retentionDays: config.GUEST_RETENTION_DAYS }
    : { maxBytes: config.USER_MAX_BYTES, retentionDays: daysOf(expiryPolicyOf(config, 'user')) }

const daysOf = (policy: ExpiryPolicy) => (policy.after === 'never' ? null : policy.days)

/** Limits of uploads and variants, as the API publishes them. */
export const getLimits = async ({ config }: Pick<Deps, 'config'>) => ({
  guest: { ...published(config, 'guest'), keptDays: config.GUEST_RETENTION_DAYS, maxDays: config.GUEST_MAX_DAYS },
  user: {
    ...published(config, 'user'),
    keptAfter: expiryPolicyOf(config, 'user').after,
    mayKeep: mayKeep(config, 'user'),
    quotaBytes: config.USER_QUOTA_BYTES,
    quotaImages: config.USER_QUOTA_IMAGES,
    uploadsPerHour: config.USER_UPLOADS_PER_HOUR,
    trashDays: config.TRASH_DAYS,
  },
  image: limits.image,
  variant: limits.variant,
})

const published = (config: Config, role: 'guest' | 'user') => {
  const { maxBytes, retentionDays } = uploadLimitsOf(config, role)
  return { maxBytes, keptDays: retentionDays, types: mimesFor(role) }
}
