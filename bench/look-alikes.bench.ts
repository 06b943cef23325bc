// Measures the perceptual hash: how many changed copies of an image it finds, and how many different images it takes for
// copies.
import { fileURLToPath } from 'node:url'
import sharp, { type Sharp } from 'sharp'
import { limits } from '../contract/plain/limits.ts'
import { moderationLimits } from '../contract/plain/moderation-limits.ts'
import { PerceptualHashList } from '../server/domain/moderation/perceptual-hashes.ts'
import { type PerceptualHash, perceptualHash } from '../server/imaging/decoder/perceptual-hash.ts'
import { rawPixels } from '../server/imaging/decoder/pixels.ts'
import { generatePhotograph } from './generated-images.ts'
import type { Form, Benchmark, Row, Table } from './benchmark.ts'
import { loadPhotographs } from './photographs.ts'
import { loadPublishedSvgs } from './npm-svgs.ts'

const { nearDistance, nearQuality } = moderationLimits
const cacheOf = (name: string) => fileURLToPath(new URL(`../node_modules/.cache/${name}/`, import.meta.url))
const svgCache = cacheOf('bench-drawings')
const sizes = {
  short: { ofEachPackage: 5, generated: 4, changed: 8 },
  full: { ofEachPackage: 1000, generated: 200, changed: 240 },
} as const
/** Different images that look alike are printed, so that they can be looked at. */
const printedPairs = 60
/** Images are hashed as small as a thumbnail; changes are made at this size. */
const changedPx = 800
/** Blurring or compressing an icon of 16 px makes another image of it. */
const smallestPx = 64

export const benchmark: Benchmark = {
  title: 'copies that the perceptual hash finds, and different images that it takes for copies',
  missing: async () => {
    const found = await loadPublishedSvgs(svgCache, 1)
    return typeof found === 'string' ? found : undefined
  },
  run: async (form) => {
    const images = await loadImages(form)
    return [await measureCopies(images, form), await measurePairs(images), await measureSearch(form)]
  },
}

interface Image {
  name: string
  open: () => Sharp
}

async function loadImages(form: Form): Promise<Image[]> {
  const photographs = form === 'full' ? await loadPhotographs(cacheOf('bench-pictures')) : {}
  const files: [string, Buffer][] = typeof photographs === 'string' ? [] : Object.entries(photographs)
  for (let seed = 0; seed < sizes[form].generated; seed++) {
    const photograph = await generatePhotograph(changedPx, 600, seed)
    files.push([`generated ${seed}`, await photograph.jpeg().toBuffer()])
  }
  const svgs = await loadPublishedSvgs(svgCache, sizes[form].ofEachPackage)
  if (typeof svgs === 'string') throw new Error(svgs)
  for (const { name, svg } of svgs) {
    // Some have no size and cannot be drawn by themselves.
    if (await hasSize(svg)) files.push([name, svg])
  }
  return files.map(([name, bytes]) => ({ name, open: () => openImage(bytes) }))
}

const hasSize = (svg: Buffer) =>
  sharp(svg)
    .metadata()
    .then(
      () => true,
      () => false,
    )

const openImage = (bytes: Buffer) =>
  sharp(bytes, { limitInputPixels: limits.image.maxPixels })
    .autoOrient()
    .resize(changedPx, changedPx, { fit: 'inside', withoutEnlargement: true })

const reopened = async (image: Sharp) => sharp(await image.png({ compressionLevel: 0 }).toBuffer())

const { thumbnailPx } = limits.variant
async function hashOf(image: Sharp): Promise<PerceptualHash> {
  const upright = await reopened(image)
  return perceptualHash(
    await rawPixels(upright.resize(thumbnailPx, thumbnailPx, { fit: 'inside', withoutEnlargement: true })),
  )
}

const flat = (image: Sharp) => image.flatten({ background: '#fff' })
const cropped = async (image: Sharp, share: number) => {
  const file = await reopened(image)
  const { width, height } = await file.metadata()
  const [left, top] = [Math.round(width * share), Math.round(height * share)]
  return file.extract({ left, top, width: Math.max(1, width - 2 * left), height: Math.max(1, height - 2 * top) })
}

const changes: [what: string, change: (image: Sharp) => Promise<Buffer>, goal?: number][] = [
  ['WebP of quality 80, 400 px', async (image) => half(image).webp({ quality: 80 }).toBuffer(), 0.9],
  ['JPEG of quality 40', async (image) => flat(image).jpeg({ quality: 40 }).toBuffer(), 0.9],
  ['half the size', async (image) => half(image).png().toBuffer(), 0.9],
  ['AVIF of quality 50', async (image) => image.avif({ quality: 50, effort: 0 }).toBuffer(), 0.9],
  ['shades of grey', async (image) => image.greyscale().png().toBuffer()],
  ['blurred', async (image) => image.blur(2).png().toBuffer(), 0.9],
  ['20 % brighter', async (image) => flat(image).modulate({ brightness: 1.2 }).png().toBuffer()],
  ['mirrored', async (image) => (await reopened(image)).flop().webp().toBuffer(), 0.9],
  ['turned by 90 degrees', async (image) => (await reopened(image)).rotate(90).webp().toBuffer(), 0.9],
  ['2 % cropped at each side', async (image) => (await cropped(image, 0.02)).webp().toBuffer()],
  ['5 % cropped at each side', async (image) => (await cropped(image, 0.05)).webp().toBuffer()],
]

const half = (image: Sharp) => image.resize(changedPx / 2, changedPx / 2, { fit: 'inside', withoutEnlargement: true })

async function measureCopies(images: Image[], form: Form): Promise<Table> {
  const step = Math.ceil(images.length / sizes[form].changed)
  const chosen = images.filter((_, n) => n % step === 0)
  const found = new Map<string, number>()
  let compared = 0
  for (const { open } of chosen) {
    const { info } = await open().png().toBuffer({ resolveWithObject: true })
    if (Math.max(info.width, info.height) < smallestPx) continue
    const original = await hashOf(open())
    if (original.phashQuality < nearQuality) continue
    compared++
    const list = new PerceptualHashList()
    list.add(original.phashes[0] ?? '')
    for (const [what, change] of changes) {
      const copy = await hashOf(sharp(await change(open())))
      const isFound = copy.phashQuality >= nearQuality && (await list.near(copy.phashes, nearDistance)).length > 0
      found.set(what, (found.get(what) ?? 0) + Number(isFound))
    }
  }
  return {
    title: `Share of the copies of ${compared} images, of at least ${smallestPx} px, that are found`,
    rows: changes.map(([what, , goal]) => ({
      what,
      unit: '',
      median: (found.get(what) ?? 0) / compared,
      ...(goal === undefined ? {} : { goal: { atLeast: goal } }),
    })),
  }
}

async function measurePairs(images: Image[]): Promise<Table> {
  const list = new PerceptualHashList()
  const names = new Map<string, string[]>()
  let pairs = 0
  let compared = 0
  let same = 0
  let unrelated = 0
  const alike = new Set<string>()
  let printed = 0
  for (const { name, open } of images) {
    const { phashes, phashQuality } = await hashOf(open())
    if (phashQuality < nearQuality) continue
    const near = await list.near(phashes, nearDistance)
    for (const { phash, distance } of near) {
      for (const other of names.get(phash) ?? []) {
        pairs++
        if (distance === 0) same++
        if (setOf(name) !== setOf(other)) unrelated++
        alike.add(name)
        alike.add(other)
        if (printed++ < printedPairs) console.log(`  ${distance} bits: ${name} | ${other}`)
      }
    }
    const [own = ''] = phashes
    const known = names.get(own)
    if (known) known.push(name)
    else {
      names.set(own, [name])
      list.add(own)
    }
    compared++
  }
  const all = (compared * (compared - 1)) / 2
  return {
    title: `Different images that look alike, up to ${nearDistance} bits in eight orientations`,
    rows: [
      { what: 'images', unit: '', median: images.length },
      { what: `of a quality of at least ${nearQuality}, which are compared`, unit: '', median: compared },
      { what: 'pairs that look alike', unit: '', median: pairs },
      { what: 'of these with the same hash', unit: '', median: same },
      { what: 'of these of different sets, such as a flag and an icon', unit: '', median: unrelated },
      { what: 'of a million pairs', unit: '', median: (pairs / all) * 1_000_000 },
      { what: 'images in such a pair', unit: '', median: alike.size },
    ],
  }
}

/** The package of a drawing. Images of one set are often variations of each other. */
const setOf = (name: string) => /^[^:]+(?=:)/.exec(name)?.[0]

/** The hashes of one upload against a list of random ones. */
async function measureSearch(form: Form): Promise<Table> {
  const list = new PerceptualHashList()
  const rows: Row[] = []
  const random = () => crypto.getRandomValues(new BigUint64Array(1))[0]?.toString(16).padStart(16, '0') ?? ''
  const phashes = Array.from({ length: 8 }, random)
  for (const count of form === 'full' ? [100_000, 1_000_000] : [1000]) {
    while (list.size < count) list.add(random())
    await list.near(phashes, nearDistance)
    const start = performance.now()
    for (let n = 0; n < 5; n++) await list.near(phashes, nearDistance)
    rows.push({
      what: `${count.toLocaleString('en')} blocked images`,
      unit: 'ms',
      median: (performance.now() - start) / 5,
    })
  }
  return { title: 'Search for an upload in all orientations', rows }
}
