// Which files were uploaded from this machine, and where an upload was started: an interrupted upload continues where
// it ended. In addition the server recognizes the Idempotency-Key for a day, which covers uploads that ended before they
// were recorded.
import { createHmac, randomBytes } from 'node:crypto'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { UploadedImage } from '../client/index.ts'
import { dayMs } from '../contract/plain/limits.ts'
import { foldersOf } from './folders.ts'
import { readIfThere, writePrivateFile } from './private-file.ts'

/** Without the aliases of its fields for clients of other hosts. */
export type HostedImage = Omit<UploadedImage, 'success' | 'code' | 'result' | 'message' | 'thumb' | 'del' | 'data'>

/** What an image has been given from this machine. It may have more, and its owner may have taken some away. */
interface Place {
  albumIds: readonly string[]
  tags: readonly string[]
}

interface Entry extends Place {
  key: string
  image: HostedImage
}

interface StartedUpload {
  key: string
  uploadUrl: string
  /** UTC milliseconds. */
  startedAt: number
}

/** Without a written record, the uploads of a run are complete: only a later run knows less. So no write rejects. */
export interface Journal {
  /**
   * The same for the same upload on every run. A secret is part of it: the key of a guest's upload authorizes deleting
   * the image.
   */
  keyOf(parts: (string | undefined)[]): string
  /** Returns the image of an earlier upload with this key, unless it has expired. */
  find(key: string): HostedImage | undefined
  add(key: string, image: HostedImage, place: Place): Promise<void>
  /** Whether the image was uploaded with these, or got them later from this machine. */
  hasPlace(id: string, place: Partial<Place>): boolean
  addPlace(id: string, place: Partial<Place>): Promise<void>
  /** Returns where an upload with this key was started in the last day, after which the server keeps no part of it. */
  findStarted(key: string): string | undefined
  addStarted(key: string, uploadUrl: string): Promise<void>
  /** Of an image that was uploaded as a guest. */
  deleteTokenOf(id: string): string | undefined
}

/** Expired entries beyond this number are removed from the file. */
const maxExpired = 1000

/** @param onFailure called when a record cannot be written, the first time */
export async function openJournal(onFailure: (error: Error) => void = () => {}): Promise<Journal> {
  const now = Date.now()
  const { state } = foldersOf()
  const path = join(state, 'uploads.ndjson')
  const secret = await loadSecret(join(state, 'secret'))
  const entries = ((await readIfThere(path)) ?? '').split('\n').flatMap(parseEntry)
  const isUploaded = (entry: Entry | StartedUpload): entry is Entry => 'image' in entry
  const isCurrent = (entry: Entry | StartedUpload) =>
    isUploaded(entry) ? !hasExpired(entry.image, now) : entry.startedAt > now - dayMs
  const currentEntries = entries.filter(isCurrent)
  if (entries.length - currentEntries.length > maxExpired)
    await writePrivateFile(path, currentEntries.map((entry) => `\n${JSON.stringify(entry)}`).join(''))
  const current = currentEntries.filter(isUploaded)
  const uploaded = new Map(current.map((entry) => [entry.key, entry]))
  const byId = new Map(current.map((entry) => [entry.image.id, entry]))
  const started = new Map(
    currentEntries.flatMap((entry) => (isUploaded(entry) ? [] : [[entry.key, entry.uploadUrl] as const])),
  )
  // One write of one line: concurrent commands do not mix theirs. The line break ends what an interrupted write left.
  let hasFailed = false
  async function append(entry: Entry | StartedUpload): Promise<void> {
    try {
      await appendFile(path, `\n${JSON.stringify(entry)}`, { mode: 0o600 })
    } catch (error) {
      if (!hasFailed) onFailure(error as Error)
      hasFailed = true
    }
  }
  async function add(entry: Entry): Promise<void> {
    uploaded.set(entry.key, entry)
    byId.set(entry.image.id, entry)
    await append(entry)
  }

  return {
    keyOf: (parts) => createHmac('sha256', secret).update(JSON.stringify(parts)).digest('hex'),
    find: (key) => uploaded.get(key)?.image,
    add: (key, image, { albumIds, tags }) => add({ key, image, albumIds, tags }),
    hasPlace(id, { albumIds = [], tags = [] }) {
      const entry = byId.get(id)
      return (
        entry !== undefined &&
        albumIds.every((albumId) => entry.albumIds.includes(albumId)) &&
        tags.every((tag) => entry.tags.includes(tag))
      )
    },
    async addPlace(id, { albumIds = [], tags = [] }) {
      const entry = byId.get(id)
      if (entry === undefined) return
      const union = (some: readonly string[], more: readonly string[]) => [...new Set([...some, ...more])]
      await add({ ...entry, albumIds: union(entry.albumIds, albumIds), tags: union(entry.tags, tags) })
    },
    findStarted: (key) => started.get(key),
    async addStarted(key, uploadUrl) {
      if (started.get(key) === uploadUrl) return
      started.set(key, uploadUrl)
      await append({ key, uploadUrl, startedAt: Date.now() })
    },
    deleteTokenOf: (id) => current.find(({ image }) => image.id === id)?.image.delete_token,
  }
}

const hasExpired = ({ expires_at: at }: Pick<UploadedImage, 'expires_at'>, now: number) =>
  at !== null && Date.parse(at) <= now

/** An interrupted write has left a part of a line. */
function parseEntry(line: string): (Entry | StartedUpload)[] {
  try {
    const { key, image, albumIds, tags, uploadUrl, startedAt } = JSON.parse(line) as Partial<Entry & StartedUpload>
    if (typeof key !== 'string') return []
    if (typeof image?.expires_at === 'string' || image?.expires_at === null)
      return [{ key, image, albumIds: listOf(albumIds), tags: listOf(tags ?? image.tags) }]
    return typeof uploadUrl === 'string' && typeof startedAt === 'number' ? [{ key, uploadUrl, startedAt }] : []
  } catch {
    return []
  }
}

/** Entries of an older version have no albums, and the tags of their image. */
const listOf = (value: readonly string[] | undefined) => (Array.isArray(value) ? value : [])

async function loadSecret(path: string): Promise<string> {
  const stored = (await readIfThere(path))?.trim()
  if (stored !== undefined && stored !== '') return stored
  await writePrivateFile(path, `${randomBytes(32).toString('hex')}\n`)
  return ((await readIfThere(path)) ?? '').trim()
}
