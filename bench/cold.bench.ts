// Cold renders over HTTP beside a bare loop of sharp: what the product takes away by its intermediate, and what it adds around.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Bare, bareAtOnce, startBare } from './child.ts'
import { ratesBeside, alternateRounds, timesRow } from './figures.ts'
import { getRequest, load, only } from './load.ts'
import type { Form, Part, Row, Table } from './part.ts'
import { inTurn, type Picture, pictureSet } from './bench-images.ts'
import { ask, measuredRound, type Product, withProduct } from './product.ts'

/** `items` of a round; of large ones a quarter. */
const shape = { short: { rounds: 1, items: 4 }, full: { rounds: 9, items: 60 } } as const
const connections = 8
/** Of WebP, in the product (server/imaging/decoder/encoders.ts). sharp's default is 4. */
const ownEffort = 2
/** To the next view of it. The same, but for the disk and the database, which the next one finds in memory; a render takes many times that. */
const sameView = 1.5

export const part: Part = {
  name: 'cold',
  title: 'cold renders over HTTP, beside a bare loop of sharp',
  async run(form) {
    const { photographs, others, source } = await pictureSet(form)
    const bare = startBare()
    try {
      return await withProduct(async (product) => [
        await ofPhotographs(form, { bare, product, pictures: photographs, source }),
        await ofOthers(form, { bare, product, pictures: others }),
      ])
    } finally {
      bare.end()
    }
  },
}

interface Sides {
  bare: Bare
  product: Product
  pictures: Picture[]
}

/** Widths that nobody has asked for yet, around one: cold each time. Each image keeps 32 variants, so no disk fills. */
function* widthsAround(px: number): Generator<number, never> {
  for (;;) for (let away = 1; away <= px / 8; away++) yield* [px - away, px + away]
}

async function ofPhotographs(form: Form, sides: Sides & { source: string }): Promise<Table> {
  const { bare, product, pictures, source } = sides
  const { rounds, items } = shape[form]
  const few = Math.max(2, Math.round(items / 4))
  const first: number[] = []
  const later: number[] = []
  const [usual, forced, large] = [
    await storeAll(form, product, pictures, async (id) => {
      first.push(await timeOf(product, `/api/thumbnail/${id}/400`))
      later.push(await timeOf(product, `/api/thumbnail/${id}/400`))
    }),
    await storeAll(form, product, pictures, (id) => removeIntermediate(product, id)),
    await storeAll(form, product, pictures),
  ]
  // The first one of each image finds its intermediate gone, and knows that from then on.
  await renders(product, forced, 700, forced.length)()
  const measured = await alternateRounds(
    [
      bareRenders(bare, pictures, 400, items),
      renders(product, usual, 400, items),
      bareRenders(bare, pictures, 400, items, ownEffort),
      renders(product, forced, 400, items),
      bareRenders(bare, pictures, 1600, few),
      renders(product, large, 1600, few),
    ],
    rounds,
  )
  const [bare400 = [], own400 = [], bare400Own = [], forced400 = [], bare1600 = [], own1600 = []] = measured
  const firstRow = timesRow('first view of a new image, thumbnail of 400', first)
  const laterRow = timesRow('the next view of it', later)
  return {
    title: `${pictures[0]?.title} and its like`,
    rows: [
      ratesBeside('bare sharp, its defaults, 400 WebP', bare400, bare400),
      ratesBeside('product, 400 WebP', own400, bare400, { atLeast: 2 }),
      ratesBeside(`bare sharp, effort ${ownEffort}, 400 WebP`, bare400Own, bare400),
      ratesBeside('product, from the original, against that', forced400, bare400Own, { atLeast: 0.95 }),
      ratesBeside('bare sharp, its defaults, 1600 WebP', bare1600, bare1600),
      ratesBeside('product, 1600 WebP', own1600, bare1600, { atLeast: 1.5 }),
      laterRow,
      { ...firstRow, ratio: firstRow.median / laterRow.median, goal: { atMost: sameView } },
    ],
    notes: [
      `${source} Bare: ${bareAtOnce} at once; product: ${connections} connections, client on the same cores. Widths are ever new ` +
        `ones around 400 and 1600. Peaks: server + largest decoder. From the original: the intermediates are removed, and since ` +
        `the product knows no other effort than ${ownEffort}, the bare loop takes that one, too: less work to hide behind.`,
    ],
  }
}

/** The other kinds, one image each: what a render of it costs, beside the bare loop for the same. */
async function ofOthers(form: Form, { bare, product, pictures }: Sides): Promise<Table> {
  const { rounds, items } = shape[form]
  const fewer = { rounds: Math.ceil(rounds / 3), items: Math.ceil(items / 3) }
  const rows: Row[] = []
  for (const picture of pictures) {
    const stored = await storeAll(form, product, [picture])
    const [limit = [], own = []] = await alternateRounds(
      [bareRenders(bare, [picture], 400, fewer.items), renders(product, stored, 400, fewer.items)],
      fewer.rounds,
    )
    rows.push(
      ratesBeside(`bare sharp: ${picture.title}`, limit, limit),
      ratesBeside(`product: ${picture.title}`, own, limit),
    )
  }
  return { title: 'Other pictures, 400 WebP', rows }
}

function bareRenders(bare: Bare, pictures: Picture[], px: number, items: number, effort?: number) {
  const widths = widthsAround(px)
  return () =>
    bare.round({
      work: 'webp',
      items: inTurn(pictures, items).map(({ path }) => ({ path, px: widths.next().value })),
      atOnce: bareAtOnce,
      ...(effort !== undefined && { effort }),
    })
}

function renders({ server }: Product, ids: string[], px: number, items: number) {
  const widths = ids.map(() => widthsAround(px))
  return () => {
    const requests = Array.from({ length: items }, (_, n) => {
      const at = n % ids.length
      return getRequest(server.url, `/api/thumbnail/${ids[at]}/${widths[at]?.next().value}`)
    })
    return measuredRound(server.pid, 200, ask(server.url, connections, requests))
  }
}

/** Several of each, so that widths stay new. */
async function storeAll(
  form: Form,
  product: Product,
  pictures: Picture[],
  then: (id: string) => Promise<void> = async () => {},
): Promise<string[]> {
  const times = form === 'full' ? Math.ceil(24 / pictures.length) : 1
  const ids: string[] = []
  for (const picture of inTurn(pictures, times * pictures.length)) {
    const { id } = await product.store(picture)
    ids.push(id)
    await then(id)
  }
  return ids
}

/** As an operator's cleaning or the budget of the cache would. The product then renders from the original. */
const removeIntermediate = ({ server }: Product, id: string) =>
  rm(join(server.dataDir, 'variants', id.slice(0, 2), id, 'intermediate'))

async function timeOf({ server }: Product, path: string): Promise<number> {
  const request = () => getRequest(server.url, path)
  const [tookMs] = only(200, await load(server.url, { connections: 1, count: 1, request })).times ?? []
  if (tookMs === undefined) throw new Error(`${path} was answered with 503`)
  return tookMs
}
