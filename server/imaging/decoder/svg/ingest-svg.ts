// Ingests an SVG: sanitized, rendered once, with raster and thumbnail. Runs in the decoder process for SVGs.

import { readFile, writeFile } from 'node:fs/promises'
import { limits } from '../../../../contract/limits.ts'
import { encoders } from '../encoders.ts'
import type { IngestResult, IngestSvgJob } from '../../protocol.ts'
import { fromPixels, shrinkPixels } from '../pixels.ts'
import { averageColour } from '../average-colour.ts'
import { proveEmbedded } from './embedded.ts'
import { draw, encodeRaster } from './rasterize.ts'
import { sanitizeSvg } from './sanitize.ts'

const { thumbnailPx, defaultQuality } = limits.variant

export async function ingestSvg(job: IngestSvgJob): Promise<IngestResult> {
  const { svg, widthPx, heightPx, embedded } = sanitizeSvg(await readFile(job.sourcePath))
  await proveEmbedded(embedded)
  // Written before rendering, so that the pool can tell a slow parse from a slow rendering when it kills this process.
  await writeFile(job.originalPath, svg)
  const raster = await draw(svg, { widthPx, heightPx }, job.scale)
  const thumbnail = await shrinkPixels(raster, thumbnailPx)
  await writeFile(job.intermediatePath, await encodeRaster(raster))
  await writeFile(job.thumbnailPath, await encoders.webp(fromPixels(thumbnail), defaultQuality).toBuffer())
  return {
    format: 'svg',
    widthPx,
    heightPx,
    frames: 1,
    hasAlpha: true,
    placeholder: averageColour(thumbnail),
    intermediate: { format: 'png' },
  }
}
