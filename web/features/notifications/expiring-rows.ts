import type { Image } from '../../../contract/endpoints/images.ts'
import { expiryMs } from '../../format/expiry-texts.ts'

export interface ExpiringImage {
  /** As listed: the old date decides its position. */
  image: Image
  phase: 'idle' | 'busy' | 'done' | 'leaving'
  extendedTo?: string | undefined
}

/** How long a row takes to close; notifications.css has the same number. */
export const rowCloseMs = 240

/**
 * Sorts by expiry. Of those that expire together, one that is held keeps its place too: a row that moves loses the focus.
 * @param held rows that are not idle, whether or not they are still among the images
 */
export function mergeRows(images: readonly Image[], held: ReadonlyMap<string, ExpiringImage>): ExpiringImage[] {
  const idle = images.filter(({ id }) => !held.has(id)).map((image): ExpiringImage => ({ image, phase: 'idle' }))
  return [...idle, ...held.values()].toSorted((a, b) => expiryOf(a) - expiryOf(b) || (a.image.id < b.image.id ? -1 : 1))
}

const expiryOf = ({ image }: ExpiringImage) => expiryMs(image.expires_at)
