// Renders a file of an image once for all who wait for it, and caches it. A render that has not begun ends when all have gone.
import { join } from 'node:path'
import { BlobMissing, type LocalFile } from '../../blobs/blob-store.ts'
import { type CachedFile, cachedFileOf } from '../../blobs/cached-file.ts'
import { readWhole } from '../../blobs/read-file.ts'
import { lastingFile } from '../../blobs/shared-files.ts'
import type { JobContext } from '../../imaging/pool/imaging.ts'
import { findUnexpiredImage } from '../images/find-image.ts'
import type { ImageRow } from '../images/image-row.ts'
import { everyone } from '../images/may-view.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { retryWhenDiskFull } from '../shared/retry-when-disk-full.ts'
import { newId } from '../shared/secrets.ts'
import { asFailure } from './imaging-failure.ts'
import { putInVariantCache, removeTemporary } from './put-in-variant-cache.ts'
import { redrawRaster } from './svg-raster.ts'
import { intermediateKey } from './variant-plan.ts'

/** Who waits for a file. */
export interface Visitor {
  /** Renders count towards the budget of an address; lookups do not. */
  address: string
  /** Aborted when the visitor goes away. Without it somebody waits until the end. */
  gone?: (() => AbortSignal) | undefined
  /** The render counts towards no budget (RENDER_LIMIT): of the few variants that the page's own lists request, and in the background. */
  isUnlimited?: boolean
}

interface RenderRequest {
  /** The name of the file in the cache. */
  key: string
  visitor: Visitor
  /** Whether a smaller image is enough. */
  mayUseIntermediate: boolean
  render: (paths: { sourcePath: string; outPath: string }, context: JobContext) => Promise<unknown>
}

/** A render in progress, and how many visitors wait for it. */
interface Flight {
  file: Promise<CachedFile>
  context: JobContext
  visitors: number
  abandon: AbortController
}

/** All visitors who waited for a render have gone before it started. */
class Abandoned extends Error {
  override name = 'Abandoned'
}

const flightsOf = new WeakMap<Deps, Map<string, Flight>>()

/**
 * Waits while others are before this visitor, rather than showing a broken image.
 * @throws {Failure} too_many_requests, busy, image_gone; the reason of `visitor.gone`
 */
export async function getOrRender(deps: Deps, row: ImageRow, request: RenderRequest): Promise<CachedFile> {
  const { key, visitor } = request
  const cached = await deps.variants.find(row.id, key)
  if (cached) return cached
  const flights = flightsOf.get(deps) ?? new Map<string, Flight>()
  flightsOf.set(deps, flights)
  const name = `${row.id}/${key}`
  // From here on, so that nobody waits longer for having waited for a render of others first.
  const context = deps.imaging.jobContext(visitor.address)
  for (let joined = flights.get(name); joined; joined = flights.get(name)) {
    deps.imaging.join(joined.context, visitor.address)
    try {
      return await waitFor(joined, visitor)
    } catch (error) {
      // Those who asked before have left, or have waited as long as a visitor may: this one still waits.
      const hasTime = performance.now() < context.startByMs
      const isTheirs = error instanceof Abandoned || (hasTime && error instanceof Failure && error.code === 'busy')
      if (!isTheirs) throw error
    }
  }
  const flight = startFlight(deps, row, request, context)
  flights.set(name, flight)
  const land = () => void flights.delete(name)
  flight.file.then(land, land)
  return waitFor(flight, visitor)
}

/** Ends the render when its last visitor goes away before it has started. */
function waitFor(flight: Flight, { gone }: Visitor): Promise<CachedFile> {
  flight.visitors++
  const signal = gone?.()
  if (signal === undefined) return flight.file
  return new Promise((resolve, reject) => {
    const leave = () => {
      if (--flight.visitors === 0) flight.abandon.abort(new Abandoned())
      reject(signal.reason as Error)
    }
    if (signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    void flight.file.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

/** @throws {Failure} too_many_requests */
function startFlight(deps: Deps, row: ImageRow, request: RenderRequest, visitorContext: JobContext): Flight {
  const abandon = new AbortController()
  const context = { ...visitorContext, signal: abandon.signal }
  const settle = request.visitor.isUnlimited ? undefined : reserveBudget(deps, context)
  return { file: renderToCache(deps, row, request, context).finally(settle), context, visitors: 0, abandon }
}

function reserveBudget(deps: Deps, context: JobContext): () => void {
  try {
    return deps.imaging.reserveBudget(context)
  } catch (error) {
    throw asFailure(error)
  }
}

async function renderToCache(
  deps: Deps,
  row: ImageRow,
  request: RenderRequest,
  context: JobContext,
): Promise<CachedFile> {
  const outPath = join(deps.tempDir, `made-${newId(deps)}`)
  try {
    await retryWhenDiskFull(deps, () => renderFile(deps, row, request, { outPath, context }))
    const bytes = await readWhole(outPath)
    const cached = await putInVariantCache(deps, row, request.key, outPath, bytes)
    await uncacheDeletedImage(deps, row)
    return cached ?? cachedFileOf(bytes)
  } catch (error) {
    await removeTemporary(deps.log, outPath)
    // The image was deleted after the row was read: respond 410, as to a later request.
    if (error instanceof BlobMissing || isMissingFile(error)) await findUnexpiredImage(deps, 'id', row.id, everyone)
    throw asFailure(error)
  }
}

async function renderFile(
  deps: Deps,
  row: ImageRow,
  { mayUseIntermediate, render }: RenderRequest,
  { outPath, context }: { outPath: string; context: JobContext },
): Promise<void> {
  for (;;) {
    await using source = await openSource(deps, row, { mayUseIntermediate, context })
    try {
      await render({ sourcePath: source.path, outPath }, context)
      return
    } catch (error) {
      if (!source.isCached || !isMissingFile(error)) throw error
      // Evicted since the lookup, or deleted by the operator: the next source is another one.
      deps.variants.dropEntry(row.id, intermediateKey)
    }
  }
}

/** Only the SVG decoder ever reads an SVG: all others read its raster, which is its intermediate. */
async function openSource(
  deps: Deps,
  row: ImageRow,
  { mayUseIntermediate, context }: { mayUseIntermediate: boolean; context: JobContext },
): Promise<LocalFile & { isCached?: true }> {
  const isSvg = row.format === 'svg'
  const cachedPath = mayUseIntermediate || isSvg ? deps.variants.pathOf(row.id, intermediateKey) : null
  if (cachedPath !== null) return { ...lastingFile(cachedPath), isCached: true }
  return isSvg ? redrawRaster(deps, row, context) : deps.blobs.openLocalFile(row.id)
}

const isMissingFile = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** The image may have been deleted during the render: nothing of it may stay cached. */
async function uncacheDeletedImage({ db, variants }: Deps, { id }: ImageRow): Promise<void> {
  const row = await db.selectFrom('images').select('id').where('id', '=', id).executeTakeFirst()
  if (!row) await variants.deleteImage(id)
}
