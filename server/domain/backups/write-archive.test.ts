import { execFileSync } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { png } from '../../testing/test-images.ts'
import { backupWorkPrefix, writeArchive } from './write-archive.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const options = { by: 'server' } as const

/** What this process has open of a backup's work, also when it is deleted by now. */
async function openWork(): Promise<string[]> {
  const files = await readdir('/proc/self/fd')
  const targets = await Promise.all(files.map((file) => readlink(`/proc/self/fd/${file}`).catch(() => '')))
  return targets.filter((target) => target.startsWith(join(app.deps.tempDir, backupWorkPrefix.server)))
}

it.runIf(process.platform === 'linux')(
  'an archive that cannot be written leaves nothing open, nothing on disk',
  async () => {
    for (let n = 0; n < 5; n++) {
      await expect(writeArchive(app.deps, join(app.dataDir, 'nowhere', 'archive'), options)).rejects.toThrow('ENOENT')
    }
    await expect.poll(openWork).toEqual([])
    expect((await readdir(app.deps.tempDir)).filter((name) => name.startsWith(backupWorkPrefix.server))).toEqual([])
  },
)

it.runIf(process.platform === 'linux')(
  'an archive whose file breaks while an image is written fails with the reason of the file',
  async () => {
    // More than the pipe and the buffers on the way to it hold.
    for (let n = 0; n < 3; n++) await app.guestImage(await png(900, 700))
    const path = join(app.dataDir, 'archive')
    execFileSync('mkfifo', [path])
    const outcome = writeArchive(app.deps, path, options).catch((error: unknown) => error)
    let read = ''
    for await (const chunk of createReadStream(path, 'latin1')) {
      read += chunk
      // The loop closes the pipe, as a disk that fills up: the next write fails.
      if (read.includes('originals/')) break
    }
    expect(await outcome).toMatchObject({ code: 'EPIPE' })
    await expect.poll(openWork).toEqual([])
  },
)
