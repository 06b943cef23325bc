import type { Image } from '../../../contract/images.ts'

export interface Row {
  /** As it was when it was listed: its old date keeps it in its place. */
  image: Image
  phase: 'idle' | 'busy' | 'done' | 'leaving'
  extendedTo?: string
}

/** How long a row takes to close. notifications.css says the same. */
export const leavingMs = 240

/** @param held rows that something happens to, whether or not they are still among the images */
export function mergeRows(images: readonly Image[], held: ReadonlyMap<string, Row>): Row[] {
  const idle = images.filter(({ id }) => !held.has(id)).map((image): Row => ({ image, phase: 'idle' }))
  return [...idle, ...held.values()].toSorted((a, b) => expiryOf(a) - expiryOf(b))
}

const expiryOf = ({ image }: Row) => Date.parse(image.expires_at)
