// Mixed load: a storm of cold renders beside hot traffic, from memory and from disk. Who waits for whom, and how much memory it takes.
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryRow, ratesRow, type Round, timesRow } from './figures.ts'
import type { Form, Part, Row, Table } from './part.ts'
import { inTurn, type PictureSet, pictureSet } from './bench-images.ts'
import { type Product, withProduct } from './product.ts'
import { watch } from './processes.ts'
import {
  everyWidth,
  hot,
  hotConnections,
  hotEveryMs,
  middling,
  middlingCount,
  storm,
  stormConnections,
  uploadConnections,
  uploads,
} from './storm-load.ts'

const shape = {
  short: { ms: 700, rounds: 1, images: 2 },
  full: { ms: 10_000, rounds: 3, images: 24 },
} as const
/** The goals of memory under mixed load; of p99, against calm. */
const goals = { serverMB: 300, decoderMB: 450, fromMemory: 5, fromDisk: 4 }
/** The narrowest widths of the storm: around 400, which is made of the intermediate, and 1600, of the original. */
const [small, large] = [300, 1500]

export const part: Part = {
  name: 'storm',
  title: `${stormConnections} connections of cold renders beside hot traffic`,
  async run(form) {
    const pictures = await pictureSet(form)
    return withProduct((product) => measure(form, product, pictures))
  },
}

async function measure(form: Form, product: Product, pictures: PictureSet): Promise<Table[]> {
  const { rounds, images } = shape[form]
  // The uploads before the storm are part of the mixed load.
  const watched = watch(product.server.pid)
  try {
    const ids: string[] = []
    for (const picture of inTurn(pictures.photographs, images)) ids.push((await product.store(picture)).id)
    const memory = ids.slice(0, 1).map((id) => `/api/thumbnail/${id}/400`)
    const disk = await middling(product, pictures.photographs)
    const cold = everyWidth(ids, small)
    const fromMemory = await besideStorm(form, product, { cold, paths: memory })
    const fromDisk = await besideStorm(form, product, { cold, paths: disk })
    const all = await everythingAtOnce(form, product, { ids, pictures, paths: disk })
    const [serverMB, decoderMB] = watched.stop().peakMB
    return [
      {
        title: 'Hot traffic: ratios are of p99',
        rows: [
          ...besideCalm('hot from memory', fromMemory, goals.fromMemory),
          ...besideCalm('hot from disk', fromDisk, goals.fromDisk),
        ],
      },
      {
        title: `The storm, and ${rounds} rounds of everything at once`,
        rows: [
          ratesRow('cold renders', [...fromMemory.storms, ...fromDisk.storms]),
          ...all,
          memoryRow('server, most memory', serverMB, goals.serverMB),
          memoryRow('a decoder, most memory', decoderMB, goals.decoderMB),
        ],
        notes: [`${pictures.source} ${noteOf(images)}`],
      },
    ]
  } finally {
    watched.stop()
  }
}

const noteOf = (images: number) =>
  `The storm asks for ever new widths around 400 of ${images} images, and comes again after 100 ms when it is told 503. Hot: ` +
  `${hotConnections} connections, each with a request due every ${hotEveryMs} ms, timed from then; from memory the same thumbnail, ` +
  `from disk ${middlingCount} originals of 100 to 300 kB in turn, which is more than it keeps in memory. Everything at once: the storm ` +
  'asks for widths around 1600 as well, and for pictures of the other kinds (progressive, 20 MP and more, PNG, WebP, SVG), while ' +
  `${uploadConnections} connections upload all of them. Memory is the most of all that, from the first upload on. Client and ` +
  'server share the cores.'

interface Found {
  calm: number[]
  during: number[]
  storms: Round[]
}

async function besideStorm(
  form: Form,
  product: Product,
  { cold, paths }: { cold: Iterator<string, never>; paths: string[] },
): Promise<Found> {
  const { ms, rounds } = shape[form]
  const found: Found = { calm: [], during: [], storms: [] }
  for (let round = 0; round < rounds; round++) {
    found.calm.push(...(await hot(product, paths, ms)))
    const [stormed, during] = await Promise.all([
      storm(product, cold, ms),
      // It begins when the storm is at its height.
      sleep(ms / 10).then(() => hot(product, paths, (ms * 8) / 10)),
    ])
    found.storms.push(stormed)
    found.during.push(...during)
  }
  return found
}

function besideCalm(what: string, { calm, during }: Found, most: number): Row[] {
  const [quiet, busy] = [timesRow(`${what}, calm`, calm), timesRow(`${what}, in the storm`, during)]
  return [
    { ...quiet, ratio: 1 },
    { ...busy, ratio: busy.p99Ms / quiet.p99Ms, goal: { atMost: most } },
  ]
}

/** What takes the most memory: large renders of every kind of picture beside their uploads. It has no part in the ratios. */
async function everythingAtOnce(
  form: Form,
  product: Product,
  { ids, pictures, paths }: { ids: string[]; pictures: PictureSet; paths: string[] },
): Promise<Row[]> {
  const { ms, rounds } = shape[form]
  const others: string[] = []
  for (const picture of pictures.others) others.push((await product.store(picture)).id)
  const cold = everyWidth([...ids.slice(0, others.length), ...others], small, large)
  const found = { renders: [] as Round[], uploaded: [] as Round[], waits: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    const [renders, uploaded, waits] = await Promise.all([
      storm(product, cold, ms),
      uploads(product, [...pictures.photographs, ...pictures.others], ms),
      hot(product, paths, ms),
    ])
    found.renders.push(renders)
    found.uploaded.push(uploaded)
    found.waits.push(...waits)
  }
  return [
    ratesRow('everything at once: cold renders', found.renders),
    ratesRow('uploads beside them', found.uploaded),
    timesRow('hot from disk beside them', found.waits),
  ]
}
