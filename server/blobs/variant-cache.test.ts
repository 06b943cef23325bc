import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../contract/plain/limits.ts'
import { BlobMissing } from './blob-store.ts'
import { openVariantCache, type VariantCache } from './variant-cache.ts'

const maxStored = limits.variant.maxStoredPerImage

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-host-variants-'))
})
afterAll(() => rm(folder, { recursive: true }))

const fail = (error: unknown) => {
  throw error
}

async function put(cache: VariantCache, imageId: string, variant: string, bytes: number) {
  const path = join(folder, `incoming-${imageId}-${variant}`)
  await writeFile(path, Buffer.alloc(bytes, variant))
  await cache.put(imageId, variant, path)
}

async function filesIn(path: string): Promise<string[]> {
  const found = await readdir(path, { recursive: true, withFileTypes: true })
  return found.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

describe('the variant cache', () => {
  it('stays within its budget by evicting the least recently used files', async () => {
    const path = join(folder, 'budget')
    const cache = await openVariantCache(path, 1000, fail)
    for (const name of ['a', 'b', 'c']) await put(cache, 'image-1', name, 300)
    await cache.find('image-1', 'a')
    await put(cache, 'image-2', 'd', 300)
    expect(await cache.find('image-1', 'b')).toBe(null)
    expect((await cache.find('image-1', 'a'))?.size).toBe(300)
    expect(cache.stats()).toEqual({ files: 3, bytes: 900, hits: 2, misses: 1 })
    await expect.poll(() => filesIn(path)).toHaveLength(3)
  })

  it('evicts at least as many bytes as requested, the least recently used first', async () => {
    const path = join(folder, 'room')
    const cache = await openVariantCache(path, 10_000, fail)
    for (const name of ['a', 'b', 'c']) await put(cache, 'image-1', name, 300)
    await cache.find('image-1', 'a')
    expect(await cache.evict(301)).toBe(600)
    expect(await filesIn(path)).toEqual(['a'])
    expect(await cache.evict(1000)).toBe(300)
    expect(await cache.evict(1000)).toBe(0)
    expect(await filesIn(path)).toEqual([])
  })

  it('caches no file larger than its budget', async () => {
    const path = join(folder, 'tiny')
    const cache = await openVariantCache(path, 0, fail)
    await put(cache, 'image-1', 'a', 300)
    expect(await cache.find('image-1', 'a')).toBe(null)
    expect(await filesIn(path)).toEqual([])
  })

  it('deletes all files of an image', async () => {
    const path = join(folder, 'delete')
    const cache = await openVariantCache(path, 10_000, fail)
    await put(cache, 'image-1', 'a', 10)
    await put(cache, 'image-2', 'a', 10)
    await cache.deleteImage('image-1')
    expect(await cache.find('image-1', 'a')).toBe(null)
    expect([...(await cache.imageIds())]).toEqual(['image-2'])
    expect(await filesIn(path)).toEqual(['a'])
  })

  it('deletes an image with files that are not listed yet, and one without files', async () => {
    const path = join(folder, 'delete-unlearnt')
    await put(await openVariantCache(path, 10_000, fail), 'image-1', 'a', 10)
    const cache = await openVariantCache(path, 10_000, fail)
    await put(cache, 'image-1', 'b', 10)
    await cache.deleteImage('image-1')
    await cache.deleteImage('image-2')
    expect(await readdir(join(path, 'im'))).toEqual([])
    expect([...(await cache.imageIds())]).toEqual([])
  })

  it('caches a limited number of variants of an image and evicts the least recently read', async () => {
    const cache = await openVariantCache(join(folder, 'many'), 10_000, fail)
    for (let n = 0; n < maxStored; n++) await put(cache, 'image-1', `v${n}`, 10)
    await cache.find('image-1', 'v0')
    await put(cache, 'image-1', `v${maxStored}`, 10)
    expect(await cache.find('image-1', 'v0')).not.toBe(null)
    expect(await cache.find('image-1', 'v1')).toBe(null)
    expect(cache.stats().files).toBe(maxStored)
  })

  it('evicts no pinned variant of an image, also after a restart', async () => {
    const path = join(folder, 'pinned')
    const pinned = ['thumbnail', 'intermediate']
    const putAll = async (cache: VariantCache, prefix: string) => {
      for (let n = 0; n < maxStored + 8; n++) {
        const file = join(folder, `incoming-${prefix}${n}`)
        await writeFile(file, prefix)
        await cache.put('image-1', `${prefix}${n}`, file, { pinned })
      }
    }
    const cache = await openVariantCache(path, 10_000, fail)
    for (const variant of pinned) await put(cache, 'image-1', variant, 10)
    await putAll(cache, 'a')
    expect(cache.stats().files).toBe(maxStored)
    const again = await openVariantCache(path, 10_000, fail)
    await again.loadEntries()
    await putAll(again, 'b')
    expect(again.stats().files).toBe(maxStored)
    for (const variant of pinned) expect(again.pathOf('image-1', variant)).not.toBe(null)
  })

  it('finds its files after a restart, also before the folder is listed', async () => {
    const path = join(folder, 'again')
    const first = await openVariantCache(path, 1000, fail)
    await put(first, 'image-1', 'old', 400)
    await sleep(20)
    await put(first, 'image-1', 'new', 400)
    const again = await openVariantCache(path, 1000, fail)
    expect((await again.find('image-1', 'new'))?.size).toBe(400)
    expect([...(await again.imageIds())]).toEqual(['image-1'])
    await put(again, 'image-2', 'more', 400)
    expect(await again.find('image-1', 'old')).toBe(null)
    expect((await again.find('image-1', 'new'))?.size).toBe(400)
  })

  it('treats a file that was deleted by hand as not cached', async () => {
    const path = join(folder, 'emptied')
    const cache = await openVariantCache(path, 1000, fail)
    await put(cache, 'image-1', 'a', 10)
    await rm(join(path, 'im'), { recursive: true })
    expect(await cache.find('image-1', 'a')).toBe(null)
    expect(cache.stats().files).toBe(0)
  })

  it('counts pathOf as a use', async () => {
    const cache = await openVariantCache(join(folder, 'ways'), 10_000, fail)
    for (let n = 0; n < maxStored; n++) await put(cache, 'image-1', `v${n}`, 10)
    expect(cache.pathOf('image-1', 'v0')).not.toBe(null)
    await put(cache, 'image-1', `v${maxStored}`, 10)
    expect(cache.pathOf('image-1', 'v0')).not.toBe(null)
    expect(cache.pathOf('image-1', 'v1')).toBe(null)
  })

  it('drops the entry of a missing file, and does not delete one put in its place', async () => {
    const path = join(folder, 'replaced')
    const cache = await openVariantCache(path, 1000, fail)
    await put(cache, 'image-1', 'a', 10)
    await put(cache, 'image-1', 'b', 10)
    cache.dropEntry('image-1', 'a')
    expect(cache.pathOf('image-1', 'a')).toBe(null)
    expect(cache.stats()).toMatchObject({ files: 1, bytes: 10 })
    await sleep(20)
    expect(await filesIn(path)).toContain('a')
  })

  it('lists the folder only by loadEntries', async () => {
    const path = join(folder, 'lazy')
    await put(await openVariantCache(path, 1000, fail), 'image-1', 'a', 10)
    const cache = await openVariantCache(path, 1000, fail)
    await sleep(50)
    expect(cache.stats().files).toBe(0)
    await cache.loadEntries()
    expect(cache.stats().files).toBe(1)
  })

  it('reads a file that was found before the listing added its entry', async () => {
    const path = join(folder, 'found-before')
    await put(await openVariantCache(path, 1000, fail), 'image-1', 'a', 10)
    const cache = await openVariantCache(path, 1000, fail)
    const found = await cache.find('image-1', 'a')
    await cache.loadEntries()
    expect(await found?.read()).toEqual(Buffer.alloc(10, 'a'))
  })

  it('rejects the read of a file that was found before the listing and replaced by other bytes', async () => {
    const path = join(folder, 'replaced-before')
    await put(await openVariantCache(path, 1000, fail), 'image-1', 'a', 10)
    const cache = await openVariantCache(path, 1000, fail)
    const found = await cache.find('image-1', 'a')
    const other = Buffer.alloc(10, 'b')
    await writeFile(join(folder, 'incoming-other'), other)
    await cache.put('image-1', 'a', join(folder, 'incoming-other'), { bytes: other })
    await expect(found?.read()).rejects.toBeInstanceOf(BlobMissing)
    await expect(found?.open(1024)).rejects.toBeInstanceOf(BlobMissing)
  })

  it('reports a folder that cannot be listed, and tries again at the next call', async () => {
    const path = join(folder, 'removed')
    const errors: unknown[] = []
    const cache = await openVariantCache(path, 1000, (error) => errors.push(error))
    await rm(path, { recursive: true })
    expect([...(await cache.imageIds())]).toEqual([])
    expect(errors).toEqual([expect.objectContaining({ code: 'ENOENT' })])
    await put(cache, 'image-1', 'a', 10)
    expect([...(await cache.imageIds())]).toEqual(['image-1'])
    expect(errors).toHaveLength(1)
  })
})
