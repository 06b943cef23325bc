// The tiny copy of an image that pages show enlarged, and thereby blurred, until the image has loaded.

import { encoders } from './encoders.ts'
import { fromPixels, type Pixels, shrinkPixels } from './pixels.ts'

const sidePx = 16
const quality = 20

/** Returns a WebP in base64, some 100 characters. */
export async function blurOf(thumbnail: Pixels): Promise<string> {
  const tiny = await shrinkPixels(thumbnail, sidePx)
  return (await encoders.webp(fromPixels(tiny), quality).toBuffer()).toString('base64')
}
