// The data of the hot delivery benchmark: an image with variants, and more copies of it than fit into memory caches.
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { jpeg } from '../e2e/e2e-images.ts'
import { call, store } from '../faults/client.ts'
import { withServer } from '../faults/resources.ts'
import { copyImage } from './copied-images.ts'

export interface HotFixture {
  /** A DATA_DIR whose images and variants exist. */
  dataDir: string
  /** The same content as files, for the other servers. */
  folder: string
  small: HotFile
  large: HotFile
  original: HotFile
  /** The small variant of each copy. */
  copies: HotFile
}

export interface HotFile {
  /** On the product, and on the file servers. */
  paths: string[]
  files: string[]
  bytes: number
}

/** Of variants of about 20 and 200 kB. */
const [smallPx, largePx] = [640, 1620]

/** @param folder an empty folder @param count number of copies */
export async function createHotFixture(folder: string, count: number): Promise<HotFixture> {
  const [dataDir, files] = [join(folder, 'data'), join(folder, 'files')]
  await mkdir(dataDir)
  await mkdir(files)
  const { id, ...made } = await withServer({ dataDir }, ({ url }) => createVariants(url, files))
  const ids = await copyImage(dataDir, id, count)
  for (const copy of ids) await copyFile(join(files, 'small.webp'), join(files, `${copy}.webp`))
  const copies = {
    paths: ids.map((copy) => `/api/thumbnail/${copy}/${smallPx}`),
    files: ids.map((copy) => `/${copy}.webp`),
    bytes: made.small.bytes,
  }
  return { ...made, dataDir, folder: files, copies }
}

/** @returns also the id of the image of the small variant */
async function createVariants(url: string, files: string) {
  const download = async (path: string, file: string): Promise<HotFile> => {
    const { status, body } = await call(url + path)
    if (status !== 200) throw new Error(`${path}: ${status}`)
    await writeFile(join(files, file), body)
    return { paths: [path], files: [`/${file}`], bytes: body.length }
  }
  const { id } = await store(url, await jpeg(1200, 800, 200))
  const large = await store(url, await jpeg(2400, 1600, 20))
  const tiny = await store(url, await jpeg(320, 240, 300))
  return {
    id,
    small: await download(`/api/thumbnail/${id}/${smallPx}`, 'small.webp'),
    large: await download(`/api/thumbnail/${large.id}/${largePx}`, 'large.webp'),
    original: await download(`/uploads/${tiny.file_name}`, 'original.jpg'),
  }
}
