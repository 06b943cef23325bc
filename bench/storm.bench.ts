// Measures mixed load: a storm of cold renders beside hot traffic, from memory and from disk, and the peak memory.
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryRow, ratesRow, type Round, timesRow } from './figures.ts'
import type { Form, Benchmark, Row, Table } from './benchmark.ts'
import { cycleThrough, type ImageSet, loadImageSet } from './bench-images.ts'
import { type Product, openProduct } from './product.ts'
import { sampleUsage } from './processes.ts'
import {
  uncachedPaths,
  sendHot,
  hotConnections,
  hotEveryMs,
  storeMediumOriginals,
  mediumCount,
  sendStorm,
  stormConnections,
  uploadConnections,
  sendUploads,
} from './storm-load.ts'

const shape = {
  short: { ms: 700, rounds: 1, images: 2 },
  full: { ms: 10_000, rounds: 3, images: 24 },
} as const
/** Goals: memory under mixed load; p99 relative to the calm state. */
const goals = { serverMB: 300, decoderMB: 450, fromMemory: 5, fromDisk: 4 }
/** The narrowest widths of the storm: around 400, rendered from the intermediate, and 1600, from the original. */
const [small, large] = [300, 1500]

export const benchmark: Benchmark = {
  title: `${stormConnections} connections of cold renders beside hot traffic`,
  async run(form, defer) {
    const pictures = await loadImageSet(form)
    return measure(form, await openProduct(defer), pictures)
  },
}

async function measure(form: Form, product: Product, pictures: ImageSet): Promise<Table[]> {
  const { rounds, images } = shape[form]
  // The uploads before the storm are part of the mixed load.
  using usage = sampleUsage(product.server.pid)
  const ids: string[] = []
  for (const image of cycleThrough(pictures.photographs, images)) ids.push((await product.store(image)).id)
  const memory = ids.slice(0, 1).map((id) => `/api/thumbnail/${id}/400`)
  const disk = await storeMediumOriginals(product, pictures.photographs)
  const cold = uncachedPaths(ids, small)
  const fromMemory = await measureDuringStorm(form, product, { cold, paths: memory })
  const fromDisk = await measureDuringStorm(form, product, { cold, paths: disk })
  const all = await measureAllLoads(form, product, { ids, pictures, paths: disk })
  const [serverMB, decoderMB] = usage.stop().peakMB
  return [
    {
      title: 'Hot traffic: ratios are of p99',
      rows: [
        ...rowsAgainstCalm('hot from memory', fromMemory, goals.fromMemory),
        ...rowsAgainstCalm('hot from disk', fromDisk, goals.fromDisk),
      ],
    },
    {
      title: `The storm, and ${rounds} rounds of all loads together`,
      rows: [
        ratesRow('cold renders', [...fromMemory.storms, ...fromDisk.storms]),
        ...all,
        memoryRow('server, peak memory', serverMB, goals.serverMB),
        memoryRow('a decoder, peak memory', decoderMB, goals.decoderMB),
      ],
      notes: [`${pictures.source} ${noteFor(images)}`],
    },
  ]
}

const noteFor = (images: number) =>
  `The storm requests new widths around 400 of ${images} images and retries 100 ms after a 503. Hot: ` +
  `${hotConnections} connections, each with a request due every ${hotEveryMs} ms, timed from then; from memory the same thumbnail, ` +
  `from disk ${mediumCount} originals of 100 to 300 kB in rotation, above the limit of the memory cache. All loads together: the ` +
  'storm also requests widths around 1600 and images of the other kinds (progressive, 20 MP and more, PNG, WebP, SVG), while ' +
  `${uploadConnections} connections upload all of them. Peak memory covers all of it, from the first upload on. Client and ` +
  'server share the cores.'

interface StormTimes {
  calm: number[]
  during: number[]
  storms: Round[]
}

async function measureDuringStorm(
  form: Form,
  product: Product,
  { cold, paths }: { cold: Iterator<string, never>; paths: string[] },
): Promise<StormTimes> {
  const { ms, rounds } = shape[form]
  const found: StormTimes = { calm: [], during: [], storms: [] }
  for (let round = 0; round < rounds; round++) {
    found.calm.push(...(await sendHot(product, paths, ms)))
    const [round, during] = await Promise.all([
      sendStorm(product, cold, ms),
      // Starts when the storm has reached its full load.
      sleep(ms / 10).then(() => sendHot(product, paths, (ms * 8) / 10)),
    ])
    found.storms.push(round)
    found.during.push(...during)
  }
  return found
}

function rowsAgainstCalm(what: string, { calm, during }: StormTimes, most: number): Row[] {
  const [quiet, busy] = [timesRow(`${what}, calm`, calm), timesRow(`${what}, in the storm`, during)]
  return [
    { ...quiet, ratio: 1 },
    { ...busy, ratio: busy.p99Ms / quiet.p99Ms, goal: { atMost: most } },
  ]
}

/** Measures the highest memory use: large renders of every kind of image beside their uploads. The ratios exclude it. */
async function measureAllLoads(
  form: Form,
  product: Product,
  { ids, pictures, paths }: { ids: string[]; pictures: ImageSet; paths: string[] },
): Promise<Row[]> {
  const { ms, rounds } = shape[form]
  const others: string[] = []
  for (const image of pictures.others) others.push((await product.store(image)).id)
  const cold = uncachedPaths([...ids.slice(0, others.length), ...others], small, large)
  const found = { renders: [] as Round[], uploaded: [] as Round[], hotTimes: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    const [renders, uploaded, hotTimes] = await Promise.all([
      sendStorm(product, cold, ms),
      sendUploads(product, [...pictures.photographs, ...pictures.others], ms),
      sendHot(product, paths, ms),
    ])
    found.renders.push(renders)
    found.uploaded.push(uploaded)
    found.hotTimes.push(...hotTimes)
  }
  return [
    ratesRow('all loads together: cold renders', found.renders),
    ratesRow('all loads together: uploads', found.uploaded),
    timesRow('all loads together: hot from disk', found.hotTimes),
  ]
}
