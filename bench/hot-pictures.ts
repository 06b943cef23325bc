// What hot delivery is measured with: a picture and its variants, and so many copies of it that no memory holds them all.
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { jpeg } from '../e2e/e2e-images.ts'
import { withServer } from './resources.ts'
import { copyImage } from './copied-images.ts'
import { imageIn, upload } from '../faults/client.ts'

export interface HotPictures {
  /** A DATA_DIR whose pictures and variants are made. */
  dataDir: string
  /** Under these names as files, for the other servers. */
  folder: string
  small: Hot
  large: Hot
  original: Hot
  /** Of each copy the small variant. */
  copies: { paths: string[]; files: string[]; bytes: number }
}

export interface Hot {
  path: string
  file: string
  bytes: number
}

/** @param folder empty @param count of the copies */
export async function makeHotPictures(folder: string, count: number): Promise<HotPictures> {
  const dataDir = join(folder, 'data')
  const files = join(folder, 'files')
  await mkdir(dataDir)
  await mkdir(files)
  const { id, width, ...made } = await withServer({ dataDir }, ({ url }) => makeVariants(url, files))
  const ids = await copyImage(dataDir, id, count)
  for (const copy of ids) await copyFile(join(files, made.small.file), join(files, `${copy}.webp`))
  return {
    ...made,
    dataDir,
    folder: files,
    copies: {
      paths: ids.map((copy) => `/api/thumbnail/${copy}/${width}`),
      files: ids.map((copy) => `/${copy}.webp`),
      bytes: made.small.bytes,
    },
  }
}

/** @returns also the image of the small variant, and that one's width */
async function makeVariants(url: string, files: string) {
  const get = (path: string) => bytesOf(url + path)
  const keep = async (path: string, file: string): Promise<Hot> => {
    const bytes = await get(path)
    await writeFile(join(files, file), bytes)
    return { path, file, bytes: bytes.length }
  }
  const small = await stored(url, await jpeg(1200, 800, 200))
  const width = await widthOf(20_000, (one) => get(`/api/thumbnail/${small.id}/${one}`))
  const large = await stored(url, await jpeg(2400, 1600, 20))
  const largeWidth = await widthOf(200_000, (one) => get(`/api/thumbnail/${large.id}/${one}`))
  const little = await stored(url, await jpeg(320, 240, 300))
  return {
    id: small.id,
    width,
    small: await keep(`/api/thumbnail/${small.id}/${width}`, 'small.webp'),
    large: await keep(`/api/thumbnail/${large.id}/${largeWidth}`, 'large.webp'),
    original: await keep(`/uploads/${little.file_name}`, 'original.jpg'),
  }
}

/** The width whose variant comes nearest to so many bytes, by halving: a wider one is never smaller. */
async function widthOf(bytes: number, make: (width: number) => Promise<Buffer>): Promise<number> {
  let [low, high] = [50, 2000]
  while (high - low > 10) {
    const middle = Math.round((low + high) / 2)
    if ((await make(middle)).length < bytes) low = middle
    else high = middle
  }
  return high
}

/** @param token of whose it is to be; without, it is a guest's */
export async function stored(url: string, picture: Buffer, token?: string): Promise<{ id: string; file_name: string }> {
  const answer = await upload(url, picture, token === undefined ? {} : { token })
  if (answer.status !== 201) throw new Error(`The upload answered ${answer.status}: ${answer.body.toString('utf8')}`)
  return imageIn(answer)
}

async function bytesOf(url: string): Promise<Buffer> {
  const answer = await fetch(url)
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}
