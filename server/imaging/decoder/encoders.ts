// Encoders of the output formats, without metadata. More effort took longer than it saved (measured).

import type { Sharp } from 'sharp'
import type { OutputFormat } from '../../../contract/plain/formats.ts'

/** Effort 2 gives 97 % of effort 4's saving in half its time. */
const webpEffort = 2

/** For raw frames: the duration of each in milliseconds, and the number of repetitions, 0 for endless. */
export interface Timing {
  delay?: number[]
  loop?: number
}

/**
 * At 3/4 of the quality AVIF looks like JPEG and WebP, with a tenth fewer bytes than WebP. Effort 1
 * takes 2.8 times as long for 3 % fewer bytes, effort 4 38 times for 19 % (docs/performance.md).
 */
const avif = { qualityShare: 0.75, effort: 0, chromaSubsampling: '4:2:0' } as const

/** Quality is 1 to 100, on the scale of JPEG and WebP; PNG and GIF ignore it. */
export const encoders: Record<OutputFormat, (image: Sharp, quality: number, timing?: Timing) => Sharp> = {
  webp: (image, quality, timing) => image.webp({ quality, effort: webpEffort, smartSubsample: false, ...timing }),
  jpeg: (image, quality) => image.jpeg({ quality, chromaSubsampling: '4:2:0', mozjpeg: false }),
  // `palette: true` would be lossy (it quantises); level 6 is zlib's own balance.
  png: (image) => image.png({ compressionLevel: 6, palette: false }),
  avif: (image, quality) => {
    const { qualityShare, ...options } = avif
    return image.avif({ quality: Math.max(1, Math.round(quality * qualityShare)), ...options })
  },
  gif: (image, _quality, timing) => image.gif({ effort: 3, ...timing }),
}
