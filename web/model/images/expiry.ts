// When images of the user expire: on a date, or never.
import type { Image } from '../../../contract/endpoints/images.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { client } from '../http.ts'
import { removeExpiring } from './expiring-images.ts'
import { updateImage } from './gallery.ts'
import { inTurn, partsOf } from './change-images.ts'
import { imageList, tellTabs } from './other-tabs.ts'

export const isKept = ({ expires_at: at }: Pick<Image, 'expires_at'>) => at === null

/**
 * @param expiresAt ISO 8601; null: never
 * @returns those that were changed, with the expiry that they had
 */
export async function setExpiry(images: readonly Image[], expiresAt: string | null): Promise<Image[]> {
  const changed = new Set<string>()
  for (const part of inTurn(partsOf(images, limits.maxExpiryImages))) {
    const body = { ids: part.map(({ id }) => id), expires_at: expiresAt }
    for (const image of (await client.setExpiry({ body })).images) {
      updateImage(image.id, image)
      changed.add(image.id)
    }
  }
  if (changed.size > 0) {
    removeExpiring(changed)
    tellTabs(imageList)
  }
  return images.filter(({ id }) => changed.has(id))
}
