import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'

const compiledServer = new URL('../dist/server/main.js', import.meta.url).pathname

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-host-main-'))
})
afterAll(() => rm(folder, { recursive: true }))

it('a server that receives a stop signal during its start stops cleanly and logs it', { timeout: 60_000 }, async () => {
  const server = spawn(process.execPath, [compiledServer], {
    env: { PATH: process.env.PATH, DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let printed = ''
  server.stdout.on('data', (chunk) => (printed += chunk))
  const exit = once(server, 'close')
  // The output appears long before the first response.
  for (;;) {
    const isThere = await access(join(folder, 'server.lock')).then(
      () => true,
      () => false,
    )
    if (isThere || server.exitCode !== null) break
    await sleep(1)
  }
  server.kill('SIGTERM')
  expect(await exit).toEqual([0, null])
  // Lines wait for others: the last ones are written at the exit.
  expect(printed).toContain('"signal":"SIGTERM"')
})
