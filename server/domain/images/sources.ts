// What the pixels of an image are read from: its original, its intermediate, or the raster of an SVG.
import { join } from 'node:path'
import type { Order } from '../../imaging/pool/imaging.ts'
import type { Deps } from '../deps.ts'
import { newId } from '../secrets.ts'
import { keep } from './keep.ts'
import type { ImageRow } from './image-row.ts'

/** Made in the decode that checks an upload; variants up to 800 pixels come from it (twice as fast, visually equal). */
export const intermediateKey = 'intermediate'

/**
 * Lends a file with the pixels of an image while `use` runs. Of an SVG that is always its raster, drawn anew if the cache has
 * lost it: no process but its own ever reads an SVG.
 * @param mayUseIntermediate where a smaller picture will do
 * @param order for whom, and until when: also of the raster
 */
export async function withPixels<T>(
  deps: Deps,
  row: ImageRow,
  { mayUseIntermediate, order }: { mayUseIntermediate: boolean; order: Order },
  use: (path: string) => Promise<T>,
): Promise<T> {
  const kept = mayUseIntermediate || row.format === 'svg' ? deps.variants.pathOf(row.id, intermediateKey) : null
  try {
    if (kept !== null) return await use(kept)
  } catch (error) {
    // Evicted since it was asked for, or emptied by the operator.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    deps.variants.forget(row.id, intermediateKey)
  }
  return row.format === 'svg' ? withRasterDrawnAnew(deps, row, order, use) : deps.blobs.withLocalFile(row.id, use)
}

async function withRasterDrawnAnew<T>(
  deps: Deps,
  row: ImageRow,
  order: Order,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const raster = lendRaster(deps, row, order)
  try {
    return await use(await raster.path)
  } finally {
    await raster.giveBack()
  }
}

interface Lent {
  path: Promise<string>
  borrowers: number
}

/** Rasters drawn anew, by image: whoever needs the same meanwhile shares it; the last one puts it into the cache. */
const lent = new WeakMap<Deps, Map<string, Lent>>()

function lendRaster(deps: Deps, row: ImageRow, order: Order) {
  const rasters = lent.get(deps) ?? new Map<string, Lent>()
  lent.set(deps, rasters)
  const raster = rasters.get(row.id) ?? { path: drawAnew(deps, row, order), borrowers: 0 }
  rasters.set(row.id, raster)
  raster.borrowers++
  return {
    path: raster.path,
    async giveBack() {
      if (--raster.borrowers > 0) return
      rasters.delete(row.id)
      const path = await raster.path.catch(() => null) // its borrowers were told
      if (path !== null) await keep(deps, row.id, intermediateKey, path)
    },
  }
}

async function drawAnew(deps: Deps, row: ImageRow, order: Order): Promise<string> {
  const outPath = join(deps.tempDir, `raster-${newId(deps)}`)
  const size = { widthPx: row.width, heightPx: row.height }
  await deps.blobs.withLocalFile(row.id, (sourcePath) =>
    deps.imaging.rasterize({ ...size, sourcePath, outPath }, order),
  )
  return outPath
}
