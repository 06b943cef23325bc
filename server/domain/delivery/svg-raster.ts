// The file from which the pixels of an image are read: its original, its intermediate, or the raster of an SVG.
import { join } from 'node:path'
import type { JobContext } from '../../imaging/pool/imaging.ts'
import type { Deps } from '../shared/deps.ts'
import { newId } from '../shared/secrets.ts'
import { cacheFile } from './cache-file.ts'
import type { ImageRow } from '../images/image-row.ts'
import { intermediateKey } from './variant-plan.ts'

/**
 * Calls `use` with the path of a file with the pixels of an image, valid until `use` resolves. For an SVG that is always its
 * raster, drawn again if it was evicted: only the SVG decoder ever reads an SVG.
 * @param mayUseIntermediate a smaller image is enough
 */
export async function withPixels<T>(
  deps: Deps,
  row: ImageRow,
  { mayUseIntermediate, context }: { mayUseIntermediate: boolean; context: JobContext },
  use: (path: string) => Promise<T>,
): Promise<T> {
  const cachedPath = mayUseIntermediate || row.format === 'svg' ? deps.variants.pathOf(row.id, intermediateKey) : null
  try {
    if (cachedPath !== null) return await use(cachedPath)
  } catch (error) {
    // Evicted since the lookup, or deleted by the operator.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    deps.variants.dropEntry(row.id, intermediateKey)
  }
  return row.format === 'svg' ? withRedrawnRaster(deps, row, context, use) : deps.blobs.withLocalFile(row.id, use)
}

async function withRedrawnRaster<T>(
  deps: Deps,
  row: ImageRow,
  context: JobContext,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const raster = acquireRaster(deps, row, context)
  try {
    return await use(await raster.path)
  } finally {
    await raster.release()
  }
}

interface SharedRaster {
  path: Promise<string>
  references: number
}

/** Rasters in use, by image: concurrent renders of the same SVG share one; the last one caches it. */
const rastersInUse = new WeakMap<Deps, Map<string, SharedRaster>>()

function acquireRaster(deps: Deps, row: ImageRow, context: JobContext) {
  const rasters = rastersInUse.get(deps) ?? new Map<string, SharedRaster>()
  rastersInUse.set(deps, rasters)
  const raster = rasters.get(row.id) ?? { path: drawRaster(deps, row, context), references: 0 }
  rasters.set(row.id, raster)
  raster.references++
  return {
    path: raster.path,
    async release() {
      if (--raster.references > 0) return
      rasters.delete(row.id)
      const path = await raster.path.catch(() => null) // thrown to each of its users
      if (path !== null) await cacheFile(deps, row, intermediateKey, path)
    },
  }
}

/** Counts for whoever asked first, but does not end when they leave: others may wait for the raster too. */
async function drawRaster(deps: Deps, row: ImageRow, context: JobContext): Promise<string> {
  const outPath = join(deps.tempDir, `raster-${newId(deps)}`)
  const size = { widthPx: row.width, heightPx: row.height }
  const own = deps.imaging.jobContext(context.caller)
  try {
    await deps.blobs.withLocalFile(row.id, (sourcePath) =>
      deps.imaging.rasterize({ ...size, sourcePath, outPath }, own),
    )
  } finally {
    context.usedMs += own.usedMs
  }
  return outPath
}
