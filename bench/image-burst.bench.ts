// Measures the first view of a page of images: all are requested at once over HTTP/2 through the proxies of deploy/proxy, with
// the default settings. Beside it, bare loops of sharp on all cores.
import { chmod, cp, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../server/testing/free-port.ts'
import { makeCertificate, startProxy } from '../e2e/proxies/proxy.ts'
import { findProgram, type Recipe, recipes } from '../e2e/proxies/recipes.ts'
import { defaultLimits } from '../e2e/server.ts'
import { register, store } from '../faults/client.ts'
import { alternateRounds } from './alternate-rounds.ts'
import { loadDifferentPhotographs, type ImageFile } from './bench-images.ts'
import { type Bare, bareConcurrency, splitRound, startBare } from './bare-processes.ts'
import { medianOf, type Round, spreadOf } from './statistics.ts'
import type { Form, Benchmark, Row, Table } from './benchmark.ts'
import { sampleUsage } from './processes.ts'
import { type Defer, openFolder, withFolder, withServer } from '../faults/resources.ts'
import { brokenOff, connectVisitor, type Origin, type PageLoad } from './visitor.ts'

const shape = {
  short: { rounds: 1, images: 4, many: 6 },
  full: { rounds: 3, images: 100, many: 200 },
} as const
const maxRatio = 1.25
/** WebP effort of the product (server/imaging/decoder/encoders.ts). */
const productEffort = 2
const hostName = 'img.example.com'
const settings = { ...defaultLimits, PUBLIC_URL: `https://${hostName}`, TRUST_PROXY: '1' }

export const benchmark: Benchmark = {
  title: `a page of photographs requested at once, never rendered before, ${bareConcurrency} cores`,
  async missing() {
    return (await installedProxies()).length > 0 ? undefined : 'it needs caddy or nginx'
  },
  run: measure,
}

/** A variant of each image. */
interface Variant {
  px: number
  format: 'webp' | 'jpeg'
  path(id: string): string
}

/** Pages that are loaded at the same time, each by a visitor with an address and a connection of its own. */
interface Scene {
  what: string
  images: number
  pages: Variant[]
}

const engine = (px: number): Variant => ({ px, format: 'webp', path: (id) => `/i/${id}.webp?w=${px}` })
const thumbnail = (px: number): Variant => ({ px, format: 'webp', path: (id) => `/api/thumbnail/${id}/${px}` })
const resized: Variant = { px: 800, format: 'jpeg', path: (id) => `/api/resize/${id}/800` }
const webp: Variant = { px: 1000, format: 'webp', path: (id) => `/api/webp/${id}/80?width=1000` }

/** Each has sizes of its own: what was rendered for one is not cold for the next. */
function scenesOf(form: Form): Scene[] {
  const { images, many } = shape[form]
  const page = (variant: Variant, count: number = images): Scene => ({
    what: `${count} x \`${variant.path('{id}')}\``,
    images: count,
    pages: [variant],
  })
  const same = page(engine(320))
  return [
    ...[engine(640), resized, webp, thumbnail(200), thumbnail(400)].map((variant) => page(variant)),
    page(engine(512), many),
    { ...same, what: `3 addresses, each ${same.what}`, pages: [engine(320), engine(320), engine(320)] },
    {
      what: `3 addresses, ${images} x \`w=256\`, \`w=800\` and \`w=1200\``,
      images,
      pages: [engine(256), engine(800), engine(1200)],
    },
  ]
}

/** Starts as many decoders as render at the same time, and the bare loops. */
const warmUp: Scene = { what: 'warm-up', images: 2 * bareConcurrency, pages: [engine(64)] }

/** One round of a scene. */
interface Visit {
  /** The limit: renders from the uploaded files. */
  bare: Round
  load: PageLoad
  /** Of the server and its decoders. */
  cpuMs: number
}

interface Stored {
  id: string
  /** Path of the uploaded file. */
  original: string
}

interface Given {
  form: Form
  /** The data of a server that has stored the photographs and rendered nothing. */
  dataDir: string
  stored: Stored[]
  loops: Bare[]
  certificate: string
  key: string
}

async function measure(form: Form, defer: Defer): Promise<Table[]> {
  const folder = await openFolder(defer)
  const { rounds, many } = shape[form]
  const { photographs, source } = await loadDifferentPhotographs(form, many)
  const loops = Array.from({ length: bareConcurrency }, () => startBare(defer))
  // Proxies run as another user.
  await chmod(folder, 0o755)
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  await makeCertificate(certificate, key)
  const dataDir = join(folder, 'data')
  const stored = await storeAll(dataDir, photographs)
  const given = { form, dataDir, stored, loops, certificate, key }

  const proxies = await installedProxies()
  const visits = await alternateRounds(
    proxies.map((proxy) => () => visitAll(given, proxy)),
    rounds,
    0,
  )
  return [
    {
      rows: scenesOf(form).flatMap((scene, at) => {
        const ofScene = proxies.map(({ name }, n) => [name, (visits[n] ?? []).flatMap((all) => all[at] ?? [])] as const)
        const bare = ofScene.flatMap(([, all]) => all.map((visit) => visit.bare))
        return [bareRow(scene, bare), ...ofScene.map(([name, all]) => proxyRow(name, scene, all))]
      }),
      notes: [
        `${source} The ${many} images are parts of them, of the same size. Each page is loaded once in each of ${rounds} rounds, ` +
          'by a server started on a copy of the same data, over one HTTP/2 connection for each address. Client and proxy run on ' +
          'the same cores; CPU is that of server and decoders for each image. The bare loops, one process for each core, render ' +
          'the same variants from the uploaded files, with the same encoder settings. A page with a missing image has no last ' +
          'byte: its ratio is infinite.',
      ],
    },
  ]
}

type InstalledProxy = Recipe & { program: string }

async function installedProxies(): Promise<InstalledProxy[]> {
  const found = await Promise.all(recipes.map(async (recipe) => ({ ...recipe, program: await findProgram(recipe) })))
  return found.flatMap(({ program, ...recipe }) => (program === undefined ? [] : [{ ...recipe, program }]))
}

async function storeAll(dataDir: string, photographs: ImageFile[]): Promise<Stored[]> {
  await mkdir(dataDir)
  return withServer({ dataDir }, async ({ url }) => {
    const token = await register(url, 'bench@example.com')
    const stored: Stored[] = []
    for (const { bytes, fileName, path } of photographs) {
      const { id } = await store(url, bytes, { token, name: fileName })
      stored.push({ id, original: path })
    }
    return stored
  })
}

/** Loads the pages of all scenes through one proxy. */
async function visitAll(given: Given, proxy: InstalledProxy): Promise<Visit[]> {
  const { form, stored, loops, certificate, key } = given
  return withFolder(async (folder) => {
    await chmod(folder, 0o755)
    const dataDir = join(folder, 'data')
    await cp(given.dataDir, dataDir, { recursive: true, preserveTimestamps: true })
    return withServer({ env: settings, dataDir }, async (server) => {
      const serverPort = Number(new URL(server.url).port)
      const host = { folder, certificate, key, serverPort, httpPort: await freePort(), httpsPort: await freePort() }
      const stop = await startProxy(proxy, proxy.program, host)
      try {
        const origin = { name: hostName, port: host.httpsPort, ca: await readFile(certificate) }
        const visits: Visit[] = []
        for (const [at, scene] of [warmUp, ...scenesOf(form)].entries()) {
          const bare = await bareRound(loops, scene, stored)
          const usage = sampleUsage(server.pid)
          const load = await loadPages(origin, scene, stored, at)
          visits.push({ bare, load, cpuMs: usage.stop().cpuMs })
        }
        return visits.slice(1)
      } finally {
        await stop()
      }
    })
  })
}

/** @param at makes the addresses of a scene its own: no visitor has rendered anything before */
async function loadPages(origin: Origin, { pages, images }: Scene, stored: readonly Stored[], at: number) {
  const paths = (page: Variant) => stored.slice(0, images).map(({ id }) => page.path(id))
  const visitors = await Promise.all(
    pages.map(async (page, n) => ({ page, visitor: await connectVisitor(origin, `127.0.${at + 2}.${n + 2}`) })),
  )
  try {
    const start = performance.now()
    const loads = await Promise.all(visitors.map(({ page, visitor }) => visitor.load(paths(page))))
    return { tookMs: performance.now() - start, statuses: summed(loads.map(({ statuses }) => statuses)) }
  } finally {
    for (const { visitor } of visitors) visitor.close()
  }
}

/** The renders that a scene needs: two visitors who see the same variant need it once. */
async function bareRound(loops: readonly Bare[], { pages, images }: Scene, stored: readonly Stored[]): Promise<Round> {
  const variants = [...new Map(pages.map((page) => [page.path(''), page])).values()]
  const items = variants.flatMap(({ px }) => stored.slice(0, images).map(({ original }) => ({ path: original, px })))
  return splitRound(loops, { work: variants[0]?.format ?? 'webp', items, effort: productEffort })
}

function summed(all: readonly ReadonlyMap<number, number>[]): Map<number, number> {
  const sum = new Map<number, number>()
  for (const [status, count] of all.flatMap((one) => [...one])) sum.set(status, (sum.get(status) ?? 0) + count)
  return sum
}

const secondsOf = (rounds: readonly { tookMs: number }[]) => {
  const seconds = rounds.map(({ tookMs }) => tookMs / 1000)
  return { unit: 's', median: medianOf(seconds), spread: spreadOf(seconds) } as const
}

const bareRow = ({ what }: Scene, rounds: readonly Round[]): Row => ({
  what: `bare sharp: ${what}`,
  ...secondsOf(rounds),
  cpuMs: medianOf(rounds.map(({ cpuMs = 0, items }) => cpuMs / items)),
  ratio: 1,
})

function proxyRow(proxy: string, { images, pages }: Scene, visits: readonly Visit[]): Row {
  const statuses = summed(visits.map(({ load }) => load.statuses))
  const isWhole = statuses.get(200) === visits.length * images * pages.length
  return {
    what: `${proxy}: the same`,
    ...secondsOf(visits.map(({ load }) => load)),
    cpuMs: medianOf(visits.map(({ cpuMs, bare }) => cpuMs / bare.items)),
    responses: [...statuses]
      .toSorted(([a], [b]) => a - b)
      .map(([status, count]) => `${count} x ${status === brokenOff ? 'broken off' : status}`)
      .join(', '),
    ratio: isWhole ? medianOf(visits.map(({ load, bare }) => load.tookMs / bare.tookMs)) : Infinity,
    goal: { atMost: maxRatio },
  }
}
