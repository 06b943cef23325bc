// Files rendered from an image on demand: rendered once for all concurrent requests, then cached beside the image.
import { join } from 'node:path'
import { BlobMissing } from '../../blobs/blob-store.ts'
import { type CachedFile, cachedFileOf } from '../../blobs/cached-file.ts'
import { readWhole } from '../../blobs/read-file.ts'
import type { JobContext } from '../../imaging/pool/imaging.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { newId } from '../shared/secrets.ts'
import { cacheFile, removeTemporary } from './cache-file.ts'
import { asFailure } from './imaging-failure.ts'
import { type ImageRow, findUnexpiredImage } from '../images/image-row.ts'
import { retryAfterEviction } from '../shared/retry-after-eviction.ts'

/** Who waits for a file. */
export interface Visitor {
  /** Renders count towards the budget of an address; lookups do not. */
  address: string
  /** Aborted when the visitor goes away. Without it somebody waits until the end. */
  gone?: (() => AbortSignal) | undefined
}

interface RenderRequest {
  /** The name of the file in the cache. */
  key: string
  visitor: Visitor
  /** Counts towards no budget: of the few variants that the page's own lists request. */
  isUnlimited?: boolean
  /** Writes the file to this path. */
  render: (outPath: string, context: JobContext) => Promise<unknown>
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

/** Reads the whole file. One that is evicted before it is read is rendered once more. @throws {Failure} as getOrRender */
export async function readOrRender(deps: Deps, row: ImageRow, request: RenderRequest): Promise<Buffer> {
  const file = await getOrRender(deps, row, request)
  try {
    return await file.read()
  } catch (error) {
    if (!(error instanceof BlobMissing)) throw error
    return (await getOrRender(deps, row, request)).read()
  }
}

/** @throws {Failure} too_many_requests */
function startFlight(
  deps: Deps,
  row: ImageRow,
  { key, isUnlimited = false, render }: RenderRequest,
  visitorContext: JobContext,
): Flight {
  const abandon = new AbortController()
  const context = { ...visitorContext, signal: abandon.signal }
  const settle = isUnlimited ? undefined : reserveBudget(deps, context)
  const file = renderToCache(deps, row, key, (outPath) => render(outPath, context)).finally(settle)
  return { file, context, visitors: 0, abandon }
}

function reserveBudget(deps: Deps, context: JobContext): () => void {
  try {
    return deps.imaging.reserveBudget(context)
  } catch (error) {
    throw asFailure(error)
  }
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

async function renderToCache(
  deps: Deps,
  row: ImageRow,
  key: string,
  render: (outPath: string) => Promise<unknown>,
): Promise<CachedFile> {
  const outPath = join(deps.tempDir, `made-${newId(deps)}`)
  try {
    await retryAfterEviction(deps, () => render(outPath))
    const bytes = await readWhole(outPath)
    const cached = await cacheFile(deps, row, key, outPath, bytes)
    await uncacheDeletedImage(deps, row)
    return cached ?? cachedFileOf(bytes)
  } catch (error) {
    await removeTemporary(deps.log, outPath)
    // The image was deleted after the row was read: respond 410, as to a later request.
    const isMissing = error instanceof BlobMissing || (error as NodeJS.ErrnoException).code === 'ENOENT'
    if (isMissing) await findUnexpiredImage(deps, 'id', row.id)
    throw asFailure(error)
  }
}

/** The image may have been deleted during the render: nothing of it may stay cached. */
async function uncacheDeletedImage({ db, variants }: Deps, { id }: ImageRow): Promise<void> {
  const row = await db.selectFrom('images').select('id').where('id', '=', id).executeTakeFirst()
  if (!row) await variants.deleteImage(id)
}
