// Reads a backup archive as untrusted input: verifies names, sizes, checksums, counts, and that
// rows and originals match.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import tar from 'tar-stream'
import {
  type ArchivedFile,
  fileLine,
  type Manifest,
  manifestName,
  manifestTail,
  originalEntry,
  readEntryName,
  readManifestHead,
  tableEntry,
} from './archive-format.ts'
import { createNdjsonFile, readLines } from './ndjson-file.ts'
import { CommandRefused } from './command-refused.ts'
import type { Row } from './table-rows.ts'

export interface Archive {
  manifest: Manifest
  /** Path of the table's rows as NDJSON. */
  tablePath: (table: string) => string
  /** The originals, each in its own file that the consumer moves away; verified once more. */
  originals: (folder: string) => AsyncGenerator<{ imageId: string; path: string }>
}

/**
 * Reads the whole archive once and unpacks its tables; changes nothing else.
 * @param work an empty folder that must exist as long as the archive is used
 * @throws {CommandRefused} for the first thing that is invalid, naming it
 */
export async function openArchive(path: string, work: string): Promise<Archive> {
  const seenPath = join(work, 'seen')
  const seen = await createNdjsonFile(seenPath)
  const counted = new Map<string, number>()
  const pairing = pairOriginals(join(work, 'images'), () => counted.has('images'))
  const originals = { count: 0, bytes: 0 }
  let hasManifest = false
  try {
    for await (const entry of entriesOf(path)) {
      const name = readEntryName(entry.name)
      if (hasManifest) throw new CommandRefused('The archive continues after its manifest')
      if ('manifest' in name) {
        await entry.save(join(work, manifestName))
        hasManifest = true
      } else if ('table' in name) {
        if (originals.count > 0 || counted.has(name.table))
          throw new CommandRefused(`${entry.name} is not in its expected position`)
        await seen.add(fileLine(await entry.save(join(work, name.table))))
        counted.set(name.table, await countRowsIn(join(work, name.table), entry.name))
      } else {
        const file = await entry.read()
        await pairing.pair(name.imageId, file)
        await seen.add(fileLine(file))
        originals.count++
        originals.bytes += file.size
      }
    }
    await seen.close()
  } finally {
    await seen.discard()
  }
  if (!hasManifest) throw new CommandRefused('The archive has no manifest: it is truncated or not a backup')
  const manifest = await compareManifest(join(work, manifestName), seenPath)
  checkCounts(manifest, counted, originals)
  if (!manifest.rows_only) await pairing.end(manifest)
  return {
    manifest,
    tablePath: (table) => join(work, table),
    originals: (folder) => unpackOriginals(path, seenPath, folder),
  }
}

interface Entry {
  name: string
  read(onChunk?: (chunk: Buffer) => Promise<unknown>): Promise<ArchivedFile>
  /** Writes the entry to a new file. */
  save(path: string): Promise<ArchivedFile>
}

/** @throws {CommandRefused} when the archive is broken or cut off */
async function* entriesOf(path: string): AsyncGenerator<Entry> {
  const extract = tar.extract()
  const reading = pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), extract)
  // The failure surfaces on both ends; here as the end of the entries.
  reading.catch(() => {})
  const entries = extract[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { value, done } = await entries.next().catch((error: unknown) => brokenArchive(path, error))
      if (done) return
      const { name, type } = value.header
      if (type !== 'file')
        throw new CommandRefused(`${JSON.stringify(name.slice(0, 200))} in the archive is not a file`)
      const read: Entry['read'] = async (onChunk) => {
        const hash = createHash('sha256')
        let size = 0
        const chunks = value[Symbol.asyncIterator]()
        for (;;) {
          const chunk = await chunks.next().catch((error: unknown) => brokenArchive(path, error))
          if (chunk.done) return { name, size, sha256: hash.digest('hex') }
          hash.update(chunk.value)
          size += chunk.value.length
          await onChunk?.(chunk.value)
        }
      }
      yield {
        name,
        read,
        async save(to) {
          const file = await open(to, 'wx', 0o600)
          try {
            return await read((chunk) => file.writeFile(chunk))
          } finally {
            await file.close()
          }
        },
      }
    }
  } finally {
    extract.destroy()
  }
}

/** What an operator can do with a damaged file. */
const useAnother = 'Nothing was restored: copy the archive again, or use an older one'

function brokenArchive(path: string, error: unknown): never {
  // Errors of opening or reading the file are reported as they are.
  if (error instanceof Error && 'syscall' in error) throw error
  const reason = error instanceof Error ? error.message : String(error)
  throw new CommandRefused(`${path} is broken or truncated (${reason}). ${useAnother}`, { cause: error })
}

async function countRowsIn(path: string, name: string): Promise<number> {
  let rows = 0
  for await (const line of readLines(path)) {
    rows++
    if (!isRow(line)) throw new CommandRefused(`Line ${rows} of ${name} is not a row`)
  }
  return rows
}

function isRow(line: string): boolean {
  try {
    const row: unknown = JSON.parse(line)
    const isValue = (value: unknown) => value === null || typeof value === 'string' || typeof value === 'number'
    return typeof row === 'object' && row !== null && !Array.isArray(row) && Object.values(row).every(isValue)
  } catch {
    return false
  }
}

/** Reads the table of images in parallel with the originals, which have the same order. */
function pairOriginals(imagesPath: string, hasTable: () => boolean) {
  let rows: AsyncGenerator<string> | undefined
  const without: string[] = []
  const nextRow = async () => {
    if (!hasTable()) return undefined
    rows ??= readLines(imagesPath)
    const { value, done } = await rows.next()
    return done ? undefined : (JSON.parse(value) as Row)
  }
  return {
    async pair(imageId: string, { size, sha256 }: ArchivedFile) {
      for (;;) {
        const row = await nextRow()
        if (!row)
          throw new CommandRefused(
            `${originalEntry(imageId)} has no row in ${tableEntry('images')}, or is not in its expected position`,
          )
        if (row['id'] === imageId) {
          if (row['sha256'] === sha256 && row['bytes'] === size) return
          throw new CommandRefused(
            `${originalEntry(imageId)} does not match the size and checksum of its row. ${useAnother}`,
          )
        }
        without.push(String(row['id']))
      }
    },
    async end({ left_out: leftOut }: Manifest) {
      for (let row = await nextRow(); row; row = await nextRow()) without.push(String(row['id']))
      const isSame = leftOut.length === without.length && leftOut.every(({ id }, at) => id === without[at])
      if (!isSame) throw new CommandRefused('The images without an original differ from those in the manifest')
    },
  }
}

/** Compares both lists entry by entry. */
async function compareManifest(path: string, seenPath: string): Promise<Manifest> {
  const lines = readLines(path)
  const head = await lines.next()
  const manifest = readManifestHead(head.done ? '' : head.value)
  for await (const seen of readLines(seenPath)) {
    const { value, done } = await lines.next()
    const listed = done ? manifestTail : value.replace(/,$/, '')
    if (listed === seen) continue
    const { name } = JSON.parse(seen) as ArchivedFile
    if (listed === manifestTail) throw new CommandRefused(`${name} is not in the manifest`)
    throw new CommandRefused(`${name} differs from the manifest: ${listed.slice(0, 300)}`)
  }
  const tail = await lines.next()
  if (tail.done || tail.value !== manifestTail) {
    throw new CommandRefused(
      `The manifest lists a file that is not in the archive: ${(tail.value ?? '').slice(0, 300)}`,
    )
  }
  return manifest
}

function checkCounts(manifest: Manifest, counted: Map<string, number>, originals: Manifest['originals']): void {
  for (const table of new Set([...Object.keys(manifest.tables), ...counted.keys()])) {
    const [said, found] = [manifest.tables[table]?.rows, counted.get(table)]
    if (said !== found)
      throw new CommandRefused(`${tableEntry(table)} has ${found ?? 'no'} rows, the manifest states ${said ?? 'none'}`)
  }
  if (manifest.rows_only && originals.count > 0) throw new CommandRefused('An archive of rows contains originals')
  if (originals.count !== manifest.originals.count || originals.bytes !== manifest.originals.bytes) {
    throw new CommandRefused(
      `The archive contains ${originals.count} originals of ${originals.bytes} bytes, ` +
        `the manifest states ${manifest.originals.count} of ${manifest.originals.bytes}`,
    )
  }
}

/** Second pass: the file may have changed since the first. */
async function* unpackOriginals(path: string, seenPath: string, folder: string): ReturnType<Archive['originals']> {
  const seen = readLines(seenPath)
  for await (const entry of entriesOf(path)) {
    const name = readEntryName(entry.name)
    if ('manifest' in name) return
    const { value: expected } = await seen.next()
    if ('table' in name) {
      await entry.read()
      continue
    }
    const to = join(folder, name.imageId)
    if (fileLine(await entry.save(to)) !== expected)
      throw new CommandRefused(`${entry.name} changed while it was being restored`)
    yield { imageId: name.imageId, path: to }
  }
}
