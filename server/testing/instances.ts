// The contents of an instance for comparison: every row of every table, and the hash of every
// original.
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Deps } from '../domain/shared/deps.ts'
import { readRows } from '../domain/backups/table-rows.ts'
import { type TableName, tables } from '../domain/backups/table-list.ts'

export interface Contents {
  rows: Record<string, unknown[]>
  /** SHA-256 of every original by key. */
  originals: Record<string, string>
}

/** @param names of the tables to compare */
export async function contentsOf(deps: Pick<Deps, 'db' | 'blobs'>, names: TableName[]): Promise<Contents> {
  const rows: Contents['rows'] = {}
  for (const name of names) {
    const found: Record<string, unknown>[] = []
    for await (const batch of readRows(deps.db, name)) found.push(...batch)
    const keyOf = (row: Record<string, unknown>) => JSON.stringify(tables[name].key.map((column) => row[column]))
    // Databases differ in their collation.
    rows[name] = found.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  }
  const originals: Contents['originals'] = {}
  for await (const { key } of deps.blobs.list()) {
    const bytes = await deps.blobs.read(key)
    const content = Buffer.isBuffer(bytes) ? bytes : await buffer(bytes)
    originals[key] = createHash('sha256').update(content).digest('hex')
  }
  return { rows, originals }
}
