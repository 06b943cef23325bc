import { readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { backupWorkPrefix, writeArchive } from './write-archive.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

/** What this process has open of a backup's work, also when it is deleted by now. */
async function openWork(): Promise<string[]> {
  const files = await readdir('/proc/self/fd')
  const targets = await Promise.all(files.map((file) => readlink(`/proc/self/fd/${file}`).catch(() => '')))
  return targets.filter((target) => target.startsWith(join(app.deps.tempDir, backupWorkPrefix)))
}

it.runIf(process.platform === 'linux')(
  'an archive that cannot be written leaves nothing open, nothing on disk',
  async () => {
    for (let n = 0; n < 5; n++) {
      await expect(writeArchive(app.deps, join(app.dataDir, 'nowhere', 'archive'))).rejects.toThrow('ENOENT')
    }
    await expect.poll(openWork).toEqual([])
    expect((await readdir(app.deps.tempDir)).filter((name) => name.startsWith(backupWorkPrefix))).toEqual([])
  },
)
