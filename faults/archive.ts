// Reads backup archives independently of the product's own reader, and checks them against their manifest.
import { createReadStream } from 'node:fs'
import tar from 'tar-stream'
import { sha256 } from './verify.ts'

export interface ArchiveContents {
  /** Row count of each table. */
  rows: Record<string, number>
  /** SHA-256 of each original, by image id. */
  originals: Map<string, string>
  /** The `images` rows. */
  acknowledged: Map<string, string>
  /** Images whose bytes were deleted, lost or damaged when the backup reached them. */
  leftOut: Set<string>
  violations: string[]
}

interface Manifest {
  tables: Record<string, { rows: number }>
  originals: { count: number; bytes: number }
  left_out: { id: string }[]
  files: { name: string; size: number; sha256: string }[]
}

export async function readArchive(path: string): Promise<ArchiveContents> {
  const found: ArchiveContents = {
    rows: {},
    originals: new Map(),
    acknowledged: new Map(),
    leftOut: new Set(),
    violations: [],
  }
  const files = new Map<string, string>()
  let manifest: Manifest | undefined
  for await (const entry of createReadStream(path).pipe(tar.extract())) {
    const chunks: Buffer[] = []
    for await (const chunk of entry) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    const { name } = entry.header
    if (name === 'manifest.json') {
      manifest = JSON.parse(bytes.toString('utf8')) as Manifest
      continue
    }
    files.set(name, `${bytes.length} ${sha256(bytes)}`)
    const [kind, file = ''] = name.split('/')
    if (kind === 'originals') found.originals.set(file, sha256(bytes))
    else readTable(found, file.replace('.ndjson', ''), bytes)
  }
  if (!manifest) return { ...found, violations: ['no manifest'] }
  found.leftOut = new Set(manifest.left_out.map(({ id }) => id))
  const listed = new Map(manifest.files.map(({ name, size, sha256: hash }) => [name, `${size} ${hash}`]))
  found.violations.push(
    ...[...files].filter(([name, what]) => listed.get(name) !== what).map(([name]) => `${name} is not as listed`),
    ...[...listed.keys()].filter((name) => !files.has(name)).map((name) => `${name} is not there`),
    ...Object.entries(manifest.tables)
      .filter(([table, { rows }]) => found.rows[table] !== rows)
      .map(([table]) => `${table} has other rows than are counted`),
    ...(manifest.originals.count === found.originals.size ? [] : ['other originals than are counted']),
  )
  return found
}

function readTable(found: ArchiveContents, table: string, bytes: Buffer): void {
  const lines = bytes.toString('utf8').split('\n').filter(Boolean)
  found.rows[table] = lines.length
  if (table !== 'images') return
  for (const line of lines) {
    const row = JSON.parse(line) as { id: string; sha256: string }
    found.acknowledged.set(row.id, row.sha256)
  }
}
