import { limits } from '../../../contract/limits.ts'
import { mimesFor } from './formats.ts'

/** What an upload may be, as programs ask for it. */
export const getLimits = async () => ({
  guest: { ...limits.guest, types: mimesFor('guest') },
  user: { ...limits.user, types: mimesFor('user') },
  image: limits.image,
  variant: limits.variant,
})
