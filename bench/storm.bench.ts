// Measures mixed load: a storm of cold renders beside hot traffic, from memory and from disk, and the peak memory.
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { memoryRow, ratesRow, type Round, timesRow } from './statistics.ts'
import type { Form, Benchmark, Row, Table } from './benchmark.ts'
import { cycleThrough, type ImageFile, type ImageSet, loadImageSet } from './bench-images.ts'
import { load, type Request, resultWithStatus } from './load.ts'
import { type Product, openProduct, uploadRequest } from './product.ts'
import { sampleUsage } from './processes.ts'

const shape = {
  short: { ms: 700, rounds: 1, images: 2 },
  full: { ms: 10_000, rounds: 3, images: 24 },
} as const
/** Goals: memory under mixed load; p99 relative to the calm state. */
const goals = { serverMB: 300, decoderMB: 450, fromMemory: 5, fromDisk: 4 }
/** The narrowest widths of the storm: around 400, rendered from the intermediate, and 1600, from the original. */
const [small, large] = [300, 1500]

const stormConnections = 32
const hotConnections = 4
const uploadConnections = 4
/** Interval of hot requests per connection: moderate traffic whose latency is measured, not a second storm. */
const hotEveryMs = 5
/** Number of originals served from disk. */
const mediumCount = 24
/** Pause after a 503, much shorter than its Retry-After, but without a busy loop. */
const retryPauseMs = (status: number) => (status === 503 ? 100 : 0)

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

/** Sends cold renders; retries soon after a 503. @param paths of {@link uncachedPaths} */
async function sendStorm({ server }: Product, paths: Iterator<string, never>, forMs: number): Promise<Round> {
  const request = () => ({ path: paths.next().value })
  return resultWithStatus(
    200,
    await load(server.url, { connections: stormConnections, forMs, pauseMs: retryPauseMs, request }),
  )
}

/**
 * Yields each width once for each image, then all again: by then the first are evicted, since an image retains 32 variants.
 * @param from the narrowest width of each range, in pixels; each range spans 200
 */
function* uncachedPaths(ids: readonly string[], ...from: number[]): Generator<string, never> {
  for (;;)
    for (let offset = 0; offset < 200; offset++)
      for (const px of from) for (const id of ids) yield `/api/thumbnail/${id}/${px + offset}`
}

/**
 * Returns the milliseconds of each response, from when it was due.
 * @throws on a 503: hot images must always be served
 */
async function sendHot({ server }: Product, paths: readonly string[], forMs: number): Promise<number[]> {
  const request = inRotation(paths.map((path) => ({ path })))
  const options = { connections: hotConnections, forMs, everyMs: hotEveryMs, request }
  const { times = [], refused = 0 } = resultWithStatus(200, await load(server.url, options))
  if (refused > 0) throw new Error(`${refused} of ${times.length + refused} hot requests: 503`)
  return [...times]
}

/** Uploads all these images in rotation. */
async function sendUploads({ server, token }: Product, images: readonly ImageFile[], forMs: number): Promise<Round> {
  const request = inRotation(images.map((image) => uploadRequest(image, token)))
  return resultWithStatus(
    201,
    await load(server.url, { connections: uploadConnections, forMs, pauseMs: retryPauseMs, request }),
  )
}

/**
 * Stores originals of 100 to 300 kB: above 64 kB, the limit of the memory cache.
 * @returns their paths
 */
async function storeMediumOriginals(product: Product, images: readonly ImageFile[]): Promise<string[]> {
  const paths: string[] = []
  for (const [n, { bytes, fileName }] of cycleThrough(images, mediumCount).entries()) {
    const small = await sharp(bytes)
      .resize(1000 + n)
      .jpeg({ quality: 85 })
      .toBuffer()
    paths.push((await product.store({ bytes: small, fileName })).path)
  }
  return paths
}

const inRotation = (requests: readonly Request[]) => (n: number) => requests[n % requests.length] as Request
