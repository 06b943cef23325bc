// Mixed load: a storm of cold renders beside hot traffic, from memory and from disk. Who waits for whom, and how much memory it takes.
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { ratesRow, type Round, timesRow } from './figures.ts'
import { getRequest, load, only } from './load.ts'
import type { Form, Part, Row, Table } from './part.ts'
import { type Picture, pictureSet } from './pictures.ts'
import { type Product, withProduct } from './product.ts'
import { watch } from './processes.ts'

const shape = {
  short: { ms: 700, rounds: 1, images: 2 },
  full: { ms: 10_000, rounds: 3, images: 24 },
} as const
const stormConnections = 32
const hotConnections = 4
/** Between two hot requests of a connection: visitors, not a second storm. What is asked is how long one waits. */
const pauseMs = 5
/** Whoever is told 503 comes again much sooner than its Retry-After asks, but not ten thousand times a second. */
const afterRefusal = (status: number) => (status === 503 ? 100 : 0)
/** The goals of memory under mixed load; of p99, against calm. */
const goals = { serverMB: 300, decoderMB: 450, fromMemory: 5, fromDisk: 4 }

export const part: Part = {
  name: 'storm',
  title: `${stormConnections} connections of cold renders beside hot traffic`,
  async run(form) {
    const { photographs, source } = await pictureSet(form)
    return withProduct((product) => measure(form, product, { pictures: photographs, source }))
  },
}

type Kind = 'memory' | 'disk'

async function measure(
  form: Form,
  product: Product,
  { pictures, source }: { pictures: Picture[]; source: string },
): Promise<Table[]> {
  const { ms, rounds, images } = shape[form]
  const ids: string[] = []
  for (let n = 0; n < images; n++) {
    const picture = pictures[n % pictures.length]
    if (picture) ids.push((await product.store(picture)).id)
  }
  const hotPaths: Record<Kind, string[]> = {
    memory: ids.slice(0, 1).map((id) => `/api/thumbnail/${id}/400`),
    disk: await middling(product, pictures),
  }
  const watched = watch(product.server.pid)
  const rows: Row[] = []
  const storms: Round[] = []
  const widths = everyWidth(ids.length)
  for (const kind of ['memory', 'disk'] as const) {
    const found = { calm: [] as number[], storm: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      found.calm.push(...(await hot(product, hotPaths[kind], ms)))
      const [stormed, during] = await Promise.all([
        storm(product, ids, ms, widths),
        // It begins when the storm is at its height.
        sleep(ms / 10).then(() => hot(product, hotPaths[kind], (ms * 8) / 10)),
      ])
      storms.push(stormed)
      found.storm.push(...during)
    }
    const goal = kind === 'memory' ? goals.fromMemory : goals.fromDisk
    rows.push(...besideCalm(`hot from ${kind}`, found, goal))
  }
  const { peakMB } = watched.stop()
  return [
    { title: 'Hot traffic: ratios are of p99', rows },
    {
      title: 'The storm',
      rows: [
        ratesRow('cold renders', storms),
        { what: 'server, most memory', unit: 'MB', median: peakMB[0], goal: { atMost: goals.serverMB } },
        { what: 'a decoder, most memory', unit: 'MB', median: peakMB[1], goal: { atMost: goals.decoderMB } },
      ],
      notes: [
        `${source} The storm asks for ever new widths around 400 of ${images} images, and comes again after 100 ms when it is told ` +
          `503. Hot: ${hotConnections} connections, one request each every ${pauseMs} ms; from memory the same thumbnail, from ` +
          `disk 24 originals of 100 to 300 kB in turn, which is more than it keeps in memory. Client and server share the cores.`,
      ],
    },
  ]
}

function besideCalm(what: string, { calm, storm: during }: { calm: number[]; storm: number[] }, most: number): Row[] {
  const [quiet, busy] = [timesRow(`${what}, calm`, calm), timesRow(`${what}, in the storm`, during)]
  const ratio = (busy.p99Ms ?? 0) / (quiet.p99Ms ?? 1)
  return [
    { ...quiet, ratio: 1 },
    { ...busy, ratio, goal: { atMost: most } },
  ]
}

/** Ever new widths, of all images in turn; whoever is refused comes again soon. */
function storm({ server }: Product, ids: readonly string[], forMs: number, widths: Iterator<number>): Promise<Round> {
  const request = (n: number) =>
    getRequest(server.url, `/api/thumbnail/${ids[n % ids.length]}/${widths.next().value as number}`)
  return load(server.url, { connections: stormConnections, forMs, pauseMs: afterRefusal, request }).then((loaded) =>
    only(200, loaded),
  )
}

/** Each width once for each image, then over again: by then the first are gone, since an image keeps 32 of its variants. */
function* everyWidth(images: number): Generator<number, never> {
  for (;;) for (let width = 300; width < 500; width++) for (let n = 0; n < images; n++) yield width
}

/** Milliseconds of each answer. */
async function hot({ server }: Product, paths: readonly string[], forMs: number): Promise<number[]> {
  const requests = paths.map((path) => getRequest(server.url, path))
  const one = {
    connections: hotConnections,
    forMs,
    pauseMs: () => pauseMs,
    request: (n: number) => requests[n % requests.length],
  }
  return [...(only(200, await load(server.url, one)).times ?? [])]
}

/** Originals of 100 to 300 kB: more than the 64 kB up to which the product keeps a picture in memory. @returns their paths */
async function middling(product: Product, pictures: readonly Picture[]): Promise<string[]> {
  const paths: string[] = []
  for (const [n, { bytes, fileName }] of Array.from({ length: 24 }, () => pictures)
    .flat()
    .slice(0, 24)
    .entries()) {
    const small = await sharp(bytes)
      .resize(1000 + n)
      .jpeg({ quality: 85 })
      .toBuffer()
    paths.push((await product.store({ bytes: small, fileName })).path)
  }
  return paths
}
