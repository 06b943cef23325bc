import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DataDirInUse, lockDataDir } from './data-dir-lock.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-host-owner-'))
})
afterAll(() => rm(folder, { recursive: true }))

const compiled = new URL('../../dist/server/db/data-dir-lock.js', import.meta.url).href

it('the lock on a data folder is exclusive, also within a process, until it is released', async () => {
  const dataDir = join(folder, 'one')
  const unlock = await lockDataDir(dataDir)
  await expect(lockDataDir(dataDir)).rejects.toThrow(DataDirInUse)
  await expect(lockDataDir(dataDir)).rejects.toThrow(
    `DATA_DIR ${dataDir} is in use by process ${process.pid}. Stop it, or set another DATA_DIR`,
  )
  const unlockOther = await lockDataDir(join(folder, 'other'))
  unlockOther()
  unlock()
  const unlockAgain = await lockDataDir(dataDir)
  unlockAgain()
})

it('the error names the process that holds the lock, and killing that process releases it', async () => {
  const dataDir = join(folder, 'killed')
  const script = `const { lockDataDir } = await import(${JSON.stringify(compiled)})
    globalThis.held = await lockDataDir(${JSON.stringify(dataDir)})
    console.log('taken'); setInterval(() => {}, 1000)`
  const other = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(other.stdout, 'data')
  await expect(lockDataDir(dataDir)).rejects.toThrow(`in use by process ${other.pid}.`)
  other.kill('SIGKILL')
  await once(other, 'exit')
  const unlock = await lockDataDir(dataDir)
  unlock()
})
