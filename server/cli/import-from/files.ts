// Folders and ZIP archives of pictures, with JSON beside them or in a list: also of Google Takeout and
// of image-host export.
import { createHash } from 'node:crypto'
import { basename, dirname, extname } from 'node:path/posix'
import { pipeline } from 'node:stream/promises'
import { type FileEntry, listFiles } from './file-entries.ts'
import { type Metadata, metadataOf, readLists, sidecarNames } from './metadata.ts'
import { imageExtension, type Source, type SourceImage } from './source.ts'

/** Accompany pictures. */
const ignored = /\.(json|html?|txt|csv)$/i

export async function openFiles(paths: string[]): Promise<Source> {
  const archives = await listFiles(paths)
  const entries = archives.flatMap(({ entries: found }) => [...found.values()])
  const { records, albums } = await readLists(entries)
  const readMetadata = async (entry: FileEntry): Promise<Metadata> => {
    for (const name of sidecarNames(basename(entry.path))) {
      const path = `${dirname(entry.path)}/${name}`
      // Takeout may put the two into different archives.
      const sidecar = entry.siblings.get(path) ?? archives.map((archive) => archive.entries.get(path)).find(Boolean)
      const parsed = sidecar && (await sidecar.readJson())
      if (parsed !== undefined) return metadataOf(parsed)
    }
    const list =
      records.get(entry.path) ??
      records.get(basename(entry.path)) ??
      records.get(basename(entry.path, extname(entry.path)))
    return list ?? {}
  }
  return {
    async *users() {},
    async *images() {
      for (const entry of entries) {
        if (ignored.test(entry.path)) continue
        const isPicture = imageExtension.test(entry.path)
        const { name, createdAt, expiresAt, tags, ...texts } = isPicture ? await readMetadata(entry) : {}
        yield {
          id: isPicture ? await digestOf(entry) : entry.path,
          ownerId: null,
          name: name ?? basename(entry.path),
          ...texts,
          createdAt: createdAt ?? entry.modifiedAt,
          expiresAt: expiresAt ?? null,
          tags: tags ?? [albumOf(entry, albums)],
          paths: [],
          ...(!isPicture && { problem: `files like ${basename(entry.path)} cannot be imported` }),
          save: (path, maxBytes) => entry.save(path, maxBytes),
        } satisfies SourceImage
      }
    },
    async close() {
      for (const archive of archives) archive.close()
    },
  }
}

/** Albums contain copies of pictures, which are one image then. */
async function digestOf(entry: FileEntry): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(await entry.open(), hash)
  return hash.digest('hex')
}

/** Takeout has all pictures in folders by year too. */
const yearFolder = /^Photos from \d{4}$/

/** The title of the folder's album, else the name of the folder; '' at the top. */
function albumOf({ path }: FileEntry, albums: Map<string, string>): string {
  const folder = dirname(path)
  const name = folder === '.' ? '' : (albums.get(folder) ?? basename(folder))
  return yearFolder.test(name) ? '' : name
}
