// What a viewer may have of an image.

/** How an image is viewed by a key that names a link or a membership. Such a response is asked for anew each time. */
interface NamedAccess {
  /** null: a member's. */
  linkId: string | null
  /** Whether the file is given as it was uploaded. */
  hasOriginal: boolean
  /** Whether the largest variant is given in its place. */
  canDownload: boolean
  /** Pixels of the longest side; null: any. */
  maxSizePx: number | null
  /** Drawn over variants; empty: nothing. */
  watermark: string
}

export interface Access {
  /** null: everything that the image has. */
  named: NamedAccess | null
}
