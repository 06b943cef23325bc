// Names, texts, dates and albums of pictures in JSON files beside them: of Google Takeout, image-host
// export and others whose fields have usual names.
import { basename, dirname, extname } from 'node:path/posix'
import type { Visibility } from '../../contract/plain/visibility.ts'
import { timeOf } from '../db/other-host-database.ts'
import type { FileEntry } from './folder-and-zip-entries.ts'

export interface Metadata {
  name?: string
  title?: string
  description?: string
  /** UTC milliseconds. */
  createdAt?: number
  /** UTC milliseconds. */
  expiresAt?: number
  viewsLeft?: number
  views?: number
  tags?: string[]
  visibility?: Visibility
}

/** Takeout cuts names to this length and then adds the number of a copy and '.json'. */
const maxStemLength = 46

/**
 * Names of the JSON file of a picture. Takeout calls that of `IMG(1).jpg`
 * `IMG.jpg.supplemental-metadata(1).json`, before 2024 `IMG.jpg(1).json`; edited pictures have the
 * file of the original.
 */
export function sidecarNames(fileName: string): string[] {
  const unedited = fileName.replace(/-edited(?=(\(\d+\))?\.\w+$)/, '')
  const takeout = [...new Set([fileName, unedited])].flatMap((name) => {
    const [, stem = name, copy = '', extension = ''] = /^(.*?)(\(\d+\))?(\.\w+)$/.exec(name) ?? []
    return [stem + extension, `${stem}${extension}.supplemental-metadata`].map(
      (full) => `${full.slice(0, maxStemLength)}${copy}.json`,
    )
  })
  return [...new Set([`${fileName}.json`, ...takeout, `${basename(fileName, extname(fileName))}.json`])]
}

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const nameFields = ['name', 'original_name', 'originalName', 'title']
const descriptionFields = ['alt', 'description']
const dateFields = [
  ...['photoTakenTime', 'creationTime', 'created_at', 'createdAt'],
  ...['datetime', 'uploaded_at', 'date', 'timestamp'],
]

export function metadataOf(parsed: unknown): Metadata {
  if (!isObject(parsed)) return {}
  const textIn = (fields: string[]) =>
    fields.map((field) => parsed[field]).find((value) => typeof value === 'string' && value.trim() !== '')
  const [name, title, description] = [nameFields, ['title'], descriptionFields].map(textIn)
  const createdAt = dateFields.map((field) => dateOf(parsed[field])).find((value) => value !== null)
  const expiresAt = dateOf(parsed['expires_at'])
  const { tags, views, views_left: viewsLeft, visibility } = parsed
  return {
    ...(typeof name === 'string' && { name }),
    // In Takeout it is the name of the file.
    ...(typeof title === 'string' && !('photoTakenTime' in parsed) && { title }),
    ...(typeof description === 'string' && { description }),
    ...(typeof createdAt === 'number' && { createdAt }),
    ...(expiresAt !== null && { expiresAt }),
    ...(Number.isInteger(viewsLeft) && { viewsLeft: Number(viewsLeft) }),
    ...(Number.isInteger(views) && { views: Number(views) }),
    ...(visibility === 'private' && { visibility }),
    ...(Array.isArray(tags) && { tags: tags.filter((tag) => typeof tag === 'string') }),
  }
}

/** Times before 1973 in milliseconds would be taken for seconds; no host is that old. */
const firstMs = 1e11

/** A time as text, as seconds or milliseconds, or Takeout's object with the seconds as text. */
function dateOf(value: unknown): number | null {
  const given = isObject(value) ? value['timestamp'] : value
  const number = typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given
  if (typeof number !== 'number') return timeOf(number)
  return Number.isFinite(number) ? Math.round(number < firstMs ? number * 1000 : number) : null
}

/**
 * Reads the JSON files that do not belong to one picture: lists of images, by the paths or names of
 * their files, and the titles of albums by their folders.
 */
export async function readLists(
  entries: FileEntry[],
): Promise<{ records: Map<string, Metadata>; albums: Map<string, string> }> {
  const records = new Map<string, Metadata>()
  const albums = new Map<string, string>()
  for (const entry of entries) {
    if (!/\.json$/i.test(entry.path) || /\.\w{3,4}\..*json$|\.\w{3,4}\(\d+\)\.json$/i.test(basename(entry.path)))
      continue
    const parsed = await entry.readJson()
    const folder = dirname(entry.path)
    if (isObject(parsed) && basename(entry.path) === 'metadata.json' && typeof parsed['title'] === 'string')
      albums.set(folder, parsed['title'])
    for (const record of listIn(parsed))
      for (const key of fileKeys(record, folder)) records.set(key, metadataOf(record))
  }
  return { records, albums }
}

function listIn(parsed: unknown): Json[] {
  const list = isObject(parsed) ? (parsed['images'] ?? parsed['data']) : parsed
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** How a record names its file: by a path beside the list, or by an id or URL that has the file's name. */
function fileKeys(record: Json, folder: string): string[] {
  const { file } = record
  if (typeof file === 'string') return [folder === '.' ? file : `${folder}/${file}`]
  return [record['filename'], record['id'], record['link'], record['url']]
    .filter((value) => typeof value === 'string')
    .map((value) => basename(value))
}
