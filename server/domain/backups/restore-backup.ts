// Restores a backup into an empty instance, of either database and either store. All or nothing.
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { nullWhenMissing } from '../../blobs/durable.ts'
import { migrationNames } from '../../db/migrate.ts'
import { normalizeTag } from '../../../contract/plain/tag-names.ts'
import { countRows } from '../../db/count-rows.ts'
import { completeTags } from '../../db/image-tags.ts'
import type { Schema } from '../../db/schema.ts'
import { deletedExpiry } from '../images/deletion/deletion-states.ts'
import { inBatches } from '../shared/batches.ts'
import type { Deps } from '../shared/deps.ts'
import { DiskFull, isDiskFull } from '../shared/disk-space.ts'
import type { Manifest } from './archive-format.ts'
import { spaceFor } from './backup-files.ts'
import { readLines } from './ndjson-file.ts'
import { type Archive, openArchive } from './read-archive.ts'
import { bytesOutside, describeLost, findOriginals, keysOf, type LostOriginal } from './find-originals.ts'
import { CommandRefused } from './command-refused.ts'
import { columnsOf, type Row, writeRows } from './table-rows.ts'
import { allTables, backedUpTables, type TableName, tables } from './table-list.ts'

const rowsPerBatch = 500
const putsAtOnce = 4

/** Tables that an instance without accounts and images fills too; their rows are replaced. */
const filledAtStart: TableName[] = ['settings', 'audit_log']

export interface RestoreOptions {
  /** Has the originals of an archive of rows that are not in the store of the instance. */
  from?: BlobStore | undefined
  /** Restores without the images whose originals are missing or damaged. */
  isPartial?: boolean
  /** Writes in the same transaction. */
  onRestored?: (transaction: Transaction<Schema>, manifest: Manifest) => Promise<void>
}

/**
 * Verifies the whole archive, stores its originals, then inserts its rows in one transaction.
 * Nothing is visible before that; on failure the originals are deleted again.
 * The originals of an archive of rows may be in the store of the instance before.
 * @returns the manifest, which lists the images that were left out
 * @throws {CommandRefused} when the instance is not empty, or anything in the archive is invalid
 */
export async function restoreBackup(
  deps: Pick<Deps, 'config' | 'db' | 'blobs' | 'tempDir'>,
  path: string,
  { from, isPartial = false, onRestored }: RestoreOptions = {},
): Promise<Manifest> {
  const archive = await stat(path).catch(nullWhenMissing)
  if (!archive?.isFile()) throw new CommandRefused(`There is no file ${path}`)
  await assertEmpty(deps.db)
  if (deps.blobs.isOnDisk) await assertRestoreSpace(deps, archive.size)
  await mkdir(deps.tempDir, { recursive: true })
  const work = await mkdtemp(join(deps.tempDir, 'restore-'))
  const stored: string[] = []
  try {
    const contents = await openArchive(path, work)
    await assertCompatible(deps.db, contents)
    const lost: LostOriginal[] = []
    const folder = await mkdtemp(join(work, 'originals-'))
    if (contents.manifest.rows_only) {
      const here = await keysOf(deps.blobs)
      if (from && deps.blobs.isOnDisk) await assertRestoreSpace(deps, await bytesOutside(here, contents))
      await storeOriginals(deps, findOriginals(deps, contents, { here, from, folder, lost }), stored)
      if (lost.length > 0 && !isPartial) throw new CommandRefused(describeLost(lost))
    } else {
      await assertKnownOriginals(deps, contents)
      await storeOriginals(deps, contents.originals(folder), stored)
    }
    const manifest = { ...contents.manifest, left_out: [...contents.manifest.left_out, ...lost] }
    await deps.db.transaction().execute(async (transaction) => {
      await assertEmpty(transaction)
      await putRows(transaction, { ...contents, manifest })
      await onRestored?.(transaction, manifest)
    })
    return manifest
  } catch (error) {
    for (const id of stored) await deps.blobs.delete(id)
    if (!isDiskFull(error)) throw error
    throw new DiskFull(`The disk of ${deps.config.DATA_DIR} became full. Nothing was restored`, { cause: error })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** The tables of an archive are small beside its originals. @throws {CommandRefused} */
async function assertRestoreSpace({ config: { DATA_DIR } }: Pick<Deps, 'config'>, bytes: number): Promise<void> {
  const { neededBytes, freeBytes } = await spaceFor(DATA_DIR, bytes)
  if (freeBytes >= neededBytes) return
  throw new CommandRefused(
    `Not enough disk space in ${DATA_DIR}: the restore needs about ${neededBytes} bytes, ${freeBytes} are free`,
  )
}

async function assertEmpty(db: Kysely<Schema>): Promise<void> {
  const found: string[] = []
  for (const table of backedUpTables) {
    if (filledAtStart.includes(table)) continue
    const count = await countRows(db.selectFrom(table))
    if (count > 0) found.push(`${table}: ${count}`)
  }
  if (found.length > 0) {
    throw new CommandRefused(
      `This instance is not empty (${found.join(', ')}). Restore into a new DATA_DIR or database`,
    )
  }
}

/** Refuses archives of a newer version or an unknown schema. */
async function assertCompatible(db: Kysely<Schema>, { manifest, tablePath }: Archive): Promise<void> {
  if (!migrationNames.includes(manifest.schema)) {
    throw new CommandRefused(`The backup is of a newer version (${manifest.app}, ${manifest.schema}). Update first`)
  }
  const columns = await columnsOf(db)
  for (const table of Object.keys(manifest.tables)) {
    const known = columns.get(table)
    if (!known || !backedUpTables.includes(table as TableName))
      throw new CommandRefused(`This database has no table ${table}`)
    let line = 0
    for await (const text of readLines(tablePath(table))) {
      line++
      const strange = Object.keys(JSON.parse(text) as Row).find((column) => !known.has(column))
      if (strange !== undefined)
        throw new CommandRefused(`Line ${line} of ${table} has a column that this database does not have: ${strange}`)
    }
  }
}

/** Originals of an earlier attempt may be there; any others belong to another instance. */
async function assertKnownOriginals({ blobs }: Pick<Deps, 'blobs'>, { manifest, tablePath }: Archive): Promise<void> {
  let ours: Set<string> | undefined
  for await (const { key } of blobs.list()) {
    ours ??= await idsIn(manifest.tables['images'] ? tablePath('images') : undefined)
    if (!ours.has(key)) {
      throw new CommandRefused(`The store of originals is not empty (${key}). Restore into a new DATA_DIR or bucket`)
    }
  }
}

async function idsIn(path: string | undefined): Promise<Set<string>> {
  const ids = new Set<string>()
  if (path === undefined) return ids
  for await (const line of readLines(path)) ids.add((JSON.parse(line) as { id: string }).id)
  return ids
}

/** @param stored collects the id of each original that is, or is about to be, in the store */
async function storeOriginals(
  { blobs }: Pick<Deps, 'blobs'>,
  originals: ReturnType<Archive['originals']>,
  stored: string[],
): Promise<void> {
  const puts: Promise<void>[] = []
  try {
    for await (const { imageId, path } of originals) {
      stored.push(imageId)
      const put = blobs.put(imageId, path)
      // The failure is thrown when the result is awaited.
      put.catch(() => {})
      puts.push(put)
      if (puts.length >= putsAtOnce) await puts.shift()
    }
    await Promise.all(puts)
  } finally {
    await Promise.allSettled(puts)
  }
}

async function putRows(db: Kysely<Schema>, { manifest, tablePath }: Archive): Promise<void> {
  const leftOut = new Set(manifest.left_out.map(({ id }) => id))
  for (const table of filledAtStart) await db.deleteFrom(table).execute()
  for (const table of allTables) {
    if (!manifest.tables[table]) continue
    const { image } = tables[table]
    for await (const lines of inBatches(readLines(tablePath(table)), rowsPerBatch)) {
      const rows = lines.map((line) => JSON.parse(line) as Row)
      const wanted = rows.filter((row) => image === undefined || !leftOut.has(String(row[image])))
      if (wanted.length > 0) await putBatch(db, table, wanted)
    }
  }
  await recount(db)
}

/** Recounts: without the images left out, and correct where an older version did not count. */
async function recount(db: Kysely<Schema>): Promise<void> {
  await sql`
    update collections set
      bytes = (select coalesce(sum(bytes), 0) from documents where collection_id = collections.id)`.execute(db)
  await sql`
    update users set
      image_count = (
        select count(*) from images where owner_id = users.id and expires_at <> ${deletedExpiry.toTrash}),
      image_bytes = (select coalesce(sum(bytes), 0) from images where owner_id = users.id)`.execute(db)
  // An imported image has more views than those of its days.
  const views = sql`select sum(image_views.views) from image_views where image_views.image_id = images.id`
  await sql`update images set views = (${views}) where views < (${views})`.execute(db)
  await completeTags(db, normalizeTag)
}

async function putBatch(db: Kysely<Schema>, table: TableName, rows: Row[]): Promise<void> {
  try {
    await writeRows(db, table, rows)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandRefused(`The database refuses rows of ${table}: ${reason}`, { cause: error })
  }
}
