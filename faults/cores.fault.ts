// F19: eight decoders on a machine that may have fewer cores. Eight jobs run at once, and all end with the bytes that two
// decoders make, within the memory of eight.
import { setTimeout as sleep } from 'node:timers/promises'
import { call, described, imageIn, register, type CallResponse, upload } from './client.ts'
import { jpeg } from './fault-images.ts'
import { sha256 } from './verify.ts'
import { MB, watchMemory } from './processes.ts'
import { openServer, withDeferred } from './resources.ts'
import { atLeast, atMost, type Finding, type Form, none, type Scenario, info } from './scenario.ts'

const shape = {
  short: { images: 10, widthPx: 1600 },
  full: { images: 64, widthPx: 4000 },
} as const
const [few, many] = [2, 8]
/** As under the flood (`npm run faults -- flood`), where all together have 768 MB with two decoders. */
const mostMB = { perDecoder: 384, decoder: 450, server: 300 }
const lookEveryMs = 10

export const scenario: Scenario = {
  id: 'F19',
  title: `${many} decoders, whatever the number of cores`,
  missing: async () => (process.platform === 'linux' ? undefined : 'it needs /proc'),
  run,
}

interface Work {
  /** The most jobs of a lane that ran at once. */
  running: { ingest: number; transform: number }
  /** SHA-256 of all responses, by image and path. */
  hashes: string[]
  failed: string[]
  seconds: { uploads: number; renders: number }
  mostMB: { server: number; decoder: number; sum: number }
}

async function run(form: Form): Promise<Finding[]> {
  const { images, widthPx } = shape[form]
  const pictures: Buffer[] = []
  for (let seed = 0; seed < images; seed++) pictures.push(await jpeg(widthPx, (widthPx * 3) / 4, seed))
  const expected = await work(pictures, few)
  const found = await work(pictures, many)
  const different = found.hashes.flatMap((hash, n) => (hash === expected.hashes[n] ? [] : [`response ${n}`]))
  const { running, mostMB: most } = found
  return [
    ...(['ingest', 'transform'] as const).flatMap((lane) => [
      atLeast(`${lane}: jobs at once`, running[lane], many),
      atMost(`${lane}: jobs at once`, running[lane], many),
    ]),
    none(`uploads and renders of ${images} images that failed`, [...expected.failed, ...found.failed]),
    atLeast('responses compared', found.hashes.length, images * pathsOf('').length),
    none(`responses that differ from those of ${few} decoders`, different),
    info('uploads and renders, seconds', `${secondsOf(found)}; with ${few} decoders ${secondsOf(expected)}`),
    atMost('server, most memory', most.server, mostMB.server, ' MB'),
    atMost('a decoder, most memory', most.decoder, mostMB.decoder, ' MB'),
    atMost('all together, most memory', most.sum, many * mostMB.perDecoder, ' MB'),
  ]
}

const secondsOf = ({ seconds }: Work) => `${seconds.uploads.toFixed(1)} and ${seconds.renders.toFixed(1)}`

/** The original, the files that the upload makes, and variants of every source, encoder and size. */
const pathsOf = (id: string) => [
  `/i/${id}.jpg`,
  `/api/thumbnail/${id}/400`,
  `/i/${id}.webp?w=640`,
  `/api/resize/${id}/800`,
  `/api/webp/${id}/80?width=1000`,
]

/** Uploads all images at once, then requests all variants at once. */
const work = (pictures: readonly Buffer[], decoders: number): Promise<Work> =>
  withDeferred(async (defer) => {
    const server = await openServer(defer, { env: { DECODERS: String(decoders) } })
    const memory = watchMemory(server.pid)
    defer(memory.stop)
    const token = await register(server.url, 'cores@example.com')
    const failed: string[] = []
    const whole = async (expected: number, reply: Promise<CallResponse>): Promise<CallResponse | undefined> => {
      const found = await reply.catch(String)
      if (typeof found !== 'string' && found.status === expected) return found
      failed.push(typeof found === 'string' ? found : described(found))
      return undefined
    }
    const stored = await watched(server.url, 'ingest', () =>
      Promise.all(pictures.map((image) => whole(201, upload(server.url, image, { token })))),
    )
    const paths = stored.result.flatMap((reply) => (reply ? pathsOf(imageIn(reply).id) : []))
    const rendered = await watched(server.url, 'transform', () =>
      Promise.all(paths.map((path) => whole(200, call(server.url + path)))),
    )
    const most = memory.stop()
    return {
      running: { ingest: stored.running, transform: rendered.running },
      hashes: rendered.result.map((reply) => (reply ? sha256(reply.body) : '')),
      failed,
      seconds: { uploads: stored.seconds, renders: rendered.seconds },
      mostMB: { server: most.server / MB, decoder: most.decoder / MB, sum: most.sum / MB },
    }
  })

/** Runs `use` and asks for the number of running jobs of a lane meanwhile. */
async function watched<T>(url: string, lane: string, use: () => Promise<T>) {
  let running = 0
  let isOver = false
  const look = async () => {
    while (!isOver) {
      const { body } = await call(`${url}/metrics`)
      const [, jobs] =
        new RegExp(`^image_host_decoder_running\\{of="${lane}"\\} (\\d+)$`, 'm').exec(body.toString()) ?? []
      if (jobs === undefined) throw new Error(`The metrics do not have the running jobs of ${lane}`)
      running = Math.max(running, Number(jobs))
      await sleep(lookEveryMs)
    }
  }
  const start = performance.now()
  const looking = look()
  // Awaited below: a failure must not end the process meanwhile.
  looking.catch(() => {})
  const result = await use().finally(() => (isOver = true))
  const seconds = (performance.now() - start) / 1000
  await looking
  return { result, seconds, running }
}
