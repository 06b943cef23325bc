import type { UploadedImage } from '../../../../contract/endpoints/images.ts'

/** What was uploaded, for the page that shows it. */
export interface ShownUploads {
  images: readonly UploadedImage[]
  /** Empties the zone. */
  onAgain: () => void
  /** An object URL of the file of a single image; the zone's list shows several. */
  preview?: string
  /** For the row of an image in that list. */
  isRow?: boolean
}
