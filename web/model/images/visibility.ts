// Who may view an image of the user: everyone with its address, or only who has a key.
import type { Image } from '../../../contract/endpoints/images.ts'
import { limits } from '../../../contract/plain/limits.ts'
import type { Visibility } from '../../../contract/plain/visibility.ts'
import { client } from '../http.ts'
import { setUser } from '../session.ts'
import { updateImage } from './gallery.ts'
import { inTurn, partsOf } from './change-images.ts'
import { imageList, tellTabs } from './other-tabs.ts'

/** Missing in an image that only this browser knows, which is a guest's. */
export const isPrivate = ({ visibility }: Partial<Pick<Image, 'visibility'>>): boolean => visibility === 'private'

/** @returns those that were changed: others had that visibility, or are gone */
export async function setVisibility(images: readonly Pick<Image, 'id'>[], visibility: Visibility): Promise<Image[]> {
  const changed: Image[] = []
  for (const part of inTurn(partsOf(images, limits.list.maxLimit))) {
    const body = { ids: part.map(({ id }) => id), visibility }
    for (const image of (await client.setVisibility({ body })).images) {
      updateImage(image.id, image)
      changed.push(image)
    }
  }
  if (changed.length > 0) tellTabs(imageList)
  return changed
}

/** A link to the share page of a private image that works for others too, for some days. */
export const createPrivateLink = ({ id }: Pick<Image, 'id'>, days: number) =>
  client.createViewKey({ params: { id }, body: { expires_in: `${days}d` } })

/** Ends every link to a private image. */
export async function endPrivateLinks({ id }: Pick<Image, 'id'>): Promise<Image> {
  const image = await client.endViewKeys({ params: { id }, body: {} })
  updateImage(id, image)
  tellTabs(imageList)
  return image
}

export async function setUploadVisibility(uploadVisibility: Visibility): Promise<void> {
  setUser((await client.updateMe({ body: { uploadVisibility } })).user)
}
