// Files rendered from an image on demand: rendered once for all concurrent requests, then cached beside the image.
import { join } from 'node:path'
import { limits } from '../../../contract/limits.ts'
import { BlobMissing } from '../../blobs/blob-store.ts'
import { type CachedFile, cachedFileOf } from '../../blobs/cached-file.ts'
import { readWhole } from '../../blobs/read-file.ts'
import { createSingleFlight, type SingleFlight } from '../../concurrency/single-flight.ts'
import type { Deps } from '../deps.ts'
import { newId } from '../secrets.ts'
import { throttleAddress } from '../throttle.ts'
import { cacheFile, removeTemporary } from './cache-file.ts'
import { asFailure } from './imaging-failure.ts'
import { type ImageRow, findUnexpiredImage } from './image-row.ts'
import { retryAfterEviction } from './retry-after-eviction.ts'

interface RenderRequest {
  /** The name of the file in the cache. */
  key: string
  /** Of the client: renders are rate limited, lookups are not. */
  address: string
  /** Not rate limited: of the few variants that the page's own lists request. */
  isUnlimited?: boolean
  /** Writes the file to this path. */
  render: (outPath: string) => Promise<unknown>
}

const flights = new WeakMap<Deps, SingleFlight<CachedFile>>()

/** @throws {Failure} too_many_requests, busy, image_gone */
export async function getOrRender(
  deps: Deps,
  row: ImageRow,
  { key, address, isUnlimited = false, render }: RenderRequest,
): Promise<CachedFile> {
  const cached = await deps.variants.find(row.id, key)
  if (cached) return cached
  const flight = flights.get(deps) ?? createSingleFlight<CachedFile>()
  flights.set(deps, flight)
  const name = `${row.id}/${key}`
  if (!isUnlimited && !flight.isRunning(name)) {
    const { RENDER_LIMIT: limit } = deps.config
    await throttleAddress(deps, address, { key: 'render', limit, windowMs: limits.rateWindowMs })
  }
  return flight.run(name, () => renderToCache(deps, row, key, render))
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

async function renderToCache(
  deps: Deps,
  row: ImageRow,
  key: string,
  render: RenderRequest['render'],
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
