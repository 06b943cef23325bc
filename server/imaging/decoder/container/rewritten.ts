// What every container's scan-and-rewrite answers.

export interface Rewritten {
  /** The file anew: every pixel as it was, and beside them only what is on a list. */
  bytes: Buffer
  /** As stored, before the orientation is applied; of an animation, its canvas. */
  widthPx: number
  heightPx: number
  frames: number
  /** EXIF orientation 1 to 8, as the rewritten file says it. */
  orientation: number
  /** The pixels that a decoder goes over until it has seen all there is: of every frame, scan and pass. */
  decodedPixels: number
  /**
   * Each frame of an animation as a file of its own, where the reader of the animation would unpack them all at once: that of
   * WebP fills 4 bytes for each pixel of each frame before it gives the first.
   */
  framesAlone?: () => Buffer[]
  /** Coded with loss, so a photograph or meant to be treated as one. */
  isLossy: boolean
}
