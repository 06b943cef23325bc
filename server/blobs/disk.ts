// Originals on the local disk: {folder}/{first two characters of the key}/{key}.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { BlobMissing, type BlobStore, type ByteRange, type ReadOptions } from './blob-store.ts'
import { makeFolder, moveDurably, nullWhenMissing, removeFile } from './durable.ts'
import { openStream, readRange } from './read-file.ts'
import { lastingFile } from './shared-files.ts'

/** Larger files are streamed. For a small one a stream costs eight times the CPU (measured). */
const maxBufferedBytes = 1024 * 1024

export async function openDiskStore(folder: string): Promise<BlobStore> {
  await makeFolder(folder)
  const relativePathOf = (key: string) => join(key.slice(0, 2), key)
  const pathOf = (key: string) => join(folder, relativePathOf(key))

  return {
    isOnDisk: true,
    pathOf: relativePathOf,

    put: (key, path) => moveDurably(path, pathOf(key)),

    read: (key, range, options) => whenMissing(key, () => read(pathOf(key), range, options)),

    async openLocalFile(key) {
      await whenMissing(key, () => stat(pathOf(key)))
      return lastingFile(pathOf(key))
    },

    delete: (key) => removeFile(pathOf(key)),

    async *list() {
      for (const shard of await readdir(folder, { withFileTypes: true })) {
        if (!shard.isDirectory()) continue
        for (const key of await readdir(join(folder, shard.name))) {
          // Files of people and file managers are not blobs.
          if (!/^[\w-]+$/.test(key) || !key.startsWith(shard.name)) continue
          const found = await stat(join(folder, shard.name, key)).catch(nullWhenMissing)
          if (found?.isFile()) yield { key, modifiedAtMs: found.mtimeMs }
        }
      }
    },
  }
}

async function read(
  path: string,
  range?: ByteRange,
  { wholeBytes, pieceBytes, inBackground }: ReadOptions = {},
): Promise<Buffer | Readable> {
  const start = range?.start ?? 0
  const end = range?.end ?? (wholeBytes ?? (await stat(path)).size) - 1
  const length = end - start + 1
  if (pieceBytes !== undefined || length > maxBufferedBytes) return openStream(path, { start, end, pieceBytes })
  const bytes = await readRange(path, start, length, inBackground)
  if (bytes.length !== length) throw new Error(`${path} ended after ${start + bytes.length} bytes`)
  return bytes
}

async function whenMissing<T>(key: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new BlobMissing(key, { cause: error })
    throw error
  }
}
