// Renders an SVG to the raster that replaces it wherever pixels are needed. Runs in the decoder process for SVGs.

import { readFile, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { limits } from '../../../../contract/plain/limits.ts'
import { encoders } from '../encoders.ts'
import { fittedSize, type Size } from '../../fit.ts'
import { fromPixels, type Pixels } from '../pixels.ts'
import type { RasterizeJob, Scale } from '../../protocol.ts'
import { ImageRefused } from '../../refusal.ts'

const { rasterPx } = limits.image

/** Renders the raster again, identical to that of ingestSvg. */
export async function rasterize({ sourcePath, outPath, scale, ...size }: RasterizeJob): Promise<null> {
  await writeFile(outPath, await encodeRaster(await draw(await readFile(sourcePath), size, scale)))
  return null
}

/** With alpha channel, in sRGB, never larger than the SVG's own size. Input must come from sanitizeSvg. */
export async function draw(svg: Buffer, own: Size, scale: Scale): Promise<Pixels> {
  const sidePx = Math.min(rasterPx, Math.max(own.widthPx, own.heightPx)) * scale
  const { widthPx, heightPx } = fittedSize(own, { widthPx: sidePx, heightPx: sidePx }, 'inside')
  try {
    // The SVG is rendered at the smaller size instead of scaling pixels down.
    const { data, info } = await sharp(svg, { failOn: 'warning', limitInputPixels: limits.image.maxPixels })
      .resize(widthPx, heightPx, { fit: 'fill' })
      .ensureAlpha()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
    return { data, widthPx: info.width, heightPx: info.height, channels: info.channels }
  } catch (error) {
    throw new ImageRefused('broken', 'the SVG cannot be drawn', { cause: error })
  }
}

export const encodeRaster = (raster: Pixels): Promise<Buffer> => encoders.png(fromPixels(raster), 100).toBuffer()
