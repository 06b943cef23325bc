// F13: backups during writes, then everything deleted, restored elsewhere and compared. And backups interrupted by SIGKILL.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type RunningServer, startServer } from '../e2e/server.ts'
import { loadDriver } from '../server/db/sqlite.ts'
import { type ArchiveContents, readArchive } from './archive.ts'
import { call, imageIn, postJson, type CallResponse, upload } from './client.ts'
import { Ledger, sha256 } from './ledger.ts'
import { jpeg } from './fault-images.ts'
import { atLeast, type Finding, type Form, none, type Scenario, info } from './scenario.ts'
import { filesIn } from './verify.ts'

const shape = {
  short: { runs: 1, uploads: 10, images: 150, kills: 1 },
  full: { runs: 10, uploads: 100, images: 10_000, kills: 20 },
} as const
const writers = 3

const admin = { email: 'admin@example.com', password: 'secret of the harness' }
const user = { email: 'user@example.com', password: 'another secret of it' }
const env = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, RATE_LIMIT_ADMIN: '0' }
const cli = fileURLToPath(new URL('../dist/command/main.js', import.meta.url))

export const scenario: Scenario = {
  id: 'F13',
  title: 'backups amid writes, restored elsewhere; backups cut short',
  run,
}

interface Backup {
  id: string
  status: 'running' | 'completed' | 'failed'
}

async function run(form: Form): Promise<Finding[]> {
  const { runs, uploads, images, kills } = shape[form]
  const folder = await mkdtemp(join(tmpdir(), 'image-host-backup-'))
  const wrongs: string[] = []
  let archived = 0
  let restored = 0
  try {
    const dataDir = join(folder, 'first')
    const picture = await jpeg(160, 120, 13)
    const { ledger, apiKey } = await fill(dataDir, { picture, uploads, images })
    const { cut, lies } = await killBackups(dataDir, kills)
    for (let round = 0; round < runs; round++) {
      const archive = join(folder, `${round}.tar`)
      const known = await backUpAmidWrites(dataDir, { archive, picture, ledger })
      // The second instance gets only the archive of the first one, whose data is deleted.
      if (round === runs - 1) await rm(dataDir, { recursive: true })
      const elsewhere = join(folder, 'elsewhere')
      await promisify(execFile)(process.execPath, [cli, 'restore', archive], {
        env: { PATH: process.env.PATH, DATA_DIR: elsewhere },
      })
      const contents = await readArchive(archive)
      wrongs.push(...contents.violations, ...(await differences(elsewhere, contents)))
      wrongs.push(...known.filter((id) => !contents.originals.has(id)).map(() => 'acknowledged, but not in the backup'))
      wrongs.push(...(await useless(elsewhere, { ledger, apiKey })))
      archived += contents.originals.size
      restored += (await filesIn(join(elsewhere, 'originals'))).length
      await Promise.all([rm(elsewhere, { recursive: true }), rm(archive)])
      if (form === 'full') console.log(`  ${round + 1} of ${runs}: ${archived} images, ${wrongs.length} wrongs`)
    }
    return [
      info('runs', runs),
      atLeast('images in the archives, all of them restored', Math.min(archived, restored), runs * images),
      none('archives unlike their manifest, rows or images unlike their archive, logins or keys that fail', wrongs),
      atLeast('backups cut by SIGKILL', cut, 1),
      none('backups that were cut and are listed as completed, or have left files', lies),
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Uploads some images and copies them many times: rows and small files, each with different bytes. */
async function fill(dataDir: string, given: { picture: Buffer; uploads: number; images: number }) {
  await mkdir(dataDir)
  const server = await startServer({ dataDir, env })
  const ledger = new Ledger()
  const token = await tokenOf(await postJson(`${server.url}/api/register`, user))
  const key = await postJson(`${server.url}/api/api-keys`, {}, token)
  for (let n = 0; n < given.uploads; n++) {
    // The last one belongs to a guest.
    const reply = await upload(server.url, given.picture, n % 2 === 0 ? { token } : {})
    if (reply.status !== 201) throw new Error(`An upload responds with ${reply.status}: ${reply.body.toString('utf8')}`)
    ledger.add(imageIn(reply), given.picture)
  }
  await server.stop()
  await multiply(dataDir, ledger.acknowledged.at(-1)?.image.id ?? '', given.images - given.uploads)
  return { ledger, apiKey: (JSON.parse(key.body.toString('utf8')) as { key: string }).key }
}

/** @param model a guest's image, which is copied with other bytes */
async function multiply(dataDir: string, model: string, count: number): Promise<void> {
  const home = (id: string) => join(dataDir, 'originals', id.slice(0, 2))
  const bytes = await readFile(join(home(model), model))
  const Driver = await loadDriver()
  const database = new Driver(join(dataDir, 'image-host.sqlite'))
  // @NOTE No prepared statements: until they are collected the database is not closed, and its files still change.
  database.exec(`BEGIN; CREATE TEMP TABLE model AS SELECT * FROM images WHERE id = '${model}'`)
  for (let n = 0; n < count; n++) {
    const id = `copy${String(n).padStart(18, '0')}`
    const file = Buffer.concat([bytes, Buffer.from(id)])
    database.exec(
      `UPDATE model SET id = '${id}', file_name = 'copy-${id}.jpg', bytes = ${file.length}, sha256 = '${sha256(file)}';
      INSERT INTO images SELECT * FROM model`,
    )
    await mkdir(home(id), { recursive: true })
    await writeFile(join(home(id), id), file)
  }
  database.exec('COMMIT')
  database.close()
}

/** @returns the images that were acknowledged before the backup started and not deleted: the archive must contain all of them */
async function backUpAmidWrites(
  dataDir: string,
  { archive, picture, ledger }: { archive: string; picture: Buffer; ledger: Ledger },
): Promise<string[]> {
  const server = await startServer({ dataDir, env })
  const stopWriting = keepWriting(server, picture)
  try {
    const token = await tokenOf(await postJson(`${server.url}/api/login`, admin))
    const started = await postJson(`${server.url}/api/database/backup`, {}, token)
    if (started.status !== 201) throw new Error(`No backup: ${started.status} ${started.body.toString('utf8')}`)
    const { backupId: id } = JSON.parse(started.body.toString('utf8')) as { backupId: string }
    while ((await listed(server, token)).find((backup) => backup.id === id)?.status === 'running') await sleep(20)
    await stopWriting()
    const download = await call(`${server.url}/api/database/backups/${id}/download`, {
      headers: { authorization: `Bearer ${token}` },
      timeoutMs: 300_000,
    })
    if (download.status !== 200)
      throw new Error(`The archive responds with ${download.status} ${download.body.toString('utf8')}`)
    await writeFile(archive, download.body)
    return ledger.acknowledged.map(({ image }) => image.id)
  } finally {
    await stopWriting()
    await server.stop()
  }
}

/** Uploads images and deletes some. @returns a function that stops the clients and awaits their last responses */
function keepWriting(server: RunningServer, picture: Buffer): () => Promise<unknown> {
  let goesOn = true
  const guests: { id: string; delete_token: string }[] = []
  const work = Array.from({ length: writers }, async (_, writer) => {
    while (goesOn) {
      const reply = await upload(server.url, picture)
      if (reply.status === 201) guests.push(JSON.parse(reply.body.toString('utf8')))
      const gone = writer === 0 ? guests.shift() : undefined
      if (!gone) continue
      const headers = { 'x-guest-token': gone.delete_token }
      await call(`${server.url}/api/images/${gone.id}`, { method: 'DELETE', headers })
    }
  })
  return () => {
    goesOn = false
    return Promise.all(work)
  }
}

/** Exactly the content of the archive, byte for byte. */
async function differences(
  dataDir: string,
  { rows, originals, acknowledged, leftOut }: ArchiveContents,
): Promise<string[]> {
  const wrongs: string[] = []
  const Driver = await loadDriver()
  const database = new Driver(join(dataDir, 'image-host.sqlite'))
  const ofImages = new Set(['images', 'expiry_notices'])
  for (const [table, count] of Object.entries(rows)) {
    const { n } = database.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }
    const gone = ofImages.has(table) ? leftOut.size : 0
    // The restore is an entry of the restored log.
    const more = table === 'audit_log' ? 1 : 0
    if (n > count + more || n < count + more - gone) wrongs.push(`${table} has ${n} rows and had ${count}`)
  }
  const found = database.prepare('SELECT id, sha256 FROM images').all() as { id: string; sha256: string }[]
  database.close()
  for (const { id, sha256: hash } of found)
    if (acknowledged.get(id) !== hash || originals.get(id) !== hash) wrongs.push('a row of an image unlike its archive')
  if (found.length !== originals.size) wrongs.push(`${found.length} rows of images, ${originals.size} originals`)
  const files = await readdir(join(dataDir, 'originals'), { recursive: true, withFileTypes: true })
  for (const file of files.filter((entry) => entry.isFile())) {
    const hash = sha256(await readFile(join(file.parentPath, file.name)))
    if (originals.get(file.name) !== hash) wrongs.push('an original unlike its archive')
  }
  return wrongs
}

/** What does not work on the restored instance. */
async function useless(dataDir: string, { ledger, apiKey }: { ledger: Ledger; apiKey: string }): Promise<string[]> {
  const server = await startServer({ dataDir })
  try {
    const wrongs: string[] = []
    for (const who of [admin, user]) {
      const { status } = await postJson(`${server.url}/api/login`, who)
      if (status !== 200) wrongs.push(`the login of ${who.email} responds with ${status}`)
    }
    const ofKey = await call(`${server.url}/api/images`, { headers: { authorization: `Bearer ${apiKey}` } })
    if (ofKey.status !== 200) wrongs.push(`the API key responds with ${ofKey.status}`)
    for (const { image } of ledger.acknowledged) {
      const reply = await call(server.url + new URL(image.url).pathname)
      if (reply.status !== 200 || reply.headers.etag !== `"${sha256(reply.body)}"`)
        wrongs.push(`an original responds with ${reply.status}`)
    }
    return wrongs
  } finally {
    await server.kill()
  }
}

/** Kills the server during a backup, and reads the backup list of its successor. */
async function killBackups(dataDir: string, kills: number): Promise<{ cut: number; lies: string[] }> {
  const lies: string[] = []
  let cut = 0
  for (let n = 0; n < kills * 10 && cut < kills; n++) {
    const server = await startServer({ dataDir, env })
    const token = await tokenOf(await postJson(`${server.url}/api/login`, admin))
    const started = await postJson(`${server.url}/api/database/backup`, {}, token)
    await sleep(n % 2 === 0 ? 0 : Math.random() * 50)
    await server.kill()
    const { backupId: id } = JSON.parse(started.body.toString('utf8')) as { backupId: string }
    const wasCut = (await readdir(join(dataDir, 'backups'))).includes(`${id}.tar.part`)
    const next = await startServer({ dataDir, env })
    const status = (await listed(next, await tokenOf(await postJson(`${next.url}/api/login`, admin)))).find(
      (backup) => backup.id === id,
    )?.status
    await next.stop()
    const files = await readdir(join(dataDir, 'backups'))
    if (wasCut) cut++
    if (wasCut && status !== 'failed') lies.push(`cut, and listed as ${status}`)
    if (files.some((name) => name.endsWith('.part'))) lies.push('a part of an archive is left')
    if (status === 'completed') lies.push(...(await readArchive(join(dataDir, 'backups', `${id}.tar`))).violations)
    else if (files.includes(`${id}.tar`)) lies.push(`an archive that is listed as ${status}`)
  }
  return { cut, lies }
}

async function tokenOf({ status, body }: CallResponse): Promise<string> {
  const { token } = JSON.parse(body.toString('utf8')) as { token?: string }
  if (token === undefined) throw new Error(`No token: ${status} ${body.toString('utf8')}`)
  return token
}

async function listed(server: RunningServer, token: string): Promise<Backup[]> {
  const reply = await call(`${server.url}/api/database/backups`, { headers: { authorization: `Bearer ${token}` } })
  if (reply.status !== 200)
    throw new Error(`The list of backups responds with ${reply.status} ${reply.body.toString('utf8')}`)
  return (JSON.parse(reply.body.toString('utf8')) as { backups: Backup[] }).backups
}
