// Which files were uploaded from this machine: an interrupted upload continues where it ended. In addition the
// server recognizes the Idempotency-Key for a day, which covers uploads that ended before they were recorded.
import { createHmac, randomBytes } from 'node:crypto'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { UploadedImage } from '../client/index.ts'
import { foldersOf } from './folders.ts'
import { readIfThere, writePrivateFile } from './private-file.ts'

/** Without the aliases of its fields for clients of other hosts. */
export type HostedImage = Omit<UploadedImage, 'success' | 'code' | 'result' | 'message' | 'thumb' | 'del' | 'data'>

interface Entry {
  key: string
  image: HostedImage
}

export interface Journal {
  /**
   * The same for the same upload on every run. A secret is part of it: the key of a guest's upload authorizes deleting
   * the image.
   */
  keyOf(parts: (string | undefined)[]): string
  /** Returns the image of an earlier upload with this key, unless it has expired. */
  find(key: string): HostedImage | undefined
  add(key: string, image: HostedImage): Promise<void>
  /** Of an image that was uploaded as a guest. */
  deleteTokenOf(id: string): string | undefined
}

/** Expired entries beyond this number are removed from the file. */
const maxExpired = 1000

export async function openJournal(now = Date.now()): Promise<Journal> {
  const { state } = foldersOf()
  const path = join(state, 'uploads.ndjson')
  const secret = await loadSecret(join(state, 'secret'))
  const entries = ((await readIfThere(path)) ?? '').split('\n').flatMap(parseEntry)
  const current = entries.filter(({ image }) => Date.parse(image.expires_at) > now)
  if (entries.length - current.length > maxExpired)
    await writePrivateFile(path, current.map((entry) => `\n${JSON.stringify(entry)}`).join(''))
  const images = new Map(current.map(({ key, image }) => [key, image]))

  return {
    keyOf: (parts) => createHmac('sha256', secret).update(JSON.stringify(parts)).digest('hex'),
    find: (key) => images.get(key),
    async add(key, image) {
      images.set(key, image)
      // One write of one line: concurrent commands do not mix theirs. The line break ends what an interrupted write left.
      await appendFile(path, `\n${JSON.stringify({ key, image })}`, { mode: 0o600 })
    },
    deleteTokenOf: (id) => current.find(({ image }) => image.id === id)?.image.delete_token,
  }
}

/** An interrupted write has left a part of a line. */
function parseEntry(line: string): Entry[] {
  try {
    const { key, image } = JSON.parse(line) as Partial<Entry>
    return typeof key === 'string' && typeof image?.expires_at === 'string' ? [{ key, image }] : []
  } catch {
    return []
  }
}

async function loadSecret(path: string): Promise<string> {
  const stored = (await readIfThere(path))?.trim()
  if (stored !== undefined && stored !== '') return stored
  await writePrivateFile(path, `${randomBytes(32).toString('hex')}\n`)
  return ((await readIfThere(path)) ?? '').trim()
}
