// Creates thousands of images from an uploaded one: copies its row and, if requested, its files under new ids.
import { createHash } from 'node:crypto'
import { copyFile, cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, sqliteFileIn, withSqliteFile } from '../faults/sqlite-file.ts'

const hourMs = 3_600_000

/**
 * Writes to the SQLite file of a DATA_DIR while no server runs. Each copy is an hour older than the one before it.
 * @param withFiles number of copies that get files: a gallery shows only the first ones
 * @returns the ids of the copies
 */
export async function copyImage(dataDir: string, from: string, count: number, withFiles = count): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, n) =>
    createHash('sha256').update(`copy ${n}`).digest('base64url').slice(0, 22),
  )
  await withSqliteFile(sqliteFileIn(dataDir), (database) => copyRow(database, from, ids))
  for (const id of ids.slice(0, withFiles)) await copyFiles(dataDir, from, id)
  return ids
}

function copyRow(database: Database, from: string, ids: string[]): void {
  const row = database.prepare('select * from images where id = ?').get(from) as Record<string, string | number | null>
  const names = Object.keys(row)
  const insert = database.prepare(`insert into images (${names.join()}) values (${names.map(() => '?').join()})`)
  database.exec('begin')
  for (const [n, id] of ids.entries()) {
    const own = { ...row, id, file_name: `${id}.jpg`, created_at: Number(row.created_at) - (n + 1) * hourMs }
    insert.run(...names.map((name) => own[name as keyof typeof own] ?? null))
  }
  if (row.owner_id !== null && row.owner_id !== undefined)
    database.prepare('update users set image_count = image_count + ? where id = ?').run(ids.length, row.owner_id)
  database.exec('commit')
  // Moves all data into the one file: the others remain until the statements above are garbage collected.
  database.exec('pragma wal_checkpoint(truncate)')
}

async function copyFiles(dataDir: string, from: string, to: string): Promise<void> {
  const folderOf = (kind: string, id: string) => join(dataDir, kind, id.slice(0, 2))
  await mkdir(folderOf('originals', to), { recursive: true })
  await copyFile(join(folderOf('originals', from), from), join(folderOf('originals', to), to))
  await cp(join(folderOf('variants', from), from), join(folderOf('variants', to), to), { recursive: true })
}
