// Copies an instance to another database or store. A second run copies only new data.
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Kysely } from 'kysely'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { countRows } from '../../db/count-rows.ts'
import type { Schema } from '../../db/schema.ts'
import type { Deps } from '../shared/deps.ts'
import { checksumOf } from './verify-store.ts'
import { CommandRefused } from './command-refused.ts'
import { findRows, readRows, type Row, writeRows } from './table-rows.ts'
import { movedTables, type TableName, tables } from './table-list.ts'

export interface Copied {
  copied: number
  /** Already present and identical. */
  there: number
}

/**
 * Copies the original of every row to another store; reads each back and compares its checksum with
 * the row's.
 * @throws {CommandRefused} when an original is missing or damaged here, or the copy differs
 */
export async function copyOriginals(deps: Pick<Deps, 'db' | 'blobs' | 'tempDir'>, to: BlobStore): Promise<Copied> {
  const result: Copied = { copied: 0, there: 0 }
  await mkdir(deps.tempDir, { recursive: true })
  const work = await mkdtemp(join(deps.tempDir, 'move-'))
  try {
    for await (const rows of readRows(deps.db, 'images')) {
      for (const row of rows) {
        const id = String(row['id'])
        if ((await checksumOf(to, id))?.sha256 === row['sha256']) {
          result.there++
          continue
        }
        const here = await checksumOf(deps.blobs, id)
        if (here?.sha256 !== row['sha256']) {
          throw new CommandRefused(
            `The original of ${id} is ${here ? 'damaged' : 'missing'} in the source store: run check, then delete the image`,
          )
        }
        const path = join(work, id)
        const bytes = await deps.blobs.read(id, undefined, { inBackground: true })
        await pipeline(
          Buffer.isBuffer(bytes) ? Readable.from([bytes]) : bytes,
          createWriteStream(path, { mode: 0o600 }),
        )
        await to.put(id, path)
        if ((await checksumOf(to, id))?.sha256 !== row['sha256']) {
          throw new CommandRefused(`The original of ${id} was not copied correctly. Run the command again`)
        }
        result.copied++
      }
    }
    return result
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/**
 * Copies a snapshot of all rows to another database in one transaction, and reads them back for
 * comparison.
 * @throws {CommandRefused} when the other database has other rows, or returns different values than
 * were written
 */
export async function copyRows(deps: Pick<Deps, 'snapshot'>, to: Kysely<Schema>): Promise<Copied> {
  return deps.snapshot((from) =>
    to.transaction().execute(async (transaction) => {
      const result: Copied = { copied: 0, there: 0 }
      for (const table of movedTables) await copyTable(from, transaction, table, result)
      return result
    }),
  )
}

async function copyTable(from: Kysely<Schema>, to: Kysely<Schema>, table: TableName, result: Copied): Promise<void> {
  for await (const rows of readRows(from, table)) {
    const missing = await differing(to, table, rows)
    result.there += rows.length - missing.length
    result.copied += missing.length
    if (missing.length === 0) continue
    await writeRows(to, table, missing, 'replace')
    const wrong = await differing(to, table, missing)
    if (wrong[0]) throw new CommandRefused(`A row of ${table} was not copied correctly: ${nameOf(table, wrong[0])}`)
  }
  const [here, there] = [await countRows(from.selectFrom(table)), await countRows(to.selectFrom(table))]
  if (there > here) {
    throw new CommandRefused(`The target database has ${there - here} other rows in ${table}: nothing was copied`)
  }
}

/** Returns those of `rows` that do not exist there with identical values. */
async function differing(db: Kysely<Schema>, table: TableName, rows: Row[]): Promise<Row[]> {
  const found = await findRows(db, table, rows)
  const there = new Map(found.map((row) => [nameOf(table, row), fingerprint(row)]))
  return rows.filter((row) => there.get(nameOf(table, row)) !== fingerprint(row))
}

const nameOf = (table: TableName, row: Row) => JSON.stringify(tables[table].key.map((column) => row[column]))

/** The order of columns differs between databases. */
const fingerprint = (row: Row) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))
