// The raster of an SVG, from which its variants are rendered. It is the image's intermediate.
import { join } from 'node:path'
import type { LocalFile } from '../../blobs/blob-store.ts'
import { SharedFiles } from '../../blobs/shared-files.ts'
import type { JobContext } from '../../imaging/pool/imaging.ts'
import type { Deps } from '../shared/deps.ts'
import { newId } from '../shared/secrets.ts'
import { putInVariantCache } from './put-in-variant-cache.ts'
import type { ImageRow } from '../images/image-row.ts'
import { intermediateKey } from './variant-plan.ts'

const rastersOf = new WeakMap<Deps, SharedFiles>()

/** Draws a raster that was evicted. Concurrent renders of the same SVG share one; the last one caches it. */
export function redrawRaster(deps: Deps, row: ImageRow, context: JobContext): Promise<LocalFile> {
  const rasters = rastersOf.get(deps) ?? new SharedFiles()
  rastersOf.set(deps, rasters)
  return rasters.open(
    row.id,
    () => drawRaster(deps, row, context),
    (path) => putInVariantCache(deps, row, intermediateKey, path),
  )
}

/** Counts for whoever asked first, but does not end when they leave: others may wait for the raster too. */
async function drawRaster(deps: Deps, row: ImageRow, context: JobContext): Promise<string> {
  const outPath = join(deps.tempDir, `raster-${newId(deps)}`)
  const size = { widthPx: row.width, heightPx: row.height }
  const own = deps.imaging.jobContext(context.caller)
  try {
    await using original = await deps.blobs.openLocalFile(row.id)
    await deps.imaging.rasterize({ ...size, sourcePath: original.path, outPath }, own)
  } finally {
    context.usedMs += own.usedMs
  }
  return outPath
}
