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
   * The file without what hides inside of its compressed data, or undefined if nothing does. Costs an inflation or
   * a walk over all codes, which is why it is asked for beside the decoding: `signal` says that nobody needs it any more.
   */
  withoutHidden?: (signal?: AbortSignal) => Promise<Rewritten | undefined>
  /** The same without waiting, for small pictures that no decoder is going to prove: it refuses what is not there to its end. */
  withoutHiddenNow?: () => Rewritten | undefined
  /**
   * Each frame of an animation as a file of its own, where the reader of the animation would unpack them all at once: that of
   * WebP fills 4 bytes for each pixel of each frame before it gives the first.
   */
  framesAlone?: () => Buffer[]
  /** Coded with loss, so a photograph or meant to be treated as one. */
  isLossy: boolean
}
