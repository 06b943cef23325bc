// The image set of the benchmarks: made from real photographs where available, otherwise generated, and cached on disk.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { generateDrawing, generatePhotograph, generateScreenshot } from './generated-images.ts'
import type { Form } from './benchmark.ts'
import { loadPhotographs } from './photographs.ts'

export interface ImageFile {
  /** For tables: '12 MP JPEG, 3.3 MB'. */
  title: string
  fileName: string
  path: string
  bytes: Buffer
}

export interface ImageSet {
  /** 12 MP, baseline, 4:2:0, as phones write them. Used by most tables. The short form has one, of 2 MP. */
  photographs: ImageFile[]
  /** One image of each other kind. */
  others: ImageFile[]
  /** Where the images come from, as a sentence. */
  source: string
}

/** Returns `count` items, repeating the list from its start. */
export const cycleThrough = <T>(all: readonly T[], count: number): T[] =>
  Array.from({ length: count }, (_, n) => all[n % all.length]).flatMap((one) => (one === undefined ? [] : [one]))

const cache = fileURLToPath(new URL('../node_modules/.cache/bench-pictures/', import.meta.url))
/** Part of the cache path. Increase it when the set changes. */
const cacheVersion = 'set-1'

/** What a phone's camera writes: baseline, 4:2:0, 2 to 4 MB at 12 MP. */
const camera = { quality: 95, chromaSubsampling: '4:2:0', mozjpeg: false, progressive: false } as const

type ImageSource = readonly [fileName: string, create: () => Promise<Buffer>]

export async function loadImageSet(form: Form): Promise<ImageSet> {
  if (form === 'short')
    return loadGeneratedSet('drawn-small', 'Images are generated and small: this is the short form.', 0.45)
  const real = await loadPhotographs(cache)
  if (typeof real === 'string')
    return loadGeneratedSet(
      'drawn',
      `Images are generated: photographs of Debian's lomiri-wallpapers are unavailable (${real}).`,
      1,
    )
  const { bird, sunset, dragonfly, meadow } = real
  const resizedTo12MP = (photograph: Buffer) => async () => {
    const { width, height } = await sharp(photograph).metadata()
    const scale = Math.sqrt(12_000_000 / (width * height))
    return sharp(photograph)
      .resize(Math.round(width * scale))
      .jpeg(camera)
      .toBuffer()
  }
  return loadCachedSet('photographs', "Photographs are those of Debian's lomiri-wallpapers.", {
    photographs: [
      ['bird.jpg', resizedTo12MP(bird)],
      ['dragonfly.jpg', resizedTo12MP(dragonfly)],
      ['meadow.jpg', resizedTo12MP(meadow)],
    ],
    others: [
      ['large.jpg', async () => bird],
      ['progressive.jpg', async () => sunset],
      ['photograph.webp', () => sharp(meadow).resize(2670).webp({ quality: 90 }).toBuffer()],
      ...nonPhotographs,
    ],
  })
}

/**
 * Different photographs of about the same size, for a page of them: parts of the set's photographs, each shifted by another
 * distance and every second one mirrored.
 */
export async function loadDifferentPhotographs(
  form: Form,
  count: number,
): Promise<{ photographs: ImageFile[]; source: string }> {
  const { photographs, source } = await loadImageSet(form)
  const part =
    ({ bytes }: ImageFile, n: number) =>
    async () => {
      const { width, height } = await sharp(bytes).metadata()
      const enlarged = { width: width + count, height: height + count }
      return sharp(bytes)
        .resize(enlarged.width, enlarged.height, { fit: 'fill' })
        .extract({ left: n, top: count - n, width, height })
        .flop(n % 2 === 1)
        .jpeg(camera)
        .toBuffer()
    }
  const sources = cycleThrough(photographs, count).map((one, n): ImageSource => [`${n}.jpg`, part(one, n)])
  return { photographs: await loadCached(`page-${form}-${count}`, sources), source }
}

const nonPhotographs: ImageSource[] = [
  ['screenshot.png', generateScreenshot],
  ['drawing.svg', async () => generateDrawing()],
]

function loadGeneratedSet(name: string, source: string, scale: number): Promise<ImageSet> {
  const drawn = (widthPx: number, heightPx: number, seed: number) =>
    generatePhotograph(Math.round(widthPx * scale), Math.round(heightPx * scale), seed)
  const photograph = (seed: number) => async () => (await drawn(4000, 3000, seed)).jpeg(camera).toBuffer()
  return loadCachedSet(name, source, {
    photographs: [['drawn-1.jpg', photograph(1)], ...(scale === 1 ? ([['drawn-2.jpg', photograph(2)]] as const) : [])],
    others: [
      ['large.jpg', async () => (await drawn(6000, 4000, 3)).jpeg(camera).toBuffer()],
      ['progressive.jpg', async () => (await drawn(4000, 3000, 4)).jpeg({ ...camera, progressive: true }).toBuffer()],
      ['photograph.webp', async () => (await drawn(2400, 1600, 5)).webp({ quality: 90 }).toBuffer()],
      ...nonPhotographs,
    ],
  })
}

async function loadCachedSet(
  name: string,
  source: string,
  sources: { photographs: readonly ImageSource[]; others: readonly ImageSource[] },
): Promise<ImageSet> {
  return {
    photographs: await loadCached(name, sources.photographs),
    others: await loadCached(name, sources.others),
    source,
  }
}

async function loadCached(name: string, sources: readonly ImageSource[]): Promise<ImageFile[]> {
  const folder = join(cache, `${cacheVersion}-${name}`)
  await mkdir(folder, { recursive: true })
  const images: ImageFile[] = []
  for (const [fileName, create] of sources) images.push(await loadCachedImage(join(folder, fileName), fileName, create))
  return images
}

async function loadCachedImage(path: string, fileName: string, create: () => Promise<Buffer>): Promise<ImageFile> {
  const bytes = await readFile(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    const made = await create()
    await writeFile(`${path}.${process.pid}`, made)
    await rename(`${path}.${process.pid}`, path)
    return made
  })
  const { width, height, isProgressive } = await sharp(bytes).metadata()
  const kind = `${isProgressive ? 'progressive ' : ''}${fileName.split('.').at(-1)?.replace('jpg', 'jpeg').toUpperCase()}`
  const weight = bytes.length < 1e6 ? `${Math.round(bytes.length / 1e3)} kB` : `${(bytes.length / 1e6).toFixed(1)} MB`
  return { title: `${((width * height) / 1e6).toFixed(0)} MP ${kind}, ${weight}`, fileName, path, bytes }
}
