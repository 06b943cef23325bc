// Writes pictures to folders, with a list as JSON and a page that shows them.
import { createWriteStream } from 'node:fs'
import { type FileHandle, mkdir, open, rm, utimes, writeFile } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { pipeline } from 'node:stream/promises'
import type { Kysely } from 'kysely'
import { formats } from '../../../contract/plain/formats.ts'
import { BlobMissing } from '../../blobs/blob-store.ts'
import { readOldestFirst } from '../../db/read-oldest-first.ts'
import type { Schema } from '../../db/schema.ts'
import type { Account } from '../../domain/shared/caller.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import { savedName } from '../../domain/images/image-names.ts'
import type { ImageRow } from '../../domain/images/image-row.ts'
import { writeAlbums } from './write-albums.ts'
import { toImageRecord } from './image-record.ts'
import { folderItem, pageEnd, pageStart, imageItem } from './index-page.ts'

interface Target {
  folder: string
  signal: AbortSignal
}

interface Exported {
  images: number
  bytes: number
  /** Images that could not be written, with the reason. Images that are deleted meanwhile do not count. */
  missing: { id: string; problem: string }[]
}

const rowsPerPage = 200
/** File systems allow 255 bytes: the rest is for an extension and the number of a copy. */
const maxStemBytes = 240
/** Errors of one file; others, such as a full disk, end the export. */
const fileErrors = new Set(['ENAMETOOLONG', 'EILSEQ', 'EINVAL', 'EACCES', 'EPERM', 'EIO'])

/** The pictures of an account, without those in quarantine. */
export async function exportAccount(deps: Deps, account: Account, target: Target): Promise<Exported> {
  return writeImages(deps, { ...target, title: account.email, ownerId: account.id, withQuarantined: false })
}

/** Everything: a folder for each account, and one for guests. */
export async function exportInstance(deps: Deps, { folder, signal }: Target): Promise<Exported> {
  const total: Exported = { images: 0, bytes: 0, missing: [] }
  const accounts = await deps.db.selectFrom('users').selectAll().orderBy('email').execute()
  const names = uniqueNames()
  const index = await open(join(folder, 'index.html'), 'w', 0o600)
  try {
    await index.write(pageStart(deps.config.SITE_NAME))
    for (const account of [...accounts, null]) {
      const title = account?.email ?? 'Guests'
      const name = names(account === null ? 'guests' : title)
      const inside = join(folder, name)
      await mkdir(inside, { mode: 0o700 })
      const options = { folder: inside, signal, title, ownerId: account?.id ?? null, withQuarantined: true }
      const { images, bytes, missing } = await writeImages(deps, options)
      total.images += images
      total.bytes += bytes
      total.missing.push(...missing)
      await index.write(folderItem(name, title, images))
    }
    await index.write(pageEnd)
  } finally {
    await index.close()
  }
  await writeFile(join(folder, 'accounts.json'), `${JSON.stringify(accounts.map(toRecord), null, 2)}\n`, {
    mode: 0o600,
  })
  return total
}

const toRecord = (account: Account) => ({
  email: account.email,
  name: account.name,
  first_name: account.first_name,
  last_name: account.last_name,
  role: account.role,
  status: account.status,
  created_at: new Date(account.created_at).toISOString(),
})

interface ImagesOptions extends Target {
  title: string
  /** null: the images of guests. */
  ownerId: string | null
  withQuarantined: boolean
}

async function writeImages(deps: Deps, options: ImagesOptions): Promise<Exported> {
  const { folder, signal, title } = options
  const exported: Exported = { images: 0, bytes: 0, missing: [] }
  const names = uniqueNames(['images.json', 'albums.json', 'index.html'])
  const files = new Map<string, string>()
  const list = await open(join(folder, 'images.json'), 'w', 0o600)
  const page = await open(join(folder, 'index.html'), 'w', 0o600)
  try {
    await page.write(pageStart(title))
    for await (const rows of readImages(deps, options)) {
      for (const row of rows) {
        signal.throwIfAborted()
        const file = names(fileName(row))
        const problem = await writeOriginal(deps, row, join(folder, file))
        if (problem !== null) {
          if (await exists(deps.db, row.id)) exported.missing.push({ id: row.id, problem })
          continue
        }
        const record = toImageRecord(row, file)
        await writeItem(list, exported.images, JSON.stringify(record))
        await page.write(imageItem(record))
        files.set(row.id, file)
        exported.images++
        exported.bytes += row.bytes
      }
    }
    await list.write(exported.images === 0 ? '[]\n' : '\n]\n')
    await page.write(pageEnd)
    if (options.ownerId !== null)
      await writeAlbums(deps, { id: options.ownerId }, { path: join(folder, 'albums.json'), files })
    return exported
  } finally {
    await list.close()
    await page.close()
  }
}

/** Without the characters that file systems of Windows refuse, and not longer than file systems allow. */
function fileName(row: ImageRow): string {
  const { name: stem, ext } = parse(savedName(row.original_name, formats[row.format].extensions[0]))
  // The decoder omits a character that is cut.
  const cut = new StringDecoder('utf8').write(Buffer.from(stem).subarray(0, maxStemBytes))
  return (cut + ext).replace(/[<>:"|?*]/g, '_')
}

const writeItem = (list: FileHandle, count: number, json: string) => list.write(`${count === 0 ? '[' : ','}\n${json}`)

/** Of images that have not expired and are not deleted, the oldest first. */
function readImages(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { ownerId, withQuarantined }: Pick<ImagesOptions, 'ownerId' | 'withQuarantined'>,
): AsyncGenerator<ImageRow[]> {
  const images = () =>
    db
      .selectFrom('images')
      .selectAll()
      .where('owner_id', ownerId === null ? 'is' : '=', ownerId)
      .where('undo_until', 'is', null)
      .where('expires_at', '>', now())
      .$if(!withQuarantined, (shown) => shown.where('quarantined_at', 'is', null))
  return readOldestFirst(images, rowsPerPage)
}

const exists = async (db: Kysely<Schema>, id: string) =>
  (await db.selectFrom('images').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

/** @returns why the file is missing, else null */
async function writeOriginal({ blobs }: Pick<Deps, 'blobs'>, row: ImageRow, path: string): Promise<string | null> {
  try {
    const bytes = await blobs.read(row.id, undefined, { inBackground: true })
    const stream = Buffer.isBuffer(bytes) ? Readable.from([bytes]) : bytes
    await pipeline(stream, createWriteStream(path, { mode: 0o600 }))
    await utimes(path, row.created_at / 1000, row.created_at / 1000)
    return null
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (!(error instanceof BlobMissing) && !fileErrors.has(code ?? '')) throw error
    // Its path may be what the system refuses.
    await rm(path, { force: true }).catch(() => {})
    return error instanceof BlobMissing ? 'its bytes are missing: run check' : message
  }
}

/** Returns a function that adds a number to a name that it has returned before, on any file system. */
function uniqueNames(reserved: string[] = []): (name: string) => string {
  const used = new Map(reserved.map((name) => [name, 1]))
  return (name) => {
    const dot = name.lastIndexOf('.')
    const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
    for (;;) {
      const key = name.toLowerCase()
      const copy = (used.get(key) ?? 0) + 1
      used.set(key, copy)
      if (copy === 1) return name
      const numbered = `${stem} (${copy})${extension}`
      if (used.has(numbered.toLowerCase())) continue
      used.set(numbered.toLowerCase(), 1)
      return numbered
    }
  }
}
