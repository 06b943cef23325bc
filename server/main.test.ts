import { execFileSync, spawn, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { lockDataDir } from './db/data-dir-lock.ts'
import { migrate } from './db/migrate.ts'
import { openSqlite } from './db/sqlite.ts'
import { freePort } from './testing/free-port.ts'

const compiledServer = new URL('../dist/server/main.js', import.meta.url).pathname

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-host-main-'))
})
afterAll(() => rm(folder, { recursive: true }))

it('invalid settings end the start with the exit code that the systemd unit does not restart', async () => {
  const server = start({ PORT: 'x' }, ['ignore', 'ignore', 'pipe'])
  const said = text(server.stderr as NonNullable<typeof server.stderr>)
  expect(await once(server, 'close')).toEqual([78, null])
  expect(await said).toContain('These settings are invalid:\nPORT: must be a whole number\n')
  // Its name was meant to be GUEST_UPLOADS.
  const misspelt = start({ PORT: 'x', GUEST_UPLOAD: 'off' }, ['ignore', 'ignore', 'pipe'])
  expect(await text(misspelt.stderr as NonNullable<typeof server.stderr>)).toContain(
    'PORT: must be a whole number\nGUEST_UPLOAD is not a setting. Did you mean GUEST_UPLOADS?\n',
  )
  const unit = await readFile(new URL('../deploy/systemd/image-host.service', import.meta.url), 'utf8')
  expect(unit).toContain('\nRestartPreventExitStatus=78\n')
})

it('a database of a newer version ends the start with the same exit code', async () => {
  const dataDir = await mkdtemp(join(folder, 'newer-'))
  const { db } = await openSqlite(join(dataDir, 'image-host.sqlite'))
  await migrate(db)
  await sql`insert into kysely_migration (name, timestamp) values ('9999-to-come', '')`.execute(db)
  await db.destroy()
  const server = start({ DATA_DIR: dataDir }, ['ignore', 'ignore', 'pipe'])
  const said = text(server.stderr as NonNullable<typeof server.stderr>)
  expect(await once(server, 'close')).toEqual([78, null])
  expect(await said).toContain('The database was written by a newer version')
})

const start = (settings: Record<string, string>, stdio: StdioOptions = ['ignore', 'pipe', 'pipe']) =>
  spawn(process.execPath, [compiledServer], {
    env: { PATH: process.env.PATH, DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'info', ...settings },
    stdio,
  })

/** Resolves when the file exists, or the server has ended. */
async function isThere(path: string, hasEnded: () => boolean): Promise<void> {
  for (;;) {
    const found = await access(path).then(
      () => true,
      () => false,
    )
    if (found || hasEnded()) return
    await sleep(1)
  }
}

it('a server that receives a stop signal during its start stops cleanly and logs it', { timeout: 60_000 }, async () => {
  const server = start({})
  const printed = text(server.stdout as NonNullable<typeof server.stdout>)
  const exit = once(server, 'close')
  // Long before its first response.
  await isThere(join(folder, 'server.lock'), () => server.exitCode !== null)
  server.kill('SIGTERM')
  expect(await exit).toEqual([0, null])
  // Lines wait for others: the last ones are written at the exit.
  expect(await printed).toContain('"signal":"SIGTERM"')
})

const statusOf = (url: string) =>
  fetch(url).then(
    ({ status }) => status,
    () => null,
  )

it(
  'a server started while another stops waits for it, and is refused while another runs',
  { timeout: 60_000 },
  async () => {
    const settings = { DATA_DIR: join(folder, 'successor'), PORT: String(await freePort()), DRAIN_SECONDS: '1' }
    const readyUrl = `http://127.0.0.1:${settings.PORT}/readyz`
    const first = start(settings, 'ignore')
    const firstEnds = once(first, 'close')
    await expect.poll(() => statusOf(readyUrl), { timeout: 30_000 }).toBe(200)
    const refused = start(settings, ['ignore', 'ignore', 'pipe'])
    expect(await text(refused.stderr as NonNullable<typeof refused.stderr>)).toContain(
      `is in use by process ${first.pid}. Stop it`,
    )
    first.kill('SIGTERM')
    await expect.poll(() => statusOf(readyUrl)).toBe(503)
    const second = start(settings, 'ignore')
    expect(await firstEnds).toEqual([0, null])
    await expect.poll(() => statusOf(readyUrl), { timeout: 30_000 }).toBe(200)
    const secondEnds = once(second, 'close')
    second.kill('SIGTERM')
    expect(await secondEnds).toEqual([0, null])
  },
)

it('a signal cancels a start that waits for another server, and changes nothing', { timeout: 60_000 }, async () => {
  const dataDir = join(folder, 'cancelled')
  const stopping = createHttpServer((_, response) => response.writeHead(503).end()).listen(0, '127.0.0.1')
  await once(stopping, 'listening')
  const release = await lockDataDir(dataDir, (stopping.address() as AddressInfo).port)
  const server = start({ DATA_DIR: dataDir, HOST: '127.0.0.1' })
  const exit = once(server, 'close')
  const refused = text(server.stderr as NonNullable<typeof server.stderr>)
  let printed = ''
  server.stdout?.on('data', (chunk) => (printed += chunk))
  await expect.poll(() => printed).toContain(`"msg":"Waiting up to 20 s for the process that uses ${dataDir}"`)
  server.kill('SIGINT')
  expect(await exit).toEqual([0, null])
  expect(await refused).toBe('')
  expect(printed).toContain('"signal":"SIGINT"')
  expect(await readdir(dataDir)).toEqual(['server.lock'])
  release()
  stopping.close()
})

it.runIf(process.platform === 'linux')('SIGTERM ends a start that does not end', { timeout: 60_000 }, async () => {
  const dataDir = await mkdtemp(join(folder, 'hangs-'))
  // Nobody writes into this pipe: the start waits for its secret.
  execFileSync('mkfifo', [join(dataDir, 'jwt-secret')])
  const server = start({ DATA_DIR: dataDir })
  const exit = once(server, 'close')
  await isThere(join(dataDir, 'image-host.sqlite'), () => server.exitCode !== null)
  server.kill('SIGTERM')
  expect(await exit).toEqual([null, 'SIGKILL'])
})

it.runIf(process.platform === 'linux')('a data folder that cannot be created ends the start at once', async () => {
  const server = start({ DATA_DIR: '/proc/image-host' })
  const [said] = await Promise.all([text(server.stderr as NonNullable<typeof server.stderr>), once(server, 'close')])
  expect(said).toBe('\nImage Host did not start.\nDATA_DIR: /proc/image-host cannot be created (ENOENT).\n')
  expect(server.exitCode).toBe(1)
})

it.runIf(process.platform === 'linux')(
  'a server whose log is on a full disk starts, serves and stops',
  { timeout: 60_000 },
  async () => {
    const full = await open('/dev/full', 'w')
    const dataDir = join(folder, 'full-log')
    // A free one.
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    await new Promise((resolve) => other.close(resolve))
    const server = start({ DATA_DIR: dataDir, PORT: String(port), DRAIN_SECONDS: '0' }, ['ignore', full.fd, full.fd])
    const exit = once(server, 'close')
    await full.close()
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ status }) => status,
        () => server.exitCode ?? 'starting',
      )
    await expect.poll(isReady, { timeout: 30_000 }).toBe(200)
    server.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
  },
)
