// Measures the image engine: bytes and quality of its formats on photographs, the first response of
// fmt=auto, and how many renders the ladder of widths saves.
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import sharp from 'sharp'
import type { OutputFormat } from '../contract/plain/formats.ts'
import { encoders } from '../server/imaging/decoder/encoders.ts'
import { generatePhotograph } from './generated-images.ts'
import { timesRow } from './figures.ts'
import { getRequest, load, resultWithStatus } from './load.ts'
import type { Form, Benchmark, Row, Table } from './benchmark.ts'
import { loadPhotographCollection } from './photographs.ts'
import { type Product, withProduct } from './product.ts'

const cache = fileURLToPath(new URL('../node_modules/.cache/bench-pictures/', import.meta.url))
const shape = {
  short: { photographs: 2, widthsPx: [320], requests: 4, randomWidths: 40 },
  full: { photographs: Infinity, widthsPx: [800, 1600], requests: 60, randomWidths: 10_000 },
} as const
const quality = 80
/** Of the JPEGs that the others are compared with, at the quality at which they have the same score. */
const jpegQualities = [60, 70, 80, 90]

export const benchmark: Benchmark = {
  name: 'formats',
  title: 'formats of the image engine, and its ladder of widths',
  async run(form) {
    const { photographs, source } = await loadSet(form)
    const tables: Table[] = []
    for (const widthPx of shape[form].widthsPx)
      tables.push(await compareFormats(photographs.slice(0, shape[form].photographs), widthPx, source))
    await withProduct(async (product) => {
      tables.push(await measureFirstResponses(form, product, photographs.slice(0, 6)))
      tables.push(await measureLadder(form, product))
    })
    return tables
  },
}

async function loadSet(form: Form): Promise<{ photographs: Buffer[]; source: string }> {
  const real = form === 'full' ? await loadPhotographCollection(cache) : 'this is the short form'
  if (typeof real !== 'string') return { photographs: real, source: "Photographs of Debian's wallpapers." }
  const photographs: Buffer[] = []
  for (let seed = 1; seed <= (form === 'full' ? 6 : 2); seed++)
    photographs.push(await (await generatePhotograph(2000, 1500, seed)).jpeg({ quality: 95 }).toBuffer())
  return { photographs, source: `Generated photographs (${real}).` }
}

interface Encoded {
  bytes: number
  score: number
}

async function compareFormats(photographs: Buffer[], widthPx: number, source: string): Promise<Table> {
  const results: { jpeg: Encoded[]; webp: Encoded; avif: Encoded }[] = []
  await withScorers(photographs, async (photograph, scoreOf) => {
    const pipeline = sharp(photograph).autoOrient().resize(widthPx).removeAlpha().toColourspace('srgb').raw()
    const { data, info } = await pipeline.toBuffer({ resolveWithObject: true })
    const raw = { width: info.width, height: info.height, channels: info.channels }
    const encode = async (format: OutputFormat, at: number): Promise<Encoded> => {
      const file = await encoders[format](sharp(data, { raw }), at).toBuffer()
      const image = await sharp(file).toColourspace('srgb').raw().toBuffer()
      return { bytes: file.length, score: await scoreOf(data, image, info.width, info.height) }
    }
    const jpeg: Encoded[] = []
    for (const at of jpegQualities) jpeg.push(await encode('jpeg', at))
    results.push({ jpeg, webp: await encode('webp', quality), avif: await encode('avif', quality) })
  })

  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const rowOf = (label: string, encoded: Encoded[]): Row => ({
    what: `${label}: SSIMULACRA 2 ${mean(encoded.map(({ score }) => score)).toFixed(1)}`,
    unit: 'kB',
    median: mean(encoded.map(({ bytes }) => bytes)) / 1000,
  })
  const compared = (label: string, format: 'webp' | 'avif'): Row => ({
    ...rowOf(
      label,
      results.map((result) => result[format]),
    ),
    ratio:
      mean(results.map((result) => result[format].bytes)) /
      mean(results.map(({ jpeg, [format]: { score } }) => jpegBytesAt(jpeg, score))),
  })
  return {
    title: `${photographs.length} photographs, ${widthPx} px wide`,
    rows: [
      rowOf(
        'JPEG, quality 80',
        results.map(({ jpeg }) => jpeg[jpegQualities.indexOf(quality)] as Encoded),
      ),
      compared('WebP, quality 80', 'webp'),
      { ...compared('AVIF of fmt=auto, quality 80', 'avif'), goal: { atMost: 0.75 } },
    ],
    notes: [
      `${source} Means; the ratio is to the bytes of JPEGs with the same score, interpolated between qualities ` +
        `${jpegQualities.join(', ')}.`,
    ],
  }
}

/** Bytes grow exponentially with the score. Outside of the measured scores, on the line of the nearest two. */
function jpegBytesAt(measured: Encoded[], score: number): number {
  const sorted = measured.toSorted((a, b) => a.score - b.score)
  const above = Math.min(
    Math.max(
      1,
      sorted.findIndex((one) => one.score >= score),
    ),
    sorted.length - 1,
  )
  const at = score > (sorted.at(-1)?.score ?? 0) ? sorted.length - 1 : above
  const [low, high] = [sorted[at - 1] as Encoded, sorted[at] as Encoded]
  const share = (score - low.score) / (high.score - low.score)
  return Math.exp(Math.log(low.bytes) + share * Math.log(high.bytes / low.bytes))
}

type Score = (reference: Buffer, image: Buffer, widthPx: number, heightPx: number) => Promise<number>

/** Works on all items, as many at once as there are cores. */
async function withScorers<T>(items: T[], work: (item: T, scoreOf: Score) => Promise<void>): Promise<void> {
  const queue = [...items]
  const run = async () => {
    const worker = new Worker(new URL('ssimulacra2.mjs', import.meta.url))
    const scoreOf: Score = async (reference, image, widthPx, heightPx) => {
      worker.postMessage({ reference, image, widthPx, heightPx })
      const [score] = (await once(worker, 'message')) as [number]
      return score
    }
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item, scoreOf)
    await worker.terminate()
  }
  await Promise.all(Array.from({ length: availableParallelism() }, run))
}

/** What Chromium sends for images. */
const accept = 'accept: image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'
/** An AVIF that is being rendered would delay the next response. */
const backgroundMs = 400

/** Each request has a new quality, so that each render is cold. */
async function measureFirstResponses(form: Form, product: Product, photographs: Buffer[]): Promise<Table> {
  const ids: string[] = []
  for (const [n, bytes] of photographs.entries()) ids.push((await product.store({ bytes, fileName: `${n}.jpg` })).id)
  const rows: Row[] = []
  for (const widthPx of [400, 1600]) {
    const times = { webp: [] as number[], auto: [] as number[] }
    for (let n = 0; n < shape[form].requests; n++) {
      for (const fmt of n % 2 === 0 ? (['webp', 'auto'] as const) : (['auto', 'webp'] as const)) {
        // WebP and AVIF of an image differ in quality by one, which costs the same.
        const at = 60 + 2 * Math.floor(n / ids.length) + (fmt === 'auto' ? 1 : 0)
        const path = `/i/${ids[n % ids.length]}.jpg?w=${widthPx}&q=${at}&fmt=${fmt}`
        const request = () => getRequest(product.server.url, path, [accept])
        times[fmt].push(
          ...(resultWithStatus(200, await load(product.server.url, { connections: 1, count: 1, request })).times ?? []),
        )
        if (fmt === 'auto') await sleep(backgroundMs)
      }
    }
    const [webp, auto] = [
      timesRow(`${widthPx} px, fmt=webp`, times.webp),
      timesRow(`${widthPx} px, fmt=auto`, times.auto),
    ]
    rows.push(webp, { ...auto, ratio: auto.median / webp.median, goal: { atMost: 1.1 } })
  }
  return {
    title: 'First response of a photograph that no cache has',
    rows,
    notes: ['fmt=auto responds with WebP and renders the AVIF afterwards: requests alternate.'],
  }
}

const ladderImages = 20
const widestPx = 1000
const connections = 4

/** The same random widths with the ladder, and without by the path that renders exact widths. */
async function measureLadder(form: Form, product: Product): Promise<Table> {
  const { randomWidths } = shape[form]
  const ids: string[] = []
  for (let seed = 1; seed <= Math.min(ladderImages, randomWidths / 10); seed++) {
    const bytes = await (await generatePhotograph(600, 450, seed)).resize(widestPx).jpeg().toBuffer()
    ids.push((await product.store({ bytes, fileName: `${seed}.jpg` })).id)
  }
  const picks = Array.from({ length: randomWidths }, (_, n) => ({
    id: ids[Math.floor(fraction(n, 1) * ids.length)] ?? '',
    widthPx: 1 + Math.floor(fraction(n, 2) * widestPx),
  }))
  const shareOf = async (pathOf: (pick: { id: string; widthPx: number }) => string) => {
    const before = await rendersOf(product)
    const requests = picks.map((pick) => getRequest(product.server.url, pathOf(pick)))
    const request = (n: number) => requests[n]
    const { refused = 0 } = resultWithStatus(
      200,
      await load(product.server.url, { connections, count: requests.length, request }),
    )
    return { hits: 1 - ((await rendersOf(product)) - before) / (picks.length - refused) }
  }
  const exact = await shareOf(({ id, widthPx }) => `/api/webp/${id}/81?width=${widthPx}`)
  const ladder = await shareOf(({ id, widthPx }) => `/i/${id}.jpg?w=${widthPx}&fmt=webp`)
  return {
    title: `${randomWidths.toLocaleString('en')} requests of ${ids.length} images in random widths of 1 to ${widestPx} px`,
    rows: [
      { what: 'share of cache hits, exact widths (/api/webp)', unit: '', median: exact.hits },
      { what: 'share of cache hits, widths of the ladder (/i)', unit: '', median: ladder.hits, goal: { atLeast: 0.9 } },
    ],
    notes: ['A hit is a response without a render. At most 64 variants of an image are stored.'],
  }
}

/** Between 0 and 1, the same in each run. */
const fraction = (n: number, seed: number) => (Math.abs(Math.sin(n * 12.9898 + seed * 78.233)) * 43_758.5453) % 1

async function rendersOf({ server }: Product): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return Number(/^image_host_decoder_jobs\{of="transform"\} (\d+)$/m.exec(text)?.[1])
}
