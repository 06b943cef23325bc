// The invariants after any fault: no leftover file, no row without its file, no file without a row.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sweepOrphans } from '../../server/domain/images/deletion/sweep.ts'
import { removeImages } from '../../server/domain/images/deletion/remove-images.ts'
import { call } from '../client.ts'
import { untilTrue } from '../until.ts'
import { filesIn } from '../verify.ts'
import type { TestServer } from './test-server.ts'

const tidyWithinMs = 3000

/** Every acknowledged image is served; rows and files match; nothing is in progress. @param hit the call that failed. @returns violations */
export async function invariantViolations(server: TestServer, hit: string): Promise<string[]> {
  const { deps, dataDir } = server
  const rows = await deps.db.selectFrom('images').select(['id', 'file_name', 'expires_at']).execute()
  const ids = new Set(rows.map(({ id }) => id))
  const violations: string[] = []
  // A response is sent before the upload's folder is removed: a folder that still exists after a while was leaked.
  const temporary = () => readdir(join(dataDir, 'tmp'))
  await untilTrue(async () => (await temporary()).length === 0, tidyWithinMs, 1)
  // A file whose removal failed is left to the janitor.
  if (!hit.startsWith('rm '))
    violations.push(...(await temporary()).map((name) => `a temporary file is left: ${name.slice(0, 8)}`))
  const before = new Set(await filesIn(`${dataDir}/originals`))
  for (const { id, file_name: name, expires_at: expiresAt } of rows) {
    if (!before.has(id)) violations.push('a row without its file')
    else if (expiresAt > deps.now() && (await call(`${server.url}/uploads/${name}`)).status !== 200)
      violations.push('an image that is there is not served')
  }
  await sweepOrphans(deps, Infinity)
  const after = await filesIn(`${dataDir}/originals`)
  if (after.some((file) => !ids.has(file))) violations.push('a file without a row outlives the janitor')
  if (after.length < ids.size) violations.push('the janitor took a file that has a row')
  if ((await temporary()).length > 0) violations.push('a temporary file outlives the janitor')
  const cached = [...(await deps.variants.imageIds())]
  if (cached.some((id) => !ids.has(id))) violations.push('a variant without an image outlives the janitor')
  return violations
}

/** Resets for the next operation: no images, and no folders it would have to create or scan. */
export async function clear({ deps, dataDir }: TestServer): Promise<void> {
  const rows = await deps.db.selectFrom('images').select('id').execute()
  if (rows.length > 0)
    await removeImages(
      deps,
      rows.map(({ id }) => id),
      { actor: 'command_line', action: 'image_deleted' },
    )
  for (const folder of ['originals', 'variants']) {
    const shards = await readdir(join(dataDir, folder))
    await Promise.all(shards.map((shard) => rm(join(dataDir, folder, shard), { recursive: true })))
  }
}
