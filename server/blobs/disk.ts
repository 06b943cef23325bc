// Originals on the local disk: {folder}/{first two characters of the key}/{key}, at most 4096 folders.
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { BlobMissing, type BlobStore, type ByteRange } from './blob-store.ts'
import { makeFolder, moveDurably, nullWhenMissing, removeFile } from './durable.ts'

/** Up to this size one read into one buffer; a stream costs eight times the CPU for a small file (measured). */
const maxBufferedBytes = 1024 * 1024

export async function openDiskStore(folder: string): Promise<BlobStore> {
  await makeFolder(folder)
  const pathOf = (key: string) => join(folder, key.slice(0, 2), key)

  return {
    put: (key, path) => moveDurably(path, pathOf(key)),

    read: (key, range) => whenMissing(key, () => readFile(pathOf(key), range)),

    async withLocalFile(key, use) {
      await whenMissing(key, () => stat(pathOf(key)))
      return use(pathOf(key))
    },

    delete: (key) => removeFile(pathOf(key)),

    async *list() {
      for (const shard of await readdir(folder, { withFileTypes: true })) {
        if (!shard.isDirectory()) continue
        for (const key of await readdir(join(folder, shard.name))) {
          // What a person or a file manager has put here is not ours.
          if (!/^[\w-]+$/.test(key) || !key.startsWith(shard.name)) continue
          const found = await stat(join(folder, shard.name, key)).catch(nullWhenMissing)
          if (found?.isFile()) yield { key, modifiedAtMs: found.mtimeMs }
        }
      }
    },
  }
}

async function readFile(path: string, range?: ByteRange): Promise<Buffer | Readable> {
  const file = await open(path, 'r')
  let isLent = false
  try {
    const start = range?.start ?? 0
    const end = range?.end ?? (await file.stat()).size - 1
    if (end - start + 1 > maxBufferedBytes) {
      // Of this very file: it may be deleted or replaced before the first byte is asked for. The stream closes it.
      isLent = true
      return file.createReadStream({ start, end })
    }
    const buffer = Buffer.allocUnsafe(end - start + 1)
    const { bytesRead } = await file.read(buffer, 0, buffer.length, start)
    if (bytesRead !== buffer.length) throw new Error(`${path} ended after ${start + bytesRead} bytes`)
    return buffer
  } finally {
    if (!isLent) await file.close()
  }
}

async function whenMissing<T>(key: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new BlobMissing(key, { cause: error })
    throw error
  }
}
