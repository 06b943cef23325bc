// What is in a backup: a tar file with the tables, then the originals in the order of the table of images, then the manifest.
import { z } from 'zod'
import { CommandRefused } from './command-refused.ts'

export const manifestName = 'manifest.json'
export const tableEntry = (table: string) => `tables/${table}.ndjson`
export const originalEntry = (imageId: string) => `originals/${imageId}`

/** Names are checked against these, never used as paths: nothing in an archive says where its bytes are written. */
const patterns = { table: /^tables\/([a-z][a-z_]{0,60})\.ndjson$/, original: /^originals\/([\w-]{1,64})$/ }

export type EntryName = { manifest: true } | { table: string } | { imageId: string }

/** @throws {CommandRefused} a name that no backup holds */
export function readEntryName(name: string): EntryName {
  if (name === manifestName) return { manifest: true }
  const table = patterns.table.exec(name)?.[1]
  if (table !== undefined) return { table }
  const imageId = patterns.original.exec(name)?.[1]
  if (imageId !== undefined) return { imageId }
  throw new CommandRefused(`The archive holds ${JSON.stringify(name.slice(0, 200))}, which no backup does`)
}

const count = z.number().int().min(0)

const manifestSchema = z.object({
  format: z.literal('image-host-backup'),
  version: z.literal(1),
  created_at: z.iso.datetime(),
  /** Version of the product that made it. */
  app: z.string(),
  database: z.enum(['sqlite', 'postgres']),
  /** The last migration of its tables. */
  schema: z.string(),
  /** Rows of each table, in the order in which they can be put in. */
  tables: z.record(z.string(), z.object({ rows: count })),
  originals: z.object({ count, bytes: count }),
  /** Images of the table without their bytes: deleted while the backup ran, or lost or damaged before. */
  left_out: z.array(z.object({ id: z.string(), why: z.enum(['deleted', 'missing', 'damaged']) })),
})

/** All of the manifest but its last member, `files`, which lists every file in the order of the archive. */
export type Manifest = z.output<typeof manifestSchema>

export interface ArchivedFile {
  name: string
  size: number
  /** Hex. */
  sha256: string
}

// The manifest is one JSON document, laid out with `files` last and one file a line: a million are read one by one.
const filesStart = ',"files":['
const filesEnd = ']}'

export const manifestHead = (manifest: Manifest) => JSON.stringify(manifest).slice(0, -1) + filesStart
export const manifestTail = filesEnd
export const fileLine = ({ name, size, sha256 }: ArchivedFile) => JSON.stringify({ name, size, sha256 })

/** @throws {CommandRefused} what is no manifest of this version */
export function readManifestHead(line: string): Manifest {
  if (!line.endsWith(filesStart)) throw new CommandRefused('The manifest is not laid out as a backup writes it')
  try {
    return manifestSchema.parse(JSON.parse(`${line.slice(0, -filesStart.length)}}`))
  } catch (error) {
    throw new CommandRefused('The manifest is not one that this version reads', { cause: error })
  }
}
