// What the archive of a user's data contains: all that is stored about them. It is made while it is sent.
import { type FileHandle, mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import tar from 'tar-stream'
import { imageUrls } from '../../../contract/derive/client.ts'
import { formats } from '../../../contract/plain/formats.ts'
import { BlobDamaged, BlobMissing } from '../../blobs/blob-store.ts'
import { expiryText } from '../../db/never-expires.ts'
import { readOldestFirst } from '../../db/read-oldest-first.ts'
import type { ImagesTable } from '../../db/schema.ts'
import type { Account } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { isoTime, isoTimeOrNull } from '../shared/iso-time.ts'
import { addEntry } from '../shared/tar-entry.ts'
import { tagsOf } from '../images/image-row.ts'
import { isInTrash } from '../images/deletion/deletion-states.ts'
import { toUser } from './account-rows.ts'
import { securityOf } from './factors/remove-factors.ts'
import { scopesOf } from './authenticate-key.ts'
import { albumsOf, linksOf, membershipsOf } from './own-data-albums.ts'

const workPrefix = 'own-data-'
const batchSize = 100

/** Holds three images at most. data.json, which may have a line for each of 100,000 images, is written to a file first. */
export async function* archiveOf(deps: Deps, account: Account, baseUrl: string): AsyncGenerator<Uint8Array> {
  await mkdir(deps.tempDir, { recursive: true })
  const work = await mkdtemp(join(deps.tempDir, workPrefix))
  const pack = tar.pack()
  const filling = fill(deps, { account, baseUrl, pack, jsonPath: join(work, 'data.json') }).then(
    () => pack.finalize(),
    // Thrown by the loop below, unless the client has closed the connection.
    (error: unknown) => pack.destroy(error as Error),
  )
  try {
    for await (const chunk of pack) yield chunk
  } finally {
    pack.destroy()
    await filling
    await rm(work, { recursive: true, force: true })
  }
}

interface Archive {
  account: Account
  baseUrl: string
  pack: tar.Pack
  jsonPath: string
}

async function fill(deps: Deps, { account, baseUrl, pack, jsonPath }: Archive): Promise<void> {
  const json = await open(jsonPath, 'wx+', 0o600)
  try {
    const head = {
      format: 'image-host-data',
      version: 1,
      exported_at: isoTime(deps.now()),
      account: toUser(deps, account),
      security: await securityOf(deps, account),
      sessions: await sessionsOf(deps, account),
      known_browsers: await browsersOf(deps, account),
      api_keys: await apiKeysOf(deps, account),
      webhooks: await webhooksOf(deps, account),
      tags: await coloursOf(deps, account),
      album_memberships: await membershipsOf(deps, account),
    }
    await json.write(JSON.stringify(head, null, 2).replace(/\n\}$/, ''))
    await writeList(json, 'images', addImages(deps, { account, baseUrl, pack }))
    await writeList(json, 'albums', albumsOf(deps, account))
    await writeList(json, 'links', linksOf(deps, account))
    await writeList(json, 'log', logOf(deps, account))
    await json.write('\n}\n')
    const { size } = await json.stat()
    await addEntry(pack, { name: 'data.json', size }, () => json.createReadStream({ start: 0, autoClose: false }))
  } finally {
    await json.close()
  }
}

async function writeList(json: FileHandle, name: string, items: AsyncIterable<object>): Promise<void> {
  await json.write(`,\n  "${name}": [`)
  let separator = '\n    '
  for await (const item of items) {
    await json.write(separator + JSON.stringify(item))
    separator = ',\n    '
  }
  await json.write('\n  ]')
}

/** Adds the bytes of every image to the archive, and yields what is stored about it. */
async function* addImages(deps: Deps, { account, baseUrl, pack }: Omit<Archive, 'jsonPath'>): AsyncGenerator<object> {
  for await (const rows of imagesOf(deps, account))
    for (const row of rows) {
      // An admin hides it from everyone.
      const isHidden = row.quarantined_at !== null
      const bytes = isHidden ? null : await readImage(deps, row)
      const file = `images/${row.file_name}`
      if (bytes) await addEntry(pack, { name: file, mtime: new Date(row.created_at) }, bytes)
      yield {
        id: row.id,
        file: bytes ? file : null,
        ...(bytes ? {} : { missing: isHidden ? 'hidden by an admin' : 'not in the store' }),
        name: row.original_name,
        title: row.title,
        alt: row.alt,
        slug: row.slug,
        url: imageUrls.original(baseUrl, row.file_name),
        type: formats[row.format].mime,
        width: row.width,
        height: row.height,
        size: row.bytes,
        sha256: row.sha256,
        created_at: isoTime(row.created_at),
        expires_at: expiryText(row.undo_expires_at ?? row.expires_at),
        restorable_until: isoTimeOrNull(row.undo_until),
        views_left: row.views_left,
        tags: tagsOf(row),
        views: row.views,
        visibility: row.visibility,
      }
    }
}

async function readImage(deps: Deps, { id, bytes: wholeBytes }: ImagesTable): Promise<Buffer | null> {
  try {
    const found = await deps.blobs.read(id, undefined, { wholeBytes, inBackground: true })
    return Buffer.isBuffer(found) ? found : await buffer(found)
  } catch (error) {
    // Deleted meanwhile, or reported by the store itself: the other images are still wanted.
    if (error instanceof BlobMissing || error instanceof BlobDamaged) return null
    throw error
  }
}

/** One that is uploaded meanwhile is included, and so is what the user can still restore. */
async function* imagesOf({ db, now }: Deps, { id }: Account) {
  const own = () => db.selectFrom('images').selectAll().where('owner_id', '=', id)
  yield* readOldestFirst(() => own().where(isInTrash(now())), batchSize, 'undo_until')
  yield* readOldestFirst(() => own().where('undo_until', 'is', null).where('expires_at', '>', now()), batchSize)
}

/** What the user has done (docs/decisions/0032). */
async function* logOf({ db }: Deps, { id }: Account): AsyncGenerator<object> {
  const entries = () => db.selectFrom('audit_log').selectAll().where('actor', '=', id)
  for await (const rows of readOldestFirst(entries, batchSize))
    for (const { created_at: at, action, target, address, details } of rows)
      yield { created_at: isoTime(at), action, target, address, details: JSON.parse(details) as object }
}

async function sessionsOf({ db }: Deps, { id }: Account): Promise<object[]> {
  const rows = await db.selectFrom('sessions').selectAll().where('user_id', '=', id).orderBy('created_at').execute()
  return rows.map(({ device, network, created_at: createdAt, last_seen_at: lastSeenAt }) => ({
    device,
    network,
    created_at: isoTime(createdAt),
    last_used_at: isoTime(lastSeenAt),
  }))
}

/** Of a browser only a hash is stored, which means nothing elsewhere, and when the user last logged in with it. */
async function browsersOf({ db }: Deps, { id }: Account): Promise<object[]> {
  const seen = db.selectFrom('known_browsers').select('seen_at').where('user_id', '=', id).orderBy('seen_at')
  return (await seen.execute()).map((row) => ({ last_login_at: isoTime(row.seen_at) }))
}

/** Without the keys, of which only hashes are stored. */
async function apiKeysOf({ db }: Deps, { id }: Account): Promise<object[]> {
  const rows = await db.selectFrom('api_keys').selectAll().where('user_id', '=', id).orderBy('created_at').execute()
  return rows.map((row) => ({
    name: row.name,
    prefix: row.prefix,
    scopes: scopesOf(row),
    created_at: isoTime(row.created_at),
    expires_at: isoTimeOrNull(row.expires_at),
    last_used_at: isoTimeOrNull(row.last_used_at),
    last_used_network: row.last_used_network,
    uploads_per_hour: row.uploads_per_hour,
    max_bytes: row.max_bytes,
    uploaded_bytes: row.uploaded_bytes,
    upload_visibility: row.upload_visibility,
    album_id: row.album_id,
  }))
}

/** The tags that have a colour; those of images are with them. */
const coloursOf = ({ db }: Deps, { id }: Account) =>
  db.selectFrom('tags').select(['name', 'colour']).where('owner_id', '=', id).orderBy('name').execute()

/** Without the secrets, which sign for the receivers. */
async function webhooksOf({ db }: Deps, { id }: Account): Promise<object[]> {
  const rows = await db.selectFrom('webhooks').selectAll().where('user_id', '=', id).orderBy('created_at').execute()
  return rows.map(({ url, events, created_at: createdAt, off_reason: offReason }) => ({
    url,
    events: events.split(','),
    created_at: isoTime(createdAt),
    off_reason: offReason,
  }))
}
