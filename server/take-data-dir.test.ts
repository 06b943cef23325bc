import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { DataDirInUse, lockDataDir } from './db/data-dir-lock.ts'
import { takeDataDir, withOwnDataDir } from './take-data-dir.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-host-take-'))
})
afterAll(() => rm(folder, { recursive: true }))

it('a command waits for a server that stops, says so once, and is refused while one is ready', async () => {
  let status = 200
  const owner = createServer((_, response) => response.writeHead(status).end()).listen(0, '127.0.0.1')
  await once(owner, 'listening')
  const config = readConfig({ DATA_DIR: folder })
  const release = await lockDataDir(folder, (owner.address() as AddressInfo).port)
  const printed: string[] = []
  const command = () =>
    withOwnDataDir(
      config,
      (line) => printed.push(line),
      async () => 'done',
    )
  await expect(command()).rejects.toThrow(DataDirInUse)
  expect(printed).toEqual([])

  status = 503
  const waiting = command()
  await expect.poll(() => printed).toEqual([`Waiting up to 20 s for the process that uses ${folder}.`])
  // It does not listen any more, and has not ended yet.
  owner.closeAllConnections()
  owner.close()
  release()
  expect(await waiting).toBe('done')
  expect(printed).toHaveLength(1)
  // Whoever does not say where it listens is no server that could be stopping.
  const releaseOther = await lockDataDir(folder)
  await expect(command()).rejects.toThrow(DataDirInUse)
  releaseOther()
})

it('a cancelled wait throws its reason, and does not keep a lock that has become free', async () => {
  const config = readConfig({ DATA_DIR: join(folder, 'cancelled') })
  const reason = new Error('cancelled')
  const cancelled = takeDataDir(config, { onWait: () => {}, signal: AbortSignal.abort(reason) })
  await expect(cancelled).rejects.toBe(reason)
  const release = await lockDataDir(config.DATA_DIR)
  release()
})
