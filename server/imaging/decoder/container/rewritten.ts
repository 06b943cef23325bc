// The result of scanning and rewriting a container.

export interface RewrittenImage {
  /** The new file: the unchanged pixels, and otherwise only allow-listed data. */
  bytes: Buffer
  /** As stored, before the orientation is applied; for an animation, its canvas. */
  widthPx: number
  heightPx: number
  frames: number
  /** EXIF orientation 1 to 8, as written in the new file. */
  orientation: number
  /** The pixels that a full decode processes: of every frame, scan and pass. */
  decodedPixels: number
  /**
   * Each frame of an animation as a file of its own, for readers that would decode them all at once: that of WebP
   * allocates 4 bytes per pixel of each frame before it returns the first.
   */
  framesAlone?: () => Buffer[]
  /** Lossy: a photograph, or to be treated as one. */
  isLossy: boolean
}
