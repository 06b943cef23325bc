// The backup archive format: a tar file with the tables, the originals in the order of the table of
// images, then the manifest. An archive of rows has no originals.
import { z } from 'zod'
import { CommandRefused } from './command-refused.ts'

export const manifestName = 'manifest.json'
export const tableEntry = (table: string) => `tables/${table}.ndjson`
export const originalEntry = (imageId: string) => `originals/${imageId}`

/** Names are never used as paths: an archive cannot choose where its bytes are written. */
const patterns = { table: /^tables\/([a-z][a-z_]{0,60})\.ndjson$/, original: /^originals\/([\w-]{1,64})$/ }

export type EntryName = { manifest: true } | { table: string } | { imageId: string }

/** @throws {CommandRefused} for a name that no backup contains */
export function readEntryName(name: string): EntryName {
  if (name === manifestName) return { manifest: true }
  const table = patterns.table.exec(name)?.[1]
  if (table !== undefined) return { table }
  const imageId = patterns.original.exec(name)?.[1]
  if (imageId !== undefined) return { imageId }
  throw new CommandRefused(`The archive contains the unexpected entry ${JSON.stringify(name.slice(0, 200))}`)
}

const count = z.number().int().min(0)

const manifestSchema = z.object({
  format: z.literal('image-host-backup'),
  version: z.literal(1),
  created_at: z.iso.datetime(),
  /** Version of the product that wrote it. */
  app: z.string(),
  database: z.enum(['sqlite', 'postgres']),
  /** The last migration of its database. */
  schema: z.string(),
  /** Row counts of the tables, in insertion order. */
  tables: z.record(z.string(), z.object({ rows: count })),
  /** Those in the archive. */
  originals: z.object({ count, bytes: count }),
  /** The originals are kept apart from the archive: in the store, or in the bucket of backups. */
  rows_only: z.literal(true).optional(),
  /** Images without their bytes: deleted while the backup ran, or missing or damaged before. */
  left_out: z.array(z.object({ id: z.string(), why: z.enum(['deleted', 'missing', 'damaged']) })),
})

/** The manifest without its last member, `files`, which lists the files in archive order. */
export type Manifest = z.output<typeof manifestSchema>

export interface ArchivedFile {
  name: string
  size: number
  /** Hex. */
  sha256: string
}

// The manifest is one JSON document with `files` last and one file per line, so that a million
// entries are read one by one.
const filesStart = ',"files":['
const filesEnd = ']}'

export const manifestHead = (manifest: Manifest) => JSON.stringify(manifest).slice(0, -1) + filesStart
export const manifestTail = filesEnd
export const fileLine = ({ name, size, sha256 }: ArchivedFile) => JSON.stringify({ name, size, sha256 })

/** @throws {CommandRefused} for a manifest that this version cannot read */
export function readManifestHead(line: string): Manifest {
  if (!line.endsWith(filesStart)) throw new CommandRefused('The manifest has an unknown layout')
  try {
    return manifestSchema.parse(JSON.parse(`${line.slice(0, -filesStart.length)}}`))
  } catch (error) {
    throw new CommandRefused('This version cannot read the manifest', { cause: error })
  }
}
