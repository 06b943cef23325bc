// F11: sixteen clients send only bombs and hostile SVGs, as fast as they get responses, while well-behaved clients work within
// their limits and a visitor opens pages of images. The limits are those of a fresh installation.
import { writeFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { defaultLimits } from '../e2e/server.ts'
import { goodImage, rasterBombs, svgBombs } from './bombs.ts'
import {
  bearer,
  call,
  type CallResponse,
  described,
  formHeaders,
  formOf,
  imageIn,
  originalAt,
  register,
  store,
  upload,
} from './client.ts'
import { type FloodFigures, type FloodOptions, startFlood } from './load/flooders.ts'
import { percentile } from './percentile.ts'
import { isAlive, watchMemory } from './processes.ts'
import { type Defer, openFolder, openServer, withServer } from './resources.ts'
import { atLeast, atMost, type Finding, type Form, info, inFull, none, type Scenario } from './scenario.ts'

const shape = {
  short: { quietMs: 500, floodMs: 2000, flooders: 4, pageImages: 24 },
  full: { quietMs: 120_000, floodMs: 600_000, flooders: 16, pageImages: 100 },
} as const
/** Each from its own address. Together they give enough samples for a 99th percentile; each stays within its limits. */
const goodClients = 4
/** One request of each kind: 90 a minute of the 120 allowed. */
const everyMs = 2000
/** From one page of the visitor to the next. */
const readsForMs = 20_000

export const scenario: Scenario = {
  id: 'F11',
  title: 'a flood of bombs and hostile SVGs beside good clients',
  missing: async () => (process.platform === 'linux' ? undefined : 'it needs /proc and the addresses 127.0.0.0/8'),
  run,
}

/** Milliseconds of each successful response, by kind. */
interface Times {
  original: number[]
  thumbnail: number[]
  upload: number[]
}

async function run(form: Form, defer: Defer): Promise<Finding[]> {
  const { quietMs, floodMs, flooders, pageImages } = shape[form]
  const dataDir = await openFolder(defer)
  const images = await storePage(dataDir, pageImages)
  const server = await openServer(defer, { dataDir, env: defaultLimits })
  const memory = watchMemory(server.pid)
  defer(memory.stop)
  const bombs = await bombsIn(await openFolder(defer))
  const wrongs: string[] = []
  const good = await Promise.all(
    Array.from({ length: goodClients }, (_, at) => goodClient(server.url, `127.0.0.${at + 2}`, at)),
  )
  const serve = async (ms: number) => {
    const times: Times = { original: [], thumbnail: [], upload: [] }
    await Promise.all(good.map((client) => client(performance.now() + ms, times, wrongs)))
    return times
  }
  const visit = pageVisitor(server.url, images)
  const [quiet, quietPages] = await Promise.all([serve(quietMs), visit(quietMs)])
  const callers = await Promise.all(Array.from({ length: flooders }, (_, at) => flooder(server.url, at)))
  const endFlood = startFlood({ url: server.url, bombs, callers })
  const [busy, busyPages] = await Promise.all([serve(floodMs), visit(floodMs)])
  const flood = await endFlood()
  wrongs.push(...flood.wrongs)
  const isUp = isAlive(server.pid)
  await server.stop()
  return [
    info('responses to bombs', countsOf(flood)),
    atLeast(
      'successful responses during the flood',
      busy.original.length + busy.upload.length,
      form === 'full' ? 2000 : 2,
    ),
    none('responses other than 201, 4xx and 503 to bombs, other than 2xx to good clients, broken connections', wrongs),
    none(
      `images missing from ${quietPages.tookMs.length + busyPages.tookMs.length} pages of ${images.length}, never rendered before`,
      [...quietPages.missing, ...busyPages.missing],
    ),
    info('longest page, quiet and flooded', `${longestSeconds(quietPages)} s, ${longestSeconds(busyPages)} s`),
    none('servers ended', isUp ? [] : ['it ended']),
    atMost('server, most memory', memory.server / 1e6, 300, ' MB'),
    atMost('a decoder, most memory', memory.decoder / 1e6, 450, ' MB'),
    atMost('all together, most memory', memory.sum / 1e6, 768, ' MB'),
    info('then of the server and each decoder', memory.parts.map((bytes) => Math.round(bytes / 1e6)).join(', ')),
    ...timesFound(quiet, busy, flood).map(inFull),
  ]
}

function timesFound(quiet: Times, busy: Times, { slowestMs }: FloodFigures): Finding[] {
  const ratio = (kind: keyof Times) => p99(busy[kind]) / p99(quiet[kind])
  const told99 = (kind: keyof Times) =>
    info(`${kind}s, p99 quiet and flooded`, `${Math.round(p99(quiet[kind]))} ms, ${Math.round(p99(busy[kind]))} ms`)
  return [
    atMost('originals, p99 under the flood', p99(busy.original), 50, ' ms'),
    told99('original'),
    atMost('thumbnails, p99 against quiet', ratio('thumbnail'), 2, ' times'),
    told99('thumbnail'),
    atMost('uploads, p99 against quiet', ratio('upload'), 2, ' times'),
    told99('upload'),
    atMost('longest response to a bomb', slowestMs, 60_000, ' ms'),
  ]
}

const p99 = (values: readonly number[]) => percentile(values, 0.99)

function countsOf({ answers }: FloodFigures): string {
  const counts = Object.entries(answers)
  const all = counts.reduce((sum, [, count]) => sum + count, 0)
  return `${all}: ${counts.map(([status, count]) => `${count} of ${status}`).join(', ')}`
}

/** Complete forms as files, written once, which the flood reads. */
async function bombsIn(folder: string): Promise<FloodOptions['bombs']> {
  const made = [...(await rasterBombs()), ...svgBombs()]
  return Promise.all(
    made.map(async ({ name, file }, n) => {
      const path = join(folder, String(n))
      await writeFile(path, formOf(file))
      return { name, path }
    }),
  )
}

/** Every second client is a guest, who may send neither GIF nor SVG and does so anyway. */
async function flooder(url: string, at: number): Promise<FloodOptions['callers'][number]> {
  const localAddress = `127.0.1.${at + 1}`
  if (at % 2 !== 0) return { localAddress, headers: formHeaders }
  const agent = new Agent({ localAddress })
  const token = await register(url, `flood-${at}@example.com`, { agent })
  agent.destroy()
  return { localAddress, headers: { ...formHeaders, ...bearer(token) } }
}

/** Uploads the images of a page, by a server without limits. @returns their ids */
const storePage = (dataDir: string, count: number): Promise<string[]> =>
  withServer({ dataDir }, async ({ url }) => {
    const token = await register(url, 'page@example.com')
    const ids: string[] = []
    for (let seed = 1; seed <= count; seed++)
      ids.push((await store(url, await goodImage(goodClients + seed), { token })).id)
    return ids
  })

interface Pages {
  /** Of each page, to its last byte. */
  tookMs: number[]
  missing: string[]
}

/**
 * A visitor who opens one page after the other. Its images are requested all at once, as a proxy forwards the streams of an
 * HTTP/2 connection, each page in another size.
 */
function pageVisitor(url: string, ids: readonly string[]) {
  let widthPx = 640
  return async (forMs: number): Promise<Pages> => {
    const agent = new Agent({ keepAlive: true, localAddress: '127.0.2.1' })
    const pages: Pages = { tookMs: [], missing: [] }
    const until = performance.now() + forMs
    do {
      const start = performance.now()
      await Promise.all(
        ids.map(async (id) => {
          const reply = await call(`${url}/api/webp/${id}/80?width=${widthPx}`, { agent }).catch(String)
          if (typeof reply === 'string') pages.missing.push(reply)
          else if (reply.status !== 200) pages.missing.push(described(reply))
        }),
      )
      widthPx++
      const tookMs = performance.now() - start
      pages.tookMs.push(tookMs)
      await sleep(Math.max(0, Math.min(readsForMs, until - start) - tookMs))
    } while (performance.now() < until)
    agent.destroy()
    return pages
  }
}

const longestSeconds = ({ tookMs }: Pages) => (Math.max(...tookMs) / 1000).toFixed(1)

/** An account that periodically uploads a photograph, loads its original and a size that is not rendered yet. */
async function goodClient(url: string, localAddress: string, seed: number) {
  const agent = new Agent({ keepAlive: true, localAddress })
  const token = await register(url, `good-${seed}@example.com`, { agent })
  const picture = await goodImage(seed)
  let round = 0
  return async (untilMs: number, times: Times, wrongs: string[]): Promise<void> => {
    const took = (kind: keyof Times, reply: CallResponse) => {
      if (reply.status < 300) times[kind].push(reply.tookMs)
      else wrongs.push(`a good ${kind}: ${described(reply)}`)
      return reply
    }
    try {
      while (performance.now() < untilMs) {
        const start = performance.now()
        const stored = took('upload', await upload(url, picture, { agent, token }))
        if (stored.status === 201) {
          const image = imageIn(stored)
          took('original', await call(originalAt(url, image), { agent }))
          took('thumbnail', await call(`${url}/api/thumbnail/${image.id}/${200 + (round++ % 150)}`, { agent }))
        }
        await sleep(Math.max(0, Math.min(everyMs, untilMs - start) - (performance.now() - start)))
      }
    } catch (error) {
      wrongs.push(`a good client: ${String(error)}`)
    }
  }
}
