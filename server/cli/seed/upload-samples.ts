// Uploads the sample images through the domain's upload, with the clock set back.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account, Caller } from '../../domain/shared/caller.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import { Failure } from '../../domain/shared/failure.ts'
import { uploadImage } from '../../domain/uploads/upload-one.ts'
import type { WaitWhileBusy } from '../../importers/wait-while-busy.ts'
import type { SampleImage } from './sample-images.ts'
import { callerOf } from './seed-accounts.ts'

/** Renders one image while others are decoded. */
const parallel = 3

interface UploadOptions {
  images: SampleImage[]
  owners: Account[]
  /** Called after each image, with the number done and the total. */
  progress: (done: number, of: number) => void
  waitWhileBusy: WaitWhileBusy
  signal?: AbortSignal | undefined
}

/** Uploads the missing images, identified by their names, and skips refused ones. @throws the reason of the signal */
export async function uploadSampleImages(
  deps: Deps,
  { images, owners, progress, waitWhileBusy, signal }: UploadOptions,
): Promise<{ uploaded: number; leftOut: { name: string; why: string }[] }> {
  const there = await namesThere(deps, owners)
  const missing = images.filter(({ name }) => !there.has(name))
  await mkdir(deps.tempDir, { recursive: true })
  const leftOut: { name: string; why: string }[] = []
  let done = 0
  const waiting = missing.values()
  const worker = async () => {
    for (const image of waiting) {
      signal?.throwIfAborted()
      const owner = image.owner === null ? undefined : owners[image.owner]
      try {
        await upload(deps, image, { caller: owner ? callerOf(owner) : { kind: 'guest' }, waitWhileBusy })
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        leftOut.push({ name: image.name, why: error.message })
      }
      progress(++done, missing.length)
    }
  }
  // Waits for all uploads before a failure propagates: the caller then closes the dependencies.
  const ends = await Promise.allSettled(Array.from({ length: parallel }, worker))
  const fault = ends.find((end) => end.status === 'rejected')
  if (fault) throw fault.reason
  return { uploaded: missing.length - leftOut.length, leftOut }
}

async function upload(
  deps: Deps,
  { name, ageMs, draw }: SampleImage,
  { caller, waitWhileBusy }: { caller: Caller; waitWhileBusy: WaitWhileBusy },
): Promise<void> {
  const at = deps.now() - ageMs
  const folder = await mkdtemp(join(deps.tempDir, 'seed-'))
  try {
    const path = join(folder, 'source')
    await writeFile(path, await draw())
    const request = { caller, address: 'seed', baseUrl: '', siteUrl: '', body: {}, headers: {} }
    await waitWhileBusy(() => uploadImage({ ...deps, now: () => at }, { ...request, file: { folder, path, name } }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function namesThere(deps: Deps, owners: Account[]): Promise<Set<string>> {
  const ids = owners.map(({ id }) => id)
  const rows = await deps.db
    .selectFrom('images')
    .select('original_name')
    .where((row) => row.or([row('owner_id', 'is', null), row('owner_id', 'in', ids)]))
    .execute()
  return new Set(rows.map((row) => row.original_name))
}
