// Requests the thumbnails of the first tiles while the page's scripts load.
import { withKey } from '../../../contract/derive/client.ts'
import type { Image as StoredImage } from '../../../contract/endpoints/images.ts'
import type { ModeratedImage } from '../../../contract/endpoints/moderation.ts'
import { thumbnailLimits } from '../../../contract/plain/first-script-limits.ts'
import { readGalleryPrefs, suggestedRowHeight } from '../../model/stored-gallery-prefs.ts'
import { thumbnailWidthPx } from './thumbnail-width.ts'

/** As many as a laptop's window shows. */
const firstTiles = 12
/** Rows of tiles are up to this much higher than the window suggests. */
const maxRowStretch = 1.2
/** Only while it is referenced is an image at hand for another element at once. */
const keptMs = 10_000

type Listed = Pick<StoredImage, 'thumbnailUrl' | 'view_key' | 'views_left'>

/** Requests the first thumbnails of the gallery. @param response a page of images; it can still be read afterwards */
export async function requestThumbnails(response: Response | undefined): Promise<void> {
  const { view, rowHeight } = readGalleryPrefs()
  if (response?.ok !== true || view === 'list') return
  const heightPx = (rowHeight ?? suggestedRowHeight(innerWidth)) * devicePixelRatio * maxRowStretch
  const images = (await response.clone().json()) as StoredImage[]
  // The page loads other variants by other addresses.
  const isThumbnail = (image: StoredImage) =>
    thumbnailWidthPx(image, (heightPx * image.width) / image.height, heightPx) === thumbnailLimits.thumbnailPx
  request(images.slice(0, firstTiles).filter(isThumbnail))
}

/** The same of everyone's images, for an admin; as {@link requestThumbnails}. */
export async function requestModerated(response: Response | undefined): Promise<void> {
  if (response?.ok !== true) return
  const images = (await response.clone().json()) as ModeratedImage[]
  // The server refuses those of the others.
  const isServed = ({ quarantined_at, owner }: ModeratedImage) =>
    quarantined_at === null && owner?.status !== 'Inactive'
  request(images.slice(0, firstTiles).filter(isServed))
}

/** With high priority: the visitor sees them first. */
function request(images: readonly Listed[]): void {
  const requested = images
    // The page loads an image with limited views with the token.
    .filter(({ views_left: left }) => typeof left !== 'number')
    .map(({ thumbnailUrl, view_key: key }) =>
      Object.assign(new Image(), { fetchPriority: 'high', src: withKey(thumbnailUrl, key) }),
    )
  setTimeout(() => requested.splice(0), keptMs)
}
