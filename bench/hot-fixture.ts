// The data of the hot delivery benchmark: an image with variants, and more copies of it than fit
// into memory caches.
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { jpeg } from '../e2e/e2e-images.ts'
import { withServer } from '../faults/resources.ts'
import { copyImage } from './copied-images.ts'
import { store } from '../faults/client.ts'

export interface HotFixture {
  /** A DATA_DIR whose images and variants exist. */
  dataDir: string
  /** The same content as files, for the other servers. */
  folder: string
  small: HotFile
  large: HotFile
  original: HotFile
  /** The small variant of each copy. */
  copies: { paths: string[]; files: string[]; bytes: number }
}

export interface HotFile {
  path: string
  file: string
  bytes: number
}

/** @param folder an empty folder @param count number of copies */
export async function createHotFixture(folder: string, count: number): Promise<HotFixture> {
  const dataDir = join(folder, 'data')
  const files = join(folder, 'files')
  await mkdir(dataDir)
  await mkdir(files)
  const { id, width, ...variants } = await withServer({ dataDir }, ({ url }) => createVariants(url, files))
  const ids = await copyImage(dataDir, id, count)
  for (const copy of ids) await copyFile(join(files, variants.small.file), join(files, `${copy}.webp`))
  return {
    ...variants,
    dataDir,
    folder: files,
    copies: {
      paths: ids.map((copy) => `/api/thumbnail/${copy}/${width}`),
      files: ids.map((copy) => `/${copy}.webp`),
      bytes: variants.small.bytes,
    },
  }
}

/** @returns also the image of the small variant and its width */
async function createVariants(url: string, files: string) {
  const get = (path: string) => downloadBytes(url + path)
  const download = async (path: string, file: string): Promise<HotFile> => {
    const bytes = await get(path)
    await writeFile(join(files, file), bytes)
    return { path, file, bytes: bytes.length }
  }
  const small = await store(url, await jpeg(1200, 800, 200))
  const width = await widthForBytes(20_000, (one) => get(`/api/thumbnail/${small.id}/${one}`))
  const large = await store(url, await jpeg(2400, 1600, 20))
  const largeWidth = await widthForBytes(200_000, (one) => get(`/api/thumbnail/${large.id}/${one}`))
  const tiny = await store(url, await jpeg(320, 240, 300))
  return {
    id: small.id,
    width,
    small: await download(`/api/thumbnail/${small.id}/${width}`, 'small.webp'),
    large: await download(`/api/thumbnail/${large.id}/${largeWidth}`, 'large.webp'),
    original: await download(`/uploads/${tiny.file_name}`, 'original.jpg'),
  }
}

/**
 * Finds the width whose variant is closest to `bytes`, by bisection: a wider variant is never
 * smaller.
 */
async function widthForBytes(bytes: number, render: (width: number) => Promise<Buffer>): Promise<number> {
  let [low, high] = [50, 2000]
  while (high - low > 10) {
    const middle = Math.round((low + high) / 2)
    if ((await render(middle)).length < bytes) low = middle
    else high = middle
  }
  return high
}

async function downloadBytes(url: string): Promise<Buffer> {
  const response = await fetch(url)
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}
