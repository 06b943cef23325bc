// What is made of an image on demand: counted for who asks first, made once for all who ask, and kept beside the image.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '../../../contract/limits.ts'
import { BlobMissing } from '../../blobs/blob-store.ts'
import { readBack } from '../../blobs/read-at.ts'
import { type Kept, keptOf } from '../../blobs/known-file.ts'
import type { Deps } from '../deps.ts'
import { newId } from '../secrets.ts'
import { createSingleFlight, type SingleFlight } from '../../concurrency/single-flight.ts'
import { throttle } from '../throttle.ts'
import { asFailure } from './imaging-failure.ts'
import { keep } from './keep.ts'
import { type ImageRow, findLiveImage } from './image-row.ts'
import { withRoom } from './room.ts'

interface Making {
  /** The name that it is kept under. */
  key: string
  /** Of the client: making is limited, reading what was made is not. */
  address: string
  /** Writes what is made to this path. */
  make: (outPath: string) => Promise<unknown>
}

const flights = new WeakMap<Deps, SingleFlight<Kept>>()

/** @throws {Failure} too_many_requests, busy, image_gone */
export async function madeOnce(deps: Deps, row: ImageRow, { key, address, make }: Making): Promise<Kept> {
  const kept = await deps.variants.read(row.id, key)
  if (kept) return kept
  const flight = flights.get(deps) ?? createSingleFlight<Kept>()
  flights.set(deps, flight)
  const name = `${row.id}/${key}`
  if (!flight.isRunning(name)) {
    const { RENDER_LIMIT: limit } = deps.config
    await throttle(deps, { key: `render:${address}`, limit, windowMs: limits.rateWindowMs })
  }
  return flight.run(name, () => makeAndKeep(deps, row, key, make))
}

async function makeAndKeep(deps: Deps, row: ImageRow, key: string, make: Making['make']): Promise<Kept> {
  const outPath = join(deps.tempDir, `made-${newId(deps)}`)
  try {
    await withRoom(deps, () => make(outPath))
    const made = keptOf(await readBack(outPath))
    await keep(deps, row.id, key, outPath)
    await forgetWhenGone(deps, row)
    return made
  } catch (error) {
    await removeOutput(deps, outPath)
    // Deleted between its row and its bytes: gone, as a moment later it would have been anyway.
    const isMissing = error instanceof BlobMissing || (error as NodeJS.ErrnoException).code === 'ENOENT'
    if (isMissing) await findLiveImage(deps, 'id', row.id)
    throw asFailure(error)
  }
}

/** What was kept has gone from there already. */
async function removeOutput(deps: Deps, path: string): Promise<void> {
  await rm(path, { force: true }).catch((error: unknown) =>
    deps.log.warn({ err: error, path }, 'A temporary file could not be removed'),
  )
}

/** An image that was deleted while something was made of it leaves nothing behind. */
async function forgetWhenGone(deps: Deps, { id }: ImageRow): Promise<void> {
  const row = await deps.db.selectFrom('images').select('id').where('id', '=', id).executeTakeFirst()
  if (!row) await deps.variants.deleteImage(id)
}
