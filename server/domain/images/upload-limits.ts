import { limits } from '../../../contract/limits.ts'
import { mimesFor } from './formats.ts'

/** Limits of uploads and variants, as the API publishes them. */
export const getLimits = async () => ({
  guest: uploadLimitsOf('guest'),
  user: uploadLimitsOf('user'),
  image: limits.image,
  variant: limits.variant,
})

const uploadLimitsOf = (role: 'guest' | 'user') => {
  const { maxBytes, retentionDays } = limits[role]
  return { maxBytes, keptDays: retentionDays, types: mimesFor(role) }
}
