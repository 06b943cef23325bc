// Variants on the local disk, under a size budget: a cache that may be emptied at any time. The least recently used go first.
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { LRUCache } from 'lru-cache'
import { limits } from '../../contract/limits.ts'
import { nullWhenMissing, removeFile, removeFolder, syncFile } from './durable.ts'
import { type Kept, keptOf, type KnownFile, readKnown, type Streamed, streamKnown } from './known-file.ts'

export interface VariantCache {
  /** What is kept, or null when it is not here. */
  read(imageId: string, variant: string): Promise<Kept | null>
  /** Bytes of what is known to be here. */
  sizeOf(imageId: string, variant: string): number | undefined
  /** As `read`, in small pieces: never much of it is in memory. */
  stream(imageId: string, variant: string): Promise<Streamed | null>
  /** Tells that what was read before is used once more, without the disk. */
  reused(imageId: string, variant: string): void
  /** Where the bytes are on disk, or null. Counts as a use, like a read. */
  pathOf(imageId: string, variant: string): string | null
  /** Tells that the file at `pathOf` was not there: someone has removed it. */
  forget(imageId: string, variant: string): void
  /** Takes the file at `path`; it is gone from there afterwards. */
  put(imageId: string, variant: string, path: string): Promise<void>
  deleteImage(imageId: string): Promise<void>
  /** Gives up the least recently used, so many bytes of them. @returns bytes; 0: there was nothing to give up */
  makeRoom(bytes: number): Promise<number>
  /** Looks at what is on disk, once; what a server does at its start. Never rejects: what fails is told to `onError`. */
  learn(): Promise<void>
  /** The images that have something here, to find those that are gone. Learns first. */
  imageIds(): Promise<Iterable<string>>
  /** Hits and misses since the start; what hot pictures are answered with counts as often as they tell. */
  stats(): { files: number; bytes: number; hits: number; misses: number }
}

interface Entry extends KnownFile {
  imageId: string
  variant: string
}

/**
 * Opens the cache. Layout: {folder}/{two characters}/{image id}/{variant}.
 * @param maxBytes budget of all variants together
 * @param onError a file that could not be deleted: it stays until the image goes. Or the folder could not be listed: what is in
 * it is still found where it is asked for
 */
export async function openVariantCache(
  folder: string,
  maxBytes: number,
  onError: (error: unknown) => void,
): Promise<VariantCache> {
  const isNew = (await mkdir(folder, { recursive: true })) !== undefined
  const backupsFolder = (imageId: string) => join(folder, imageId.slice(0, 2), imageId)
  const variantsOf = new Map<string, Set<string>>()

  /** While an entry is forgotten whose file is not there: deleting it once more could hit one that is being put in its place. */
  let isFileGone = false
  const removals = new Set<Promise<void>>()
  const entries = new LRUCache<string, Entry>({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: (entry) => Math.max(1, entry.bytes),
    dispose(entry, key, reason) {
      if (reason === 'set') return
      const keys = variantsOf.get(entry.imageId)
      keys?.delete(key)
      if (keys?.size === 0) variantsOf.delete(entry.imageId)
      if (isFileGone) return
      const removal = removeFile(join(backupsFolder(entry.imageId), entry.variant))
        .catch(onError)
        .finally(() => removals.delete(removal))
      removals.add(removal)
    },
  })

  const remember = (entry: Entry) => {
    const key = `${entry.imageId}/${entry.variant}`
    const keys = variantsOf.get(entry.imageId) ?? new Set()
    keys.add(key)
    variantsOf.set(entry.imageId, keys)
    entries.set(key, entry)
    if (keys.size > limits.variant.maxStoredPerImage) entries.delete(leastRecent(keys) ?? key)
  }

  const leastRecent = (keys: Set<string>) => {
    // A Set keeps the order of insertion; reading a variant moves its key to the end.
    for (const key of keys) return key
    return undefined
  }

  const touch = (imageId: string, key: string) => {
    const keys = variantsOf.get(imageId)
    if (keys?.delete(key)) keys.add(key)
  }

  const forget = (key: string) => {
    isFileGone = true
    entries.delete(key)
    isFileGone = false
  }

  // A large cache takes seconds to list: it is learnt beside the first requests, which look on the disk until then.
  const asked = { hits: 0, misses: 0 }
  let isLearnt = isNew
  let learning: Promise<void> | undefined
  const learn = () => {
    learning ??= scan(folder)
      .then((found) => {
        for (const entry of found) if (!entries.has(`${entry.imageId}/${entry.variant}`)) remember(entry)
        isLearnt = true
      })
      .catch((error: unknown) => {
        // Whoever asks next looks again.
        learning = undefined
        onError(error)
      })
    return learning
  }

  const readFromDisk = async (imageId: string, variant: string) => {
    const key = `${imageId}/${variant}`
    const entry = entries.get(key)
    if (entry === undefined && isLearnt) return null
    touch(imageId, key)
    const path = join(backupsFolder(imageId), variant)
    try {
      return entry ? await readKnown(path, entry) : keptOf(await readFile(path))
    } catch (error) {
      // The operator may empty the cache under a running server: then it is simply not here.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      forget(key)
      return null
    }
  }

  return {
    async read(imageId, variant) {
      const kept = await readFromDisk(imageId, variant)
      asked[kept ? 'hits' : 'misses']++
      return kept
    },

    sizeOf: (imageId, variant) => entries.peek(`${imageId}/${variant}`)?.bytes,

    async stream(imageId, variant) {
      const key = `${imageId}/${variant}`
      const entry = entries.get(key)
      if (entry === undefined) return null
      touch(imageId, key)
      const file = await open(join(backupsFolder(imageId), variant), 'r').catch(nullWhenMissing)
      const streamed = file && (await streamKnown(file, entry))
      if (streamed) asked.hits++
      else forget(key)
      return streamed
    },

    reused(imageId, variant) {
      const key = `${imageId}/${variant}`
      entries.get(key)
      touch(imageId, key)
      asked.hits++
    },

    pathOf(imageId, variant) {
      const key = `${imageId}/${variant}`
      if (entries.get(key) === undefined) return null
      touch(imageId, key)
      return join(backupsFolder(imageId), variant)
    },

    forget: (imageId, variant) => forget(`${imageId}/${variant}`),

    async put(imageId, variant, path) {
      const { size } = await stat(path)
      if (size > maxBytes) return rm(path)
      await syncFile(path)
      await mkdir(backupsFolder(imageId), { recursive: true })
      await rename(path, join(backupsFolder(imageId), variant))
      remember({ imageId, variant, bytes: size })
    },

    async deleteImage(imageId) {
      const own = backupsFolder(imageId)
      const known = [...(variantsOf.get(imageId) ?? [])]
      for (const key of known) forget(key)
      await Promise.all(known.map((key) => removeFile(join(own, key.slice(imageId.length + 1)))))
      // Files that the cache does not know, not learnt yet or somebody else's, go as well.
      await removeFolder(own)
    },

    async makeRoom(bytes) {
      await learn()
      let given = 0
      for (let entry = entries.pop(); entry; entry = given < bytes ? entries.pop() : undefined) given += entry.bytes
      await Promise.all(removals)
      return given
    },

    learn,

    async imageIds() {
      await learn()
      return variantsOf.keys()
    },
    stats: () => ({ files: entries.size, bytes: entries.calculatedSize, ...asked }),
  }
}

/** What is on disk, oldest first, so that the order of use survives a restart roughly. */
async function scan(folder: string): Promise<Entry[]> {
  const found: (Entry & { modifiedAtMs: number })[] = []
  const files = await readdir(folder, { recursive: true })
  for (const file of files) {
    const [, imageId, variant] = file.split(sep)
    if (imageId === undefined || variant === undefined) continue
    const info = await stat(join(folder, file)).catch(nullWhenMissing)
    if (info?.isFile()) found.push({ imageId, variant, bytes: info.size, modifiedAtMs: info.mtimeMs })
  }
  return found.sort((a, b) => a.modifiedAtMs - b.modifiedAtMs)
}
