// The picture set of the bench: made once from real photographs where they can be had, else drawn, and kept in a cache.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { drawing, drawnPhotograph, screenshot } from './drawn.ts'
import type { Form } from './part.ts'
import { photographs } from './photographs.ts'

export interface Picture {
  /** As a table names it: '12 MP JPEG, 3.3 MB'. */
  title: string
  fileName: string
  path: string
  bytes: Buffer
}

export interface PictureSet {
  /** 12 MP, baseline, 4:2:0, as a phone writes them: the measure of most tables. One in the short form, of 2 MP. */
  photographs: Picture[]
  /** One of each other kind. */
  others: Picture[]
  /** A sentence: where they are from. */
  source: string
}

/** So many of them, one after the other and over again. */
export const inTurn = <T>(all: readonly T[], count: number): T[] =>
  Array.from({ length: count }, (_, n) => all[n % all.length]).flatMap((one) => (one === undefined ? [] : [one]))

const cache = fileURLToPath(new URL('../node_modules/.cache/bench-pictures/', import.meta.url))
/** A new number when what is made here changes. */
const madeAs = 'set-1'

/** What a phone's camera writes: baseline, 4:2:0, and a weight of 2 to 4 MB at 12 MP. */
const camera = { quality: 95, chromaSubsampling: '4:2:0', mozjpeg: false, progressive: false } as const

type Maker = readonly [fileName: string, make: () => Promise<Buffer>]

export async function pictureSet(form: Form): Promise<PictureSet> {
  if (form === 'short') return drawnSet('drawn-small', 'Pictures are drawn, and small: this is the short form.', 0.45)
  const real = await photographs(cache)
  if (typeof real === 'string')
    return drawnSet(
      'drawn',
      `Pictures are drawn: photographs of Debian's lomiri-wallpapers cannot be had (${real}).`,
      1,
    )
  const { bird, sunset, dragonfly, meadow } = real
  const of12MP = (photograph: Buffer) => async () => {
    const { width, height } = await sharp(photograph).metadata()
    const scale = Math.sqrt(12_000_000 / (width * height))
    return sharp(photograph)
      .resize(Math.round(width * scale))
      .jpeg(camera)
      .toBuffer()
  }
  return madeOnce('photographs', "Photographs are those of Debian's lomiri-wallpapers.", {
    photographs: [
      ['bird.jpg', of12MP(bird)],
      ['dragonfly.jpg', of12MP(dragonfly)],
      ['meadow.jpg', of12MP(meadow)],
    ],
    others: [
      ['large.jpg', async () => bird],
      ['progressive.jpg', async () => sunset],
      ['photograph.webp', () => sharp(meadow).resize(2670).webp({ quality: 90 }).toBuffer()],
      ...noPhotographs,
    ],
  })
}

const noPhotographs: Maker[] = [
  ['screenshot.png', () => screenshot()],
  ['drawing.svg', async () => drawing()],
]

function drawnSet(name: string, source: string, scale: number): Promise<PictureSet> {
  const drawn = (widthPx: number, heightPx: number, seed: number) =>
    drawnPhotograph(Math.round(widthPx * scale), Math.round(heightPx * scale), seed)
  const photograph = (seed: number) => async () => (await drawn(4000, 3000, seed)).jpeg(camera).toBuffer()
  return madeOnce(name, source, {
    photographs: [['drawn-1.jpg', photograph(1)], ...(scale === 1 ? ([['drawn-2.jpg', photograph(2)]] as const) : [])],
    others: [
      ['large.jpg', async () => (await drawn(6000, 4000, 3)).jpeg(camera).toBuffer()],
      ['progressive.jpg', async () => (await drawn(4000, 3000, 4)).jpeg({ ...camera, progressive: true }).toBuffer()],
      ['photograph.webp', async () => (await drawn(2400, 1600, 5)).webp({ quality: 90 }).toBuffer()],
      ...noPhotographs,
    ],
  })
}

async function madeOnce(
  name: string,
  source: string,
  makers: { photographs: readonly Maker[]; others: readonly Maker[] },
): Promise<PictureSet> {
  const folder = join(cache, `${madeAs}-${name}`)
  await mkdir(folder, { recursive: true })
  const made = async (all: readonly Maker[]) => {
    const pictures: Picture[] = []
    for (const [fileName, make] of all) pictures.push(await kept(join(folder, fileName), fileName, make))
    return pictures
  }
  return { photographs: await made(makers.photographs), others: await made(makers.others), source }
}

async function kept(path: string, fileName: string, make: () => Promise<Buffer>): Promise<Picture> {
  const bytes = await readFile(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    const made = await make()
    await writeFile(`${path}.${process.pid}`, made)
    await rename(`${path}.${process.pid}`, path)
    return made
  })
  const { width, height, isProgressive } = await sharp(bytes).metadata()
  const kind = `${isProgressive ? 'progressive ' : ''}${fileName.split('.').at(-1)?.replace('jpg', 'jpeg').toUpperCase()}`
  const weight = bytes.length < 1e6 ? `${Math.round(bytes.length / 1e3)} kB` : `${(bytes.length / 1e6).toFixed(1)} MB`
  return { title: `${((width * height) / 1e6).toFixed(0)} MP ${kind}, ${weight}`, fileName, path, bytes }
}
