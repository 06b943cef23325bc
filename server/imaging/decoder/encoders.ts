// How each output format is written. Efforts are measured: more of it took longer than it saved; none writes metadata.

import type { Sharp } from 'sharp'

/** Effort 2 gives 97 % of effort 4's saving in half its time. */
const webpEffort = 2

export type OutputFormat = 'webp' | 'jpeg' | 'png' | 'gif'

/** Of frames that come without it: milliseconds of each, and how often they are shown, 0 for without end. */
export interface Timing {
  delay?: number[]
  loop?: number
}

/** Encoders by format; quality is 1 to 100, which PNG and GIF have no use for. */
export const encoders: Record<OutputFormat, (picture: Sharp, quality: number, timing?: Timing) => Sharp> = {
  webp: (picture, quality, timing) => picture.webp({ quality, effort: webpEffort, smartSubsample: false, ...timing }),
  jpeg: (picture, quality) => picture.jpeg({ quality, chromaSubsampling: '4:2:0', mozjpeg: false }),
  // `palette: true` would be lossy (it quantises); level 6 is zlib's own balance.
  png: (picture) => picture.png({ compressionLevel: 6, palette: false }),
  gif: (picture, _quality, timing) => picture.gif({ effort: 3, ...timing }),
}
