// Starts that fail, and starts beside something that runs.
import { once } from 'node:events'
import { lookup } from 'node:dns/promises'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Deps } from './domain/shared/deps.ts'
import { startTestApp } from './testing/app.ts'

/** One on most machines, two where the system knows it in both families. */
const localhosts = await lookup('localhost', { all: true })

const accepts = (port: number, address: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, address, () => {
      socket.destroy()
      resolve(true)
    }).on('error', () => resolve(false))
  })

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-host-starts-'))
})
afterAll(() => rm(folder, { recursive: true }))

it('a second server refuses the data folder of a running one and changes nothing in it', async () => {
  const dataDir = join(folder, 'owned')
  const app = await startTestApp({}, dataDir)
  const upload = join(app.deps.tempDir, 'upload-under-way')
  await writeFile(upload, 'bytes')
  const port = new URL(app.url).port
  await expect(startTestApp({ PORT: port }, dataDir)).rejects.toThrow(`is in use by process ${process.pid}`)
  expect(await readdir(app.deps.tempDir)).toEqual(['upload-under-way'])
  await app.stop()
  await (await startTestApp({}, dataDir)).stop()
})

it('HOST=localhost listens on all addresses of the name', async () => {
  const app = await startTestApp({ HOST: 'localhost' }, join(folder, 'localhost'))
  const { port } = new URL(app.url)
  for (const { address, family } of localhosts) {
    const host = family === 6 ? `[${address}]` : address
    expect((await fetch(`http://${host}:${port}/readyz`)).status).toBe(200)
  }
  await app.stop()
})

it('HOST=localhost accepts no connection on any address once the shutdown has started', async () => {
  const app = await startTestApp({ HOST: 'localhost' }, join(folder, 'localhost-stops'))
  const port = Number(new URL(app.url).port)
  const inFlight = connect(port, localhosts[0]?.address)
  inFlight.on('error', () => {})
  await once(inFlight, 'connect')
  inFlight.write('POST /api/upload HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n')
  inFlight.write('Content-Length: 900\r\nExpect: 100-continue\r\n\r\n')
  await once(inFlight, 'data')
  let isStopped = false
  const stopping = app.stop().then(() => (isStopped = true))
  for (const { address } of localhosts) await expect.poll(() => accepts(port, address)).toBe(false)
  expect(isStopped).toBe(false)
  inFlight.destroy()
  await stopping
})

it('the app stops within its grace period although a connection is idle', async () => {
  const app = await startTestApp({}, join(folder, 'silent'))
  const { hostname, port } = new URL(app.url)
  const silent = connect(Number(port), hostname)
  const half = connect(Number(port), hostname)
  // How the line ends does not matter, only that it does.
  const ends = (socket: Socket) => new Promise((resolve) => socket.on('error', () => {}).once('close', resolve))
  const ended = Promise.all([ends(silent), ends(half)])
  await Promise.all([once(silent, 'connect'), once(half, 'connect')])
  half.write(
    'POST /api/upload HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 900\r\n\r\n--b',
  )
  await app.stop()
  await ended
})

it('a failure before the port opens leaves no resource open', async () => {
  let opened: Deps | undefined
  const wrap = async (deps: Deps) => {
    opened = deps
    throw new Error('no wrapping')
  }
  await expect(startTestApp({}, join(folder, 'unwrapped'), { wrap })).rejects.toThrow('no wrapping')
  const asked = opened?.db.selectFrom('users').select('id').execute()
  await expect(asked).rejects.toThrow('driver has already been destroyed')
})

it('the PIN is created only after every step that can fail', async () => {
  const other = await startTestApp()
  const dataDir = join(folder, 'taken-port')
  await expect(startTestApp({ PORT: new URL(other.url).port }, dataDir)).rejects.toThrow('EADDRINUSE')
  const app = await startTestApp({}, dataDir)
  expect(app.newPin).toMatch(/^\d{4}$/)
  await app.stop()
  await other.stop()
})

it('a start deletes working folders, of commands that take a backup only when they are older than a day', async () => {
  const dataDir = join(folder, 'backed-up')
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  for (const [name, hours] of [
    ['command-backup-now', 0],
    ['command-backup-left', 25],
    ['backup-left', 0],
    ['upload-left', 0],
  ] as const) {
    await mkdir(join(dataDir, 'tmp', name), { recursive: true })
    await utimes(join(dataDir, 'tmp', name), hoursAgo(hours), hoursAgo(hours))
  }
  const app = await startTestApp({}, dataDir)
  expect(await readdir(app.deps.tempDir)).toEqual(['command-backup-now'])
  await app.stop()
})
