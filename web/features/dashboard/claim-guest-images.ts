// Moves images that were uploaded in this browser without an account into one.
import { albumsToClaim, forgetGuestAlbums } from '../../model/images/guest-albums.ts'
import { removeGuestImages } from '../../model/images/guest-images.ts'
import { loadGallery } from '../../model/images/gallery.ts'
import { imageList, tellTabs } from '../../model/images/other-tabs.ts'
import { refreshUser } from '../../model/session.ts'
import { readStored, writeStored } from '../../model/browser-storage.ts'
import type { ShownImage } from '../../model/images/stored-image.ts'

/** The offer is made once for each account in a browser, and again for what is uploaded without it later. */
const claimOfferedKey = (userId: string) => `claim_asked_${userId}`
export const readClaimOffered = (userId: string) => readStored(claimOfferedKey(userId))
/** @param newest the creation of the newest image of the offer: by the server's clock, as of all images */
export const writeClaimOffered = (userId: string, newest: string) => writeStored(claimOfferedKey(userId), newest)

/**
 * @returns how many images moved; those that are deleted, or whose token is lost, stay where they
 * are
 */
export async function claimImages(images: readonly ShownImage[]): Promise<number> {
  const { client } = await import('../../model/http.ts')
  const albums = albumsToClaim(new Set(images.map(({ id }) => id)))
  let [moved, bytes] = [0, 0]
  try {
    for (let at = 0; at < images.length; at += batchSize) {
      const batch = images.slice(at, at + batchSize).map(({ id, delete_token }) => ({ id, token: delete_token ?? '' }))
      // With the last images: of an album that comes, images that are not of the account leave it.
      const isLast = at + batchSize >= images.length && albums.length > 0 && albums.length <= maxAlbums
      const response = await client.claimImages({ body: { images: batch, ...(isLast && { albums }) } })
      if (isLast) forgetGuestAlbums(albums.map(({ id }) => id))
      removeGuestImages(new Set(response.images.map(({ id }) => id)))
      moved += response.images.length
      bytes += response.images.reduce((sum, { size }) => sum + size, 0)
    }
  } finally {
    // Also after a failure: the images that moved appear.
    if (moved > 0) {
      tellTabs(imageList, { images: moved, bytes })
      await Promise.all([loadGallery(), refreshUser()])
    }
  }
  return moved
}

const batchSize = 100
const maxAlbums = 200
