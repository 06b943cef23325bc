// Texts of the expiry notifications.
import { keptFor, type Retention } from './counts.ts'

export const notifications = {
  title: 'Expiration Alerts',
  /** "image(s)" is fixed (strings.test.ts), for any number. */
  count: (n: number) => `${n} image(s) expiring soon`,
  noneYet: 'No images expiring soon',
  noneYetText: 'Nothing to do here. Images appear when they are within 7 days of expiry.',
  failed: 'Failed to fetch expiring images',
  open: (name: string) => `View ${name}`,
  extend: 'Extend',
  extendAll: 'Extend all',
  extendNamed: (name: string) => `Extend ${name}`,
  extending: 'Extending...',
  about: 'About Image Expiration',
  facts: (kept: Retention) => [
    `Images are kept ${keptFor(kept)} by default.`,
    'Users are notified when images are within 7 days of expiry.',
    'Any image can be extended to 1 year from today.',
    'Expired images are automatically removed.',
  ],
} as const
