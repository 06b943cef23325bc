// The sample pictures go the way of every upload, with the clock set back.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account, Caller } from '../../domain/caller.ts'
import type { Deps } from '../../domain/deps.ts'
import { uploadImage } from '../../domain/images/uploads.ts'
import type { SamplePicture } from './pictures.ts'

/** One is drawn while others are decoded. */
const parallel = 3

/**
 * Uploads the pictures that are not there yet, told by their names.
 * @param progress called after each, with how many of how many are there
 * @returns how many were uploaded
 */
export async function uploadPictures(
  deps: Deps,
  { pictures, owners }: { pictures: SamplePicture[]; owners: Account[] },
  progress: (done: number, of: number) => void,
): Promise<number> {
  const there = await namesThere(deps, owners)
  const missing = pictures.filter(({ name }) => !there.has(name))
  await mkdir(deps.tempDir, { recursive: true })
  let done = 0
  const waiting = missing.values()
  const worker = async () => {
    for (const picture of waiting) {
      const owner = picture.owner === null ? undefined : owners[picture.owner]
      await upload(deps, picture, owner ? asCaller(owner) : { kind: 'guest' })
      progress(++done, missing.length)
    }
  }
  await Promise.all(Array.from({ length: parallel }, worker))
  return missing.length
}

async function upload(deps: Deps, { name, ageMs, draw }: SamplePicture, caller: Caller): Promise<void> {
  const at = deps.now() - ageMs
  const folder = await mkdtemp(join(deps.tempDir, 'seed-'))
  try {
    const path = join(folder, 'source')
    await writeFile(path, await draw())
    await uploadImage(
      { ...deps, now: () => at },
      { caller, address: 'seed', baseUrl: '', file: { folder, path, name }, body: {}, headers: {} },
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const asCaller = (account: Account): Caller => ({
  kind: 'user',
  account,
  by: { sessionId: 'none: made by the command' },
})

async function namesThere(deps: Deps, owners: Account[]): Promise<Set<string>> {
  const ids = owners.map(({ id }) => id)
  const rows = await deps.db
    .selectFrom('images')
    .select('original_name')
    .where((row) => row.or([row('owner_id', 'is', null), row('owner_id', 'in', ids)]))
    .execute()
  return new Set(rows.map((row) => row.original_name))
}
