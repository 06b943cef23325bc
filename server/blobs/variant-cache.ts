// Variants on the local disk, under a size budget: a cache that may be emptied at any time. The least recently used go first.
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { LRUCache } from 'lru-cache'
import { limits } from '../../contract/limits.ts'
import { nullWhenMissing, syncFile } from './durable.ts'

export interface VariantCache {
  /** The bytes, or null when they are not here. */
  read(imageId: string, variant: string): Promise<Buffer | null>
  /** Where the bytes are on disk, or null. */
  pathOf(imageId: string, variant: string): string | null
  /** Takes the file at `path`; it is gone from there afterwards. */
  put(imageId: string, variant: string, path: string): Promise<void>
  deleteImage(imageId: string): Promise<void>
  /** The images that have something here, to find those that are gone. */
  imageIds(): Promise<Iterable<string>>
  /** Hits and misses since the start. */
  stats(): { files: number; bytes: number; hits: number; misses: number }
}

interface Entry {
  imageId: string
  variant: string
  bytes: number
}

/**
 * Opens the cache and learns what is in it. Layout: {folder}/{two characters}/{image id}/{variant}.
 * @param maxBytes budget of all variants together
 * @param onError a file that could not be deleted: it stays until the image goes
 */
export async function openVariantCache(
  folder: string,
  maxBytes: number,
  onError: (error: unknown) => void,
): Promise<VariantCache> {
  await mkdir(folder, { recursive: true })
  const folderOf = (imageId: string) => join(folder, imageId.slice(0, 2), imageId)
  const variantsOf = new Map<string, Set<string>>()

  const entries = new LRUCache<string, Entry>({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: (entry) => Math.max(1, entry.bytes),
    dispose(entry, key, reason) {
      if (reason === 'set') return
      const keys = variantsOf.get(entry.imageId)
      keys?.delete(key)
      if (keys?.size === 0) variantsOf.delete(entry.imageId)
      rm(join(folderOf(entry.imageId), entry.variant), { force: true }).catch(onError)
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

  // A large cache takes seconds to list: it is learnt beside the first requests, which look on the disk until then.
  const asked = { hits: 0, misses: 0 }
  let isLearnt = false
  const learnt = scan(folder).then((found) => {
    for (const entry of found) if (!entries.has(`${entry.imageId}/${entry.variant}`)) remember(entry)
    isLearnt = true
  })

  const readFromDisk = async (imageId: string, variant: string) => {
    const key = `${imageId}/${variant}`
    if (entries.get(key) === undefined && isLearnt) return null
    touch(imageId, key)
    try {
      return await readFile(join(folderOf(imageId), variant))
    } catch (error) {
      // The operator may empty the cache under a running server: then it is simply not here.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      entries.delete(key)
      return null
    }
  }

  return {
    async read(imageId, variant) {
      const bytes = await readFromDisk(imageId, variant)
      asked[bytes ? 'hits' : 'misses']++
      return bytes
    },

    pathOf(imageId, variant) {
      return entries.get(`${imageId}/${variant}`) === undefined ? null : join(folderOf(imageId), variant)
    },

    async put(imageId, variant, path) {
      const { size } = await stat(path)
      if (size > maxBytes) return rm(path)
      await syncFile(path)
      await mkdir(folderOf(imageId), { recursive: true })
      await rename(path, join(folderOf(imageId), variant))
      remember({ imageId, variant, bytes: size })
    },

    async deleteImage(imageId) {
      for (const key of [...(variantsOf.get(imageId) ?? [])]) entries.delete(key)
      await rm(folderOf(imageId), { recursive: true, force: true })
    },

    async imageIds() {
      await learnt
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
