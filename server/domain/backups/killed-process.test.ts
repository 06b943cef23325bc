// Runs the real server as a separate process that is stopped and killed while it takes a backup.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { newDatabase } from '../../testing/postgres.ts'

const compiledServer = new URL('../../../dist/server/main.js', import.meta.url).pathname

let folder: string
let database: Awaited<ReturnType<typeof newDatabase>> | undefined
let server: ChildProcess
let url: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-host-killed-'))
  const postgres = inject('postgresUrl')
  database = postgres === undefined ? undefined : await newDatabase(postgres)
  await start()
  await fill()
}, 120_000)
afterAll(async () => {
  server.kill('SIGKILL')
  await database?.drop()
  await rm(folder, { recursive: true })
})

async function start(): Promise<void> {
  server = spawn(process.execPath, [compiledServer], {
    env: {
      ...process.env,
      DATA_DIR: folder,
      PORT: '0',
      ADMIN_EMAIL: 'admin@example.com',
      ADMIN_PASSWORD: 'admin-secret',
      GUEST_UPLOADS_PER_HOUR: '0',
      USER_UPLOADS_PER_HOUR: '0',
      RATE_LIMIT: '0',
      LOG_LEVEL: 'info',
      ...(database ? { DATABASE_URL: database.url, JWT_SECRET: 'a secret of the tests, long enough' } : {}),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  url = await new Promise<string>((found, failed) => {
    let said = ''
    // Reads on afterwards, so that the log never fills the pipe.
    server.stdout?.on('data', (chunk) => {
      said += String(chunk)
      const address = /is at (http:[^\s"]+)/.exec(said)?.[1]
      if (address !== undefined) found(address)
    })
    server.once('exit', () => failed(new Error(`The server did not start: ${said}`)))
  })
}

async function asAdmin(): Promise<(method: string, path: string) => Promise<Response>> {
  const login = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@example.com', password: 'admin-secret' }),
  })
  const { token } = (await login.json()) as { token: string }
  return (method, path) => fetch(url + path, { method, headers: { authorization: `Bearer ${token}` } })
}

async function fill(): Promise<void> {
  const noise = await sharp({
    create: {
      width: 1000,
      height: 800,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer()
  for (let n = 0; n < 30; n++) {
    const form = new FormData()
    form.append('image', new Blob([new Uint8Array(noise)], { type: 'image/png' }), 'noise.png')
    expect((await fetch(`${url}/api/upload`, { method: 'POST', body: form })).status).toBe(201)
  }
}

it(
  'a killed server marks its backup as failed at the next start and can take another',
  { timeout: 120_000 },
  async () => {
    let caught = 0
    for (const delayMs of [0, 15, 40, 80]) {
      const call = await asAdmin()
      const started = await call('POST', '/api/database/backup')
      expect(started.status).toBe(201)
      const { backupId } = (await started.json()) as { backupId: string }
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      server.kill('SIGKILL')
      await once(server, 'exit')
      const left = await readdir(join(folder, 'backups'))
      const wasCut = left.includes(`${backupId}.tar.part`)
      await start()
      const { backups } = (await (await (await asAdmin())('GET', '/api/database/backups')).json()) as {
        backups: { id: string; status: string; size: number }[]
      }
      const listed = backups.find(({ id }) => id === backupId)
      const files = await readdir(join(folder, 'backups'))
      expect(files.filter((name) => name.endsWith('.part'))).toEqual([])
      if (wasCut) {
        caught++
        expect(listed).toMatchObject({ status: 'failed', size: 0, error: 'The server stopped during the backup' })
        expect(files).not.toContain(`${backupId}.tar`)
      } else if (listed?.status === 'completed') expect(files).toContain(`${backupId}.tar`)
      else expect(files).not.toContain(`${backupId}.tar`)
    }
    expect(caught).toBeGreaterThan(0)

    const call = await asAdmin()
    const { backupId } = (await (await call('POST', '/api/database/backup')).json()) as { backupId: string }
    const status = async () => {
      const { backups } = (await (await call('GET', '/api/database/backups')).json()) as {
        backups: { id: string; status: string }[]
      }
      return backups.find(({ id }) => id === backupId)?.status
    }
    await expect.poll(status, { timeout: 30_000 }).toBe('completed')
  },
)

it('a backup command stops on a signal and is listed as failed', { timeout: 60_000 }, async () => {
  const call = await asAdmin()
  const { backupId } = (await (await call('POST', '/api/database/backup')).json()) as { backupId: string }
  server.kill('SIGTERM')
  expect(await once(server, 'exit')).toEqual([0, null])
  expect((await readdir(join(folder, 'backups'))).filter((name) => name.endsWith('.part'))).toEqual([])
  await start()
  const { backups } = (await (await (await asAdmin())('GET', '/api/database/backups')).json()) as {
    backups: { id: string; status: string; error?: string }[]
  }
  const listed = backups.find(({ id }) => id === backupId)
  if (listed?.status !== 'completed') {
    expect(listed).toMatchObject({ status: 'failed', error: 'The server was stopped' })
  }
})
