// F13: backups during writes, then everything deleted, restored elsewhere and compared. And backups interrupted by SIGKILL.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { UploadedImage } from '../contract/endpoints/images.ts'
import { type RunningServer, startServer } from '../e2e/server.ts'
import { type ArchiveContents, readArchive } from './archive.ts'
import {
  admin,
  adminSettings,
  call,
  described,
  imageIn,
  logIn,
  originalAt,
  register,
  requestJson,
  store,
  upload,
} from './client.ts'
import { listBackups, startBackup } from './backups.ts'
import { Ledger } from './ledger.ts'
import { jpeg } from './fault-images.ts'
import { keepSending } from './load/keep-sending.ts'
import { runCommand } from './programs.ts'
import { type Defer, openFolder, openServer, withDeferred } from './resources.ts'
import { queryRows, sqliteFileIn, withSqliteFile } from './sqlite-file.ts'
import { atLeast, type Finding, type Form, none, type Scenario, info } from './scenario.ts'
import { filesIn, sha256 } from './verify.ts'

const shape = {
  short: { runs: 1, uploads: 10, images: 60, kills: 1 },
  full: { runs: 10, uploads: 100, images: 10_000, kills: 20 },
} as const
const writers = 3

const userEmail = 'user@example.com'

export const scenario: Scenario = {
  id: 'F13',
  title: 'backups amid writes, restored elsewhere; backups cut short',
  run,
}

async function run(form: Form, defer: Defer): Promise<Finding[]> {
  const { runs, uploads, images, kills } = shape[form]
  const folder = await openFolder(defer)
  const wrongs: string[] = []
  let archived = 0
  let restored = 0
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
    const { code, printed } = await runCommand(elsewhere, 'restore', archive)
    if (code !== 0) throw new Error(`The restore ended with ${code}: ${printed}`)
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
}

/** Uploads some images and copies them many times: rows and small files, each with different bytes. */
async function fill(dataDir: string, given: { picture: Buffer; uploads: number; images: number }) {
  await mkdir(dataDir)
  const server = await startServer({ dataDir, env: adminSettings })
  const ledger = new Ledger()
  const token = await register(server.url, userEmail)
  const { key } = await requestJson<{ key: string }>(`${server.url}/api/api-keys`, { body: {}, token })
  for (let n = 0; n < given.uploads; n++)
    // The last one belongs to a guest.
    ledger.add(await store(server.url, given.picture, n % 2 === 0 ? { token } : {}), given.picture)
  await server.stop()
  await multiply(dataDir, ledger.acknowledged.at(-1)?.image.id ?? '', given.images - given.uploads)
  return { ledger, apiKey: key }
}

/** @param model a guest's image, which is copied with other bytes */
async function multiply(dataDir: string, model: string, count: number): Promise<void> {
  const home = (id: string) => join(dataDir, 'originals', id.slice(0, 2))
  const bytes = await readFile(join(home(model), model))
  await withSqliteFile(sqliteFileIn(dataDir), async (database) => {
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
  })
}

/** @returns the images that were acknowledged before the backup started and not deleted: the archive must contain all of them */
async function backUpAmidWrites(
  dataDir: string,
  { archive, picture, ledger }: { archive: string; picture: Buffer; ledger: Ledger },
): Promise<string[]> {
  const server = await startServer({ dataDir, env: adminSettings })
  const stopWriting = keepWriting(server, picture)
  try {
    const token = await logIn(server.url, admin)
    const id = await startBackup(server.url, token)
    while ((await statusOf(id, server.url, token)) === 'running') await sleep(20)
    await stopWriting()
    const download = await call(`${server.url}/api/database/backups/${id}/download`, { token, timeoutMs: 300_000 })
    if (download.status !== 200) throw new Error(`The archive responds with ${described(download)}`)
    await writeFile(archive, download.body)
    return ledger.acknowledged.map(({ image }) => image.id)
  } finally {
    await stopWriting()
    await server.stop()
  }
}

/** Uploads images and deletes some. @returns a function that stops the clients and awaits their last responses */
function keepWriting({ url }: RunningServer, picture: Buffer): () => Promise<void> {
  const guests: UploadedImage[] = []
  return keepSending(writers, async (writer) => {
    const reply = await upload(url, picture)
    if (reply.status === 201) guests.push(imageIn(reply))
    const gone = writer === 0 ? guests.shift() : undefined
    if (!gone) return
    const headers = { 'x-guest-token': gone.delete_token ?? '' }
    await call(`${url}/api/images/${gone.id}`, { method: 'DELETE', headers })
  })
}

/** Exactly the content of the archive, byte for byte. */
async function differences(
  dataDir: string,
  { rows, originals, acknowledged, leftOut }: ArchiveContents,
): Promise<string[]> {
  const wrongs: string[] = []
  const ofImages = new Set(['images', 'expiry_notices'])
  for (const [table, count] of Object.entries(rows)) {
    const [{ n } = { n: NaN }] = await queryRows<{ n: number }>(dataDir, `SELECT count(*) AS n FROM ${table}`)
    const gone = ofImages.has(table) ? leftOut.size : 0
    // The restore is an entry of the restored log.
    const more = table === 'audit_log' ? 1 : 0
    if (!(n <= count + more && n >= count + more - gone)) wrongs.push(`${table} has ${n} rows and had ${count}`)
  }
  const found = await queryRows<{ id: string; sha256: string }>(dataDir, 'SELECT id, sha256 FROM images')
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
const useless = (dataDir: string, { ledger, apiKey }: { ledger: Ledger; apiKey: string }): Promise<string[]> =>
  withDeferred(async (defer) => {
    const { url } = await openServer(defer, { dataDir })
    const wrongs: string[] = []
    for (const who of [admin, userEmail]) await logIn(url, who).catch((error) => wrongs.push(String(error)))
    const ofKey = await call(`${url}/api/images`, { token: apiKey })
    if (ofKey.status !== 200) wrongs.push(`the API key responds with ${ofKey.status}`)
    for (const { image } of ledger.acknowledged) {
      const reply = await call(originalAt(url, image))
      if (reply.status !== 200 || reply.headers.etag !== `"${sha256(reply.body)}"`)
        wrongs.push(`an original responds with ${reply.status}`)
    }
    return wrongs
  })

/** Kills the server during a backup, and reads the backup list of its successor. */
async function killBackups(dataDir: string, kills: number): Promise<{ cut: number; lies: string[] }> {
  const lies: string[] = []
  let cut = 0
  for (let n = 0; n < kills * 10 && cut < kills; n++) {
    const server = await startServer({ dataDir, env: adminSettings })
    const id = await startBackup(server.url, await logIn(server.url, admin))
    await sleep(n % 2 === 0 ? 0 : Math.random() * 50)
    await server.kill()
    const wasCut = (await readdir(join(dataDir, 'backups'))).includes(`${id}.tar.part`)
    const next = await startServer({ dataDir, env: adminSettings })
    const status = await statusOf(id, next.url, await logIn(next.url, admin))
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

const statusOf = async (id: string, url: string, token: string) =>
  (await listBackups(url, token)).find((backup) => backup.id === id)?.status
