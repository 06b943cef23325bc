// An SVG drawn: the picture that stands for it wherever pixels are wanted. Runs in the process for SVGs.

import { readFile, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { limits } from '../../../../contract/limits.ts'
import { encoders } from '../encoders.ts'
import { fittedSize, type Size } from '../../fit.ts'
import type { Pixels } from '../pixels.ts'
import { ImageRefused } from '../../refusal.ts'

const { rasterPx } = limits.image

export interface RasterizeJob extends Size {
  /** Written by sanitizeSvg; its size is the job's. */
  sourcePath: string
  outPath: string
  scale: Scale
}

/** Of the raster: half for drawings that take too long or too much memory in full. */
export type Scale = 1 | 0.5

/** Makes the raster anew, as ingestSvg made it. */
export async function rasterize({ sourcePath, outPath, scale, ...size }: RasterizeJob): Promise<null> {
  await writeFile(outPath, await encodeRaster(await draw(await readFile(sourcePath), size, scale)))
  return null
}

/** With an alpha channel, in sRGB, never larger than the SVG's own size. What comes out of sanitizeSvg only. */
export async function draw(svg: Buffer, own: Size, scale: Scale): Promise<Pixels> {
  const sidePx = Math.min(rasterPx, Math.max(own.widthPx, own.heightPx)) * scale
  const { widthPx, heightPx } = fittedSize(own, { widthPx: sidePx, heightPx: sidePx }, 'inside')
  try {
    // The resize is done by drawing smaller, not by shrinking pixels.
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

export const encodeRaster = ({ data, widthPx, heightPx, channels }: Pixels): Promise<Buffer> =>
  encoders.png(sharp(data, { raw: { width: widthPx, height: heightPx, channels } }), 100).toBuffer()
