// Variants on the local disk, evicted least recently used first. May be emptied at any time.
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { LRUCache } from 'lru-cache'
import { limits } from '../../contract/plain/limits.ts'
import { moveFile, nullWhenMissing, removeFile, removeFolder, syncFile } from './durable.ts'
import { type CachedFile, cachedFile, type CachedFileEntry, openCachedFile, sha256Of } from './cached-file.ts'
import { sizeOf } from './read-file.ts'

export type VariantCache = Awaited<ReturnType<typeof openVariantCache>>

const keyOf = (imageId: string, variant: string) => `${imageId}/${variant}`

interface Entry extends CachedFileEntry {
  imageId: string
  variant: string
}

/**
 * Opens the cache. Layout: {folder}/{two characters}/{image id}/{variant}.
 * @param maxBytes budget of all variants together
 * @param onError called when a file could not be deleted, which then stays until its image is
 * deleted, and when the folder could not be listed: lookups then go to the disk
 */
export async function openVariantCache(folder: string, maxBytes: number, onError: (error: unknown) => void) {
  const isNew = (await mkdir(folder, { recursive: true })) !== undefined
  const folderOf = (imageId: string) => join(folder, imageId.slice(0, 2), imageId)
  const variantsOf = new Map<string, Set<string>>()

  /** Set while entries are dropped without their file, which may be a new one in its place. */
  let leavesFile = false
  const removals = new Set<Promise<void>>()
  const entries = new LRUCache<string, Entry>({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: (entry) => Math.max(1, entry.bytes),
    dispose(entry, key, reason) {
      if (reason === 'set') return
      const keys = variantsOf.get(entry.imageId)
      keys?.delete(key)
      if (keys?.size === 0) variantsOf.delete(entry.imageId)
      if (leavesFile) return
      const removal = removeFile(join(folderOf(entry.imageId), entry.variant))
        .catch(onError)
        .finally(() => removals.delete(removal))
      removals.add(removal)
    },
  })

  /** @param pinned variants of the same image that stay when it has too many */
  const addEntry = (entry: Entry, pinned: readonly string[] = []) => {
    const key = keyOf(entry.imageId, entry.variant)
    const keys = variantsOf.get(entry.imageId) ?? new Set()
    keys.add(key)
    variantsOf.set(entry.imageId, keys)
    entries.set(key, entry)
    // A Set iterates in the order of insertion, and a use moves the key to the end.
    if (keys.size <= limits.variant.maxStoredPerImage) return
    const pinnedKeys = new Set(pinned.map((variant) => keyOf(entry.imageId, variant)))
    const leastRecent = [...keys].find((candidate) => !pinnedKeys.has(candidate))
    if (leastRecent !== undefined) entries.delete(leastRecent)
  }

  const touch = (imageId: string, key: string) => {
    entries.get(key)
    const keys = variantsOf.get(imageId)
    if (keys?.delete(key)) keys.add(key)
  }

  const dropEntry = (key: string) => {
    leavesFile = true
    entries.delete(key)
    leavesFile = false
  }

  const lookups = { hits: 0, misses: 0 }
  // A large cache takes seconds to list. Until then a lookup without an entry goes to the disk.
  let isListed = isNew
  let listing: Promise<void> | undefined
  /** Lists the folder once. Never rejects: errors go to `onError`. */
  const loadEntries = () => {
    listing ??= scan(folder)
      .then((found) => {
        for (const entry of found) if (!entries.has(keyOf(entry.imageId, entry.variant))) addEntry(entry)
        isListed = true
      })
      .catch((error: unknown) => {
        // The next call tries again.
        listing = undefined
        onError(error)
      })
    return listing
  }

  /** @returns null when the file is not there */
  const open = async (imageId: string, variant: string, entry: Entry | undefined): Promise<CachedFile | null> => {
    const key = keyOf(imageId, variant)
    try {
      return await openCachedFile(join(folderOf(imageId), variant), entry, ({ size, sha256 }) => {
        const latest = entries.peek(key)
        if (entry || !latest) return latest === entry
        // The entry was added by the listing, or by a `put` of the same or of other bytes.
        return latest.bytes === size && (latest.sha256 ?? sha256) === sha256
      })
    } catch (error) {
      // The operator may empty the cache while the server runs.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      dropEntry(key)
      return null
    }
  }

  return {
    /** @returns null when it is not cached */
    async find(imageId: string, variant: string): Promise<CachedFile | null> {
      const key = keyOf(imageId, variant)
      touch(imageId, key)
      const entry = entries.peek(key)
      const file = entry === undefined && isListed ? null : await open(imageId, variant, entry)
      lookups[file ? 'hits' : 'misses']++
      return file
    },

    /** Counts as a use: for bytes that were sent again without a lookup. */
    touch(imageId: string, variant: string) {
      touch(imageId, keyOf(imageId, variant))
      lookups.hits++
    },

    /** @returns the path of the file, or null when it is not cached. Counts as a use */
    pathOf(imageId: string, variant: string) {
      const key = keyOf(imageId, variant)
      if (entries.get(key) === undefined) return null
      touch(imageId, key)
      return join(folderOf(imageId), variant)
    },

    /** Drops the entry of a file that was not found at `pathOf`. */
    dropEntry: (imageId: string, variant: string) => dropEntry(keyOf(imageId, variant)),

    /**
     * Moves the file at `path` into the cache; deletes one larger than the whole cache.
     * @param bytes of the file, for the first read of the result; without them it is null
     * @param pinned variants of the image that are not evicted for this one
     */
    async put(
      imageId: string,
      variant: string,
      path: string,
      { bytes, pinned }: { bytes?: Buffer | undefined; pinned?: readonly string[] } = {},
    ): Promise<CachedFile | null> {
      const size = bytes?.length ?? (await sizeOf(path))
      if (size > maxBytes) {
        await rm(path)
        return null
      }
      await syncFile(path)
      const target = join(folderOf(imageId), variant)
      await moveIntoFolder(path, target)
      const entry: Entry = { imageId, variant, bytes: size }
      addEntry(entry, pinned)
      if (!bytes) return null
      const sha256 = (entry.sha256 = sha256Of(bytes))
      return cachedFile(target, { size, sha256 }, () => entries.peek(keyOf(imageId, variant)) === entry, bytes)
    },

    async deleteImage(imageId: string) {
      const own = folderOf(imageId)
      const known = [...(variantsOf.get(imageId) ?? [])]
      for (const key of known) dropEntry(key)
      await Promise.all(known.map((key) => removeFile(join(own, key.slice(imageId.length + 1)))))
      // Files without an entry, not listed yet or of another program, are deleted as well.
      await removeFolder(own)
    },

    /** Deletes the variants with this part in their name, as far as the folder is listed. */
    async deleteNamed(part: string) {
      const found = [...entries.entries()].filter(([, { variant }]) => variant.includes(part))
      for (const [key] of found) entries.delete(key)
      await Promise.all(removals)
    },

    /** Evicts at least so many bytes, least recently used first. @returns bytes; 0 when empty */
    async evict(bytes: number) {
      await loadEntries()
      let evicted = 0
      for (let entry = entries.pop(); entry; entry = evicted < bytes ? entries.pop() : undefined) evicted += entry.bytes
      await Promise.all(removals)
      return evicted
    },

    loadEntries,

    /** The images that have files here, to find the deleted ones. Lists the folder first. */
    async imageIds() {
      await loadEntries()
      return variantsOf.keys()
    },
    /** Hits and misses since the start. */
    stats: () => ({ files: entries.size, bytes: entries.calculatedSize, ...lookups }),
  }
}

/** Creates the folder of `to` when it is missing, which it is for the first variant of an image. */
async function moveIntoFolder(from: string, to: string): Promise<void> {
  try {
    await moveFile(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await mkdir(dirname(to), { recursive: true })
    await moveFile(from, to)
  }
}

/** The files on disk, oldest first, so that the order of use roughly survives a restart. */
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
