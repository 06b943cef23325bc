// What must hold after a fault, whatever it was: no file in the way, no row without its file, nothing without a row.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { sweepOrphans } from '../../server/domain/images/sweep.ts'
import { removeImages } from '../../server/domain/images/remove-images.ts'
import { call } from '../client.ts'
import { filesIn } from '../verify.ts'
import type { House } from './house.ts'

const tidyWithinMs = 3000

/** Every promised image answers with its bytes; rows and files are the same; nothing is under way. @param hit the call that failed. @returns what does not hold */
export async function flawsIn(house: House, hit: string): Promise<string[]> {
  const { deps, dataDir } = house
  const rows = await deps.db.selectFrom('images').select(['id', 'file_name', 'expires_at']).execute()
  const ids = new Set(rows.map(({ id }) => id))
  const flaws: string[] = []
  const temporary = await leftIn(join(dataDir, 'tmp'))
  // What fails to be removed is left to the janitor.
  if (!hit.startsWith('rm ')) flaws.push(...temporary.map((name) => `a temporary file is left: ${name.slice(0, 8)}`))
  const before = new Set(await filesIn(`${dataDir}/originals`))
  for (const { id, file_name: name, expires_at: expiresAt } of rows) {
    if (!before.has(id)) flaws.push('a row without its file')
    else if (expiresAt > deps.now() && (await call(`${house.url}/uploads/${name}`)).status !== 200)
      flaws.push('an image that is there is not served')
  }
  await sweepOrphans(deps, Infinity)
  const after = await filesIn(`${dataDir}/originals`)
  if (after.some((file) => !ids.has(file))) flaws.push('a file without a row outlives the janitor')
  if (after.length < ids.size) flaws.push('the janitor took a file that has a row')
  if ((await readdir(join(dataDir, 'tmp'))).length > 0) flaws.push('a temporary file outlives the janitor')
  const cached = [...(await deps.variants.imageIds())]
  if (cached.some((id) => !ids.has(id))) flaws.push('a variant without an image outlives the janitor')
  return flaws
}

/** An upload is answered before its folder goes: what is still there after a while is left for good. */
async function leftIn(folder: string): Promise<string[]> {
  const deadline = performance.now() + tidyWithinMs
  for (;;) {
    const names = await readdir(folder)
    if (names.length === 0 || performance.now() > deadline) return names
    await setImmediate()
  }
}

/** For the next one: nothing stands, and no folder is there that it would have to make, or to look through. */
export async function clear({ deps, dataDir }: House): Promise<void> {
  const rows = await deps.db.selectFrom('images').select('id').execute()
  if (rows.length > 0)
    await removeImages(
      deps,
      rows.map(({ id }) => id),
    )
  for (const folder of ['originals', 'variants']) {
    const shards = await readdir(join(dataDir, folder))
    await Promise.all(shards.map((shard) => rm(join(dataDir, folder, shard), { recursive: true })))
  }
}
