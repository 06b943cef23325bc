// Saves the documents of a collection to an NDJSON file before the collection is deleted, in the
// form that the command `import` reads.
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { dayMs } from '../../../contract/plain/limits.ts'
import { makeFolder, moveDurably, nullWhenMissing, syncFile } from '../../blobs/durable.ts'
import type { CollectionsTable, DocumentsTable, Schema } from '../../db/schema.ts'
import type { Deps } from '../shared/deps.ts'
import { newId } from '../shared/secrets.ts'
import { listFolder, assertBackupSpace, snapshotFolder, unfinished } from '../backups/backup-files.ts'
import { createNdjsonFile } from '../backups/ndjson-file.ts'

/**
 * Count and size are per user: deleting collections does not remove the snapshots of other users.
 * The newest is retained whatever its size, others while all together stay within maxBytes.
 */
export const snapshotRetention = { maxAgeMs: 30 * dayMs, maxCount: 100, maxBytes: 1024 * 1024 * 1024 }
const bytesPerRead = 4 * 1024 * 1024
const documentsPerRead = 500

export interface CollectionSnapshot {
  /** Adds documents inserted since. @returns the path of the durable file; null without documents */
  finish(db: Kysely<Schema>): Promise<string | null>
  /** Closes the file; deletes it unless it was finished. */
  discard(): Promise<void>
}

/** Writes the current documents. @param userId of the deleter. @throws {Failure} no_space_for_backup */
export async function openCollectionSnapshot(
  deps: Pick<Deps, 'config' | 'db' | 'now' | 'randomBytes'>,
  collection: CollectionsTable,
  userId: string,
): Promise<CollectionSnapshot> {
  const folder = join(snapshotFolder(deps), userId)
  await makeFolder(folder, 0o700)
  const time = new Date(deps.now()).toISOString().replace(/[:.]/g, '-')
  const name = `${time}-${slugOf(collection.name ?? '')}-${newId(deps)}.ndjson`
  const path = join(folder, name + unfinished)
  const file = await createNdjsonFile(path)
  let next = 0
  const add = async (db: Kysely<Schema>, end: number) => {
    for await (const rows of documentsBetween(db, collection.id, next, end)) {
      await assertBackupSpace(
        folder,
        rows.reduce((sum, { bytes }) => sum + bytes, 0),
      )
      for (const row of rows) await file.add(lineOf(row))
      next = (rows.at(-1)?.position ?? next) + 1
    }
  }
  const discard = async () => {
    await file.discard()
    await rm(path, { force: true })
  }
  try {
    // Up to the current last document, so that concurrent inserts cannot extend the loop forever.
    await add(deps.db, collection.next_position)
    // Syncs most of the data here, so that finishing is short.
    await syncFile(path)
  } catch (error) {
    await discard()
    throw error
  }
  return {
    discard,
    async finish(db) {
      await add(db, Number.MAX_SAFE_INTEGER)
      const { lines } = await file.close()
      if (lines === 0) return null
      await moveDurably(path, join(folder, name))
      return join(userId, name)
    },
  }
}

/** Deletes the oldest snapshots of a user beyond the limits, and files that a crash left. */
export async function pruneSnapshots(deps: Pick<Deps, 'config' | 'now'>, userId: string): Promise<void> {
  let [count, bytes] = [0, 0]
  // Names start with their time.
  for (const file of (await snapshotsIn(join(snapshotFolder(deps), userId))).toReversed()) {
    if (file.path.endsWith(unfinished)) {
      if (file.mtimeMs < deps.now() - dayMs) await rm(file.path, { force: true })
      continue
    }
    count++
    bytes += file.size
    if (count > 1 && (count > snapshotRetention.maxCount || bytes > snapshotRetention.maxBytes))
      await rm(file.path, { force: true })
  }
}

/**
 * Deletes old snapshots of all users.
 * @param now UTC milliseconds of the trusted clock: a wrong one must not delete them
 */
export async function sweepSnapshots(deps: Pick<Deps, 'config'>, now: number): Promise<{ removed: number }> {
  const folder = snapshotFolder(deps)
  // Files of versions before 0.3 are directly in the folder.
  const folders = [folder, ...(await listFolder(folder)).map((name) => join(folder, name))]
  let removed = 0
  for (const one of folders) {
    for (const file of await snapshotsIn(one)) {
      if (file.mtimeMs > now - snapshotRetention.maxAgeMs) continue
      await rm(file.path, { force: true })
      removed++
    }
  }
  return { removed }
}

interface SnapshotFile {
  path: string
  size: number
  mtimeMs: number
}

/** By name. Empty where there is no such folder. */
async function snapshotsIn(folder: string): Promise<SnapshotFile[]> {
  const found: SnapshotFile[] = []
  for (const name of (await listFolder(folder)).toSorted()) {
    if (!/\.ndjson(\.part)?$/.test(name)) continue
    const path = join(folder, name)
    const file = await stat(path).catch(nullWhenMissing)
    if (file) found.push({ path, size: file.size, mtimeMs: file.mtimeMs })
  }
  return found
}

/** In insertion order, a few megabytes at a time. */
async function* documentsBetween(
  db: Kysely<Schema>,
  collectionId: string,
  first: number,
  end: number,
): AsyncGenerator<DocumentsTable[]> {
  for (let next = first; ;) {
    const ours = db.selectFrom('documents').where('collection_id', '=', collectionId)
    const from = ours.where('position', '>=', next).where('position', '<', end)
    const heads = await from.select(['position', 'bytes']).orderBy('position').limit(documentsPerRead).execute()
    let bytes = 0
    const over = heads.findIndex((head, at) => (bytes += head.bytes) > bytesPerRead && at > 0)
    const last = (over === -1 ? heads.at(-1) : heads[over - 1])?.position
    if (last === undefined) return
    yield await from.where('position', '<=', last).selectAll().orderBy('position').execute()
    next = last + 1
    // SQLite queries never yield to the event loop: yield explicitly.
    await setImmediate()
  }
}

/** The body is JSON.stringify of an object without these three fields, so they are spliced in. */
function lineOf({ id, body, created_at: createdAt, version }: DocumentsTable): string {
  const own = JSON.stringify({ _id: id, createdAt: new Date(createdAt).toISOString(), __v: version })
  return body === '{}' ? own : `${own.slice(0, -1)},${body.slice(1)}`
}

/** For people who search for the file; the log has the full name. */
const slugOf = (name: string) =>
  name
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40) || 'collection'
