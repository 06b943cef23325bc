// Folders and ZIP archives of pictures, with JSON beside them or in a list: also of Google Takeout and
// of image-host export.
import { createHash } from 'node:crypto'
import { basename, dirname, extname, join } from 'node:path/posix'
import { pipeline } from 'node:stream/promises'
import { listAccepted } from '../../contract/plain/formats.ts'
import { type FileEntry, listFiles } from './folder-and-zip-entries.ts'
import { readExported } from './exported-albums.ts'
import { type Metadata, metadataOf, readLists, sidecarNames } from './sidecar-json.ts'
import { imageExtension, type Source, type SourceImage, SourceProblem } from './source-types.ts'
import { assertFits } from './copy-source-file.ts'

/** Accompany pictures. */
const ignored = /\.(json|html?|txt|csv)$/i

/** @param maxBytes of a picture */
export async function openFiles(paths: string[], maxBytes: number): Promise<Source> {
  const archives = await listFiles(paths)
  const entries = archives.flatMap(({ entries: found }) => [...found.values()])
  const { records, albums } = await readLists(entries)
  const readMetadata = async (entry: FileEntry): Promise<Metadata> => {
    for (const name of sidecarNames(basename(entry.path))) {
      const path = join(dirname(entry.path), name)
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
  // Both are filled while the images are read.
  const ids = new Map<string, string>()
  const folders: Folders = new Map()
  let exported: ReturnType<typeof readExported> | undefined
  const exportedOnce = () => (exported ??= readExported(entries, (path) => ids.get(path)))
  return {
    async *users() {},
    async *images() {
      for (const { file, damage } of archives) if (damage !== undefined) yield damagedArchive(file, damage)
      for (const entry of entries) {
        if (ignored.test(entry.path)) continue
        const isImage = imageExtension.test(entry.path)
        const { name, createdAt, expiresAt, tags, visibility, ...others } = isImage ? await readMetadata(entry) : {}
        const identity = isImage
          ? await identify(entry, maxBytes)
          : { problem: `its type cannot be imported, only ${listAccepted('user')}` }
        if ('id' in identity) ids.set(entry.path, identity.id)
        if (tags === undefined && 'id' in identity) addToFolder(folders, entry, albumOf(entry, albums))
        yield {
          id: entry.path,
          ownerId: null,
          name: name ?? basename(entry.path),
          place: entry.place,
          ...others,
          createdAt: createdAt ?? entry.modifiedAt,
          expiresAt: expiresAt ?? null,
          visibility: visibility ?? 'public',
          password: undefined,
          tags: tags ?? [],
          paths: [],
          ...identity,
          save: (path) => entry.save(path, maxBytes),
        } satisfies SourceImage
      }
    },
    async *albums() {
      yield* (await exportedOnce()).albums
      for (const [folder, { title, paths: inside }] of folders)
        yield {
          id: `folder:${folder}`,
          ownerId: null,
          title,
          parentId: parentOf(folder, folders),
          createdAt: null,
          imageIds: async () => inside.toSorted().flatMap((path) => ids.get(path) ?? []),
        }
    },
    async *links() {
      yield* (await exportedOnce()).links
    },
    async close() {
      for (const archive of archives) archive.close()
    },
  }
}

type Folders = Map<string, { title: string; paths: string[] }>

function addToFolder(folders: Folders, { path }: FileEntry, title: string): void {
  if (title === '') return
  const folder = folders.get(dirname(path)) ?? { title, paths: [] }
  folder.paths.push(path)
  folders.set(dirname(path), folder)
}

/** The innermost folder around it that is an album too. */
function parentOf(folder: string, folders: Folders): string | null {
  for (let outer = dirname(folder); outer !== '.'; outer = dirname(outer))
    if (folders.has(outer)) return `folder:${outer}`
  return null
}

/** Stands for the files of an archive that could not be listed. */
function damagedArchive(file: string, damage: string): SourceImage {
  return {
    id: file,
    ownerId: null,
    name: basename(file),
    createdAt: null,
    expiresAt: null,
    visibility: 'private',
    password: undefined,
    tags: [],
    paths: [],
    problem: `the archive is damaged, and not all of its files were found: ${damage}`,
    save: async () => {},
  }
}

/** By the bytes: albums contain copies of pictures, which are one image then. */
async function identify(entry: FileEntry, maxBytes: number): Promise<{ id: string } | { problem: string }> {
  try {
    assertFits(entry.bytes, maxBytes)
    const hash = createHash('sha256')
    await pipeline(await entry.open(), hash)
    return { id: hash.digest('hex') }
  } catch (error) {
    const { message } = error as Error
    return { problem: error instanceof SourceProblem ? message : `it cannot be read: ${message}` }
  }
}

/** Takeout has all pictures in folders by year too. */
const yearFolder = /^Photos from \d{4}$/

/** The title of the folder's album, else the name of the folder; '' at the top. */
function albumOf({ path }: FileEntry, albums: Map<string, string>): string {
  const folder = dirname(path)
  const name = folder === '.' ? '' : (albums.get(folder) ?? basename(folder))
  return yearFolder.test(name) ? '' : name
}
