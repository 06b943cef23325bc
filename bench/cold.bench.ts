// Measures cold renders over HTTP against a bare loop of sharp: what the intermediate saves, and what the product adds.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { call } from '../faults/client.ts'
import { type Bare, bareConcurrency, startBare } from './bare-processes.ts'
import { alternateRounds } from './alternate-rounds.ts'
import { comparedRatesRow, timesRow } from './statistics.ts'
import type { Form, Benchmark, Row, Table } from './benchmark.ts'
import { cycleThrough, type ImageFile, loadImageSet } from './bench-images.ts'
import { sendRequests, measuredRound, type Product, openProduct } from './product.ts'

/** `items` per round; a quarter of that for large renders. */
const shape = { short: { rounds: 1, items: 4 }, full: { rounds: 9, items: 60 } } as const
const connections = 8
/** WebP effort of the product (server/imaging/decoder/encoders.ts). sharp's default is 4. */
const productEffort = 2
/**
 * Limit of the ratio to the next view. Nothing is rendered in either; only disk and database are not cached yet. A render
 * takes many times that.
 */
const maxFirstViewRatio = 1.5

export const benchmark: Benchmark = {
  title: 'cold renders over HTTP, against a bare loop of sharp',
  async run(form, defer) {
    const { photographs, others, source } = await loadImageSet(form)
    const bare = startBare(defer)
    const product = await openProduct(defer)
    return [
      await measurePhotographs(form, { bare, product, images: photographs, source }),
      await measureOthers(form, { bare, product, images: others }),
    ]
  },
}

interface Sides {
  bare: Bare
  product: Product
  images: ImageFile[]
}

/**
 * Widths around `px` that were not requested before, so that each render is cold. Each image retains 32 variants, so the disk
 * does not fill up.
 */
function* widthsAround(px: number): Generator<number, never> {
  for (;;) for (let offset = 1; offset <= px / 8; offset++) yield* [px - offset, px + offset]
}

async function measurePhotographs(form: Form, sides: Sides & { source: string }): Promise<Table> {
  const { bare, product, images, source } = sides
  const { rounds, items } = shape[form]
  const few = Math.max(2, Math.round(items / 4))
  const first: number[] = []
  const later: number[] = []
  const [usual, forced, large] = [
    await storeAll(form, product, images, async (id) => {
      first.push(await measureMs(product, `/api/thumbnail/${id}/400`))
      later.push(await measureMs(product, `/api/thumbnail/${id}/400`))
    }),
    await storeAll(form, product, images, (id) => removeIntermediate(product, id)),
    await storeAll(form, product, images),
  ]
  // The first render of each image after the removal detects that its intermediate is missing.
  await productRound(product, forced, 700, forced.length)()
  const measured = await alternateRounds(
    [
      bareRound(bare, images, 400, items),
      productRound(product, usual, 400, items),
      bareRound(bare, images, 400, items, productEffort),
      productRound(product, forced, 400, items),
      bareRound(bare, images, 1600, few),
      productRound(product, large, 1600, few),
    ],
    rounds,
  )
  const [bare400 = [], own400 = [], bare400Own = [], forced400 = [], bare1600 = [], own1600 = []] = measured
  const firstRow = timesRow('first view of a new image, thumbnail of 400', first)
  const laterRow = timesRow('next view of the same image', later)
  return {
    title: `${images[0]?.title} and similar`,
    rows: [
      comparedRatesRow('bare sharp, its defaults, 400 WebP', bare400, bare400),
      comparedRatesRow('product, 400 WebP', own400, bare400, { atLeast: 3 }),
      comparedRatesRow(`bare sharp, effort ${productEffort}, 400 WebP`, bare400Own, bare400),
      comparedRatesRow('product, from the original, against the row above', forced400, bare400Own, { atLeast: 0.95 }),
      comparedRatesRow('bare sharp, its defaults, 1600 WebP', bare1600, bare1600),
      comparedRatesRow('product, 1600 WebP', own1600, bare1600, { atLeast: 1.6 }),
      laterRow,
      { ...firstRow, ratio: firstRow.median / laterRow.median, goal: { atMost: maxFirstViewRatio } },
    ],
    notes: [
      `${source} Bare: concurrency ${bareConcurrency}; product: ${connections} connections, client on the same cores. ` +
        `Each request has a new width around 400 or 1600. Peaks: server + largest decoder. From the original: the ` +
        `intermediates are removed, and the bare loop uses the product's effort ${productEffort}, which takes less CPU time.`,
    ],
  }
}

/** Of the other kinds, by file name. */
const minRatios: Record<string, number> = { 'screenshot.png': 2 }

/** Measures the other kinds with one image each: its render against the bare loop. */
async function measureOthers(form: Form, { bare, product, images }: Sides): Promise<Table> {
  const { rounds, items } = shape[form]
  const fewer = { rounds: Math.ceil(rounds / 3), items: Math.ceil(items / 3) }
  const rows: Row[] = []
  for (const image of images) {
    const stored = await storeAll(form, product, [image])
    const [limit = [], own = []] = await alternateRounds(
      [bareRound(bare, [image], 400, fewer.items), productRound(product, stored, 400, fewer.items)],
      fewer.rounds,
    )
    const atLeast = minRatios[image.fileName]
    rows.push(
      comparedRatesRow(`bare sharp: ${image.title}`, limit, limit),
      comparedRatesRow(`product: ${image.title}`, own, limit, atLeast === undefined ? undefined : { atLeast }),
    )
  }
  return { title: 'Other images, 400 WebP', rows }
}

function bareRound(bare: Bare, images: ImageFile[], px: number, items: number, effort?: number) {
  const widths = widthsAround(px)
  return () =>
    bare.round({
      work: 'webp',
      items: cycleThrough(images, items).map(({ path }) => ({ path, px: widths.next().value })),
      concurrency: bareConcurrency,
      ...(effort !== undefined && { effort }),
    })
}

function productRound({ server }: Product, ids: string[], px: number, items: number) {
  const widths = ids.map(() => widthsAround(px))
  return () => {
    const requests = Array.from({ length: items }, (_, n) => {
      const at = n % ids.length
      return { path: `/api/thumbnail/${ids[at]}/${widths[at]?.next().value}` }
    })
    return measuredRound(server.pid, 200, sendRequests(server.url, connections, requests))
  }
}

/** Stores several copies of each image, so that widths stay new. */
async function storeAll(
  form: Form,
  product: Product,
  images: ImageFile[],
  then: (id: string) => Promise<void> = async () => {},
): Promise<string[]> {
  const times = form === 'full' ? Math.ceil(24 / images.length) : 1
  const ids: string[] = []
  for (const image of cycleThrough(images, times * images.length)) {
    const { id } = await product.store(image)
    ids.push(id)
    await then(id)
  }
  return ids
}

/** Removes the intermediate, as the eviction of the cache does. The product then renders from the original. */
const removeIntermediate = ({ server }: Product, id: string) =>
  rm(join(server.dataDir, 'variants', id.slice(0, 2), id, 'intermediate'))

async function measureMs({ server }: Product, path: string): Promise<number> {
  const { status, tookMs } = await call(server.url + path)
  if (status !== 200) throw new Error(`${path}: ${status}`)
  return tookMs
}
