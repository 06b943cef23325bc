// Ingests an SVG: sanitized, rendered once, with raster and thumbnail. Runs in the decoder process for SVGs.

import { readFile, writeFile } from 'node:fs/promises'
import type { IngestResult, IngestSvgJob } from '../../protocol.ts'
import { averageColour } from '../average-colour.ts'
import { blurOf } from '../blur.ts'
import { perceptualHash } from '../perceptual-hash.ts'
import { writeThumbnails } from '../thumbnails.ts'
import { verifyEmbedded } from './embedded.ts'
import { draw, encodeRaster } from './rasterize.ts'
import { sanitizeSvg } from './sanitize.ts'
import { writeSvg } from './write.ts'

export async function ingestSvg(job: IngestSvgJob): Promise<IngestResult> {
  const { svg: sanitized, widthPx, heightPx, root } = sanitizeSvg(await readFile(job.sourcePath))
  const svg = (await verifyEmbedded(root)) ? writeSvg(root) : sanitized
  // Written before rendering, so that the pool can distinguish a slow parse from a slow rendering when it kills this process.
  await writeFile(job.originalPath, svg)
  const raster = await draw(svg, { widthPx, heightPx }, job.scale)
  await writeFile(job.intermediatePath, await encodeRaster(raster))
  const thumbnail = await writeThumbnails(raster, job)
  return {
    format: 'svg',
    widthPx,
    heightPx,
    frames: 1,
    hasAlpha: true,
    placeholder: averageColour(thumbnail),
    blur: await blurOf(thumbnail),
    ...(await perceptualHash(thumbnail)),
    intermediate: { format: 'png' },
  }
}
