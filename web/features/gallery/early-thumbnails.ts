// Requests the thumbnails of the first tiles while the page's scripts load.
import { withKey } from '../../../contract/derive/client.ts'
import type { Image as StoredImage } from '../../../contract/endpoints/images.ts'
import { pageLimits } from '../../../contract/plain/page-limits.ts'
import { readGalleryPrefs, suggestedRowHeight } from '../../model/stored-gallery-prefs.ts'
import { thumbnailWidthPx } from './thumbnail-width.ts'

/** As many as a laptop's window shows. */
const firstTiles = 12
/** Rows of tiles are up to this much higher than the window suggests. */
const maxRowStretch = 1.2
/** Only while it is referenced is an image at hand for another element at once. */
const keptMs = 10_000

/** @param response a page of images; it can still be read afterwards */
export async function requestThumbnails(response: Response | undefined): Promise<void> {
  const { view, rowHeight } = readGalleryPrefs()
  if (response?.ok !== true || view === 'list') return
  const heightPx = (rowHeight ?? suggestedRowHeight(innerWidth)) * devicePixelRatio * maxRowStretch
  const images = (await response.clone().json()) as StoredImage[]
  const requested: HTMLImageElement[] = []
  setTimeout(() => requested.splice(0), keptMs)
  for (const image of images.slice(0, firstTiles)) {
    const width = thumbnailWidthPx(image, (heightPx * image.width) / image.height, heightPx)
    // The page loads other variants by other addresses, and an image with limited views with the token.
    const isThumbnail = width === pageLimits.thumbnailPx && typeof image.views_left !== 'number'
    // What the visitor sees first: before scripts of later use.
    if (isThumbnail)
      requested.push(
        Object.assign(new Image(), { fetchPriority: 'high', src: withKey(image.thumbnailUrl, image.view_key) }),
      )
  }
}
