// Measures other image servers against the product and the bare loop: the same photographs and
// client, alternating in one run.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { withDeferred, withFolder } from './resources.ts'
import { type Bare, bareConcurrency, startBare } from './child.ts'
import { comparedRatesRow, ratioOfRates, type Round, alternateRounds } from './figures.ts'
import { hasImageFilter } from './image-filter.ts'
import { getRequest, resultWithStatus } from './load.ts'
import { clientSaturationNotes, hotRound, hotRow, missingForVerdict, pinAll, prepareHotRequests } from './one-core.ts'
import type { Form, Benchmark, Table } from './benchmark.ts'
import { copyPhotographs, type Peer, type Peers, startPeers, widths } from './peer-servers.ts'
import { cycleThrough, type ImageFile, loadImageSet } from './bench-images.ts'
import { sendRequests, measuredRound, type Product, withProduct } from './product.ts'
import { sendHotRequests } from './wrk.ts'

const shape = {
  short: { rounds: 1, items: 4, forMs: 1_000 },
  full: { rounds: 7, items: 48, forMs: 3_000 },
} as const
const connections = 8
/** Copies of each photograph: enough that no URL is requested twice. */
const copies = 16
/** Minimum ratio to Next, both from their caches. */
const minRatioToNext = 5
const folder = fileURLToPath(new URL('./peers/', import.meta.url))
const installTimeoutMs = 300_000
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'

export const benchmark: Benchmark = {
  name: 'peers',
  title: 'cold renders of IPX, Next and nginx against the product, and hot responses of Next',
  onlyByName: true,
  async missing() {
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund']
    return promisify(execFile)(npm, args, { cwd: folder, timeout: installTimeoutMs }).then(
      () => undefined,
      (error: Error) => `its peers cannot be installed: ${error.message.split('\n')[0]}`,
    )
  },
  async run(form) {
    const { photographs, source } = await loadImageSet(form)
    return withFolder((temp) =>
      withDeferred(async (defer) => {
        const names = await copyPhotographs(join(temp, 'public'), photographs, copies * photographs.length)
        const bare = startBare()
        defer(bare.end)
        const peers = await startPeers(temp, defer)
        return withProduct(async (product) => {
          const ids: string[] = []
          for (const image of cycleThrough(photographs, names.length)) ids.push((await product.store(image)).id)
          const corpus = { names, ids, images: photographs }
          const cold = await compareCold(form, { bare, product, peers: peers.all, corpus })
          const title = `${photographs[0]?.title} and similar, to 400 WebP`
          return [
            { title, rows: cold, notes: [`${source} ${coldNote}`] },
            await compareHot(form, { product, next: peers.next, corpus }),
          ]
        })
      }),
    )
  },
}

const coldNote =
  `Bare: concurrency ${bareConcurrency}; the others: ${connections} connections, client on the same cores. All sides render the same ` +
  `widths of the same photographs. ${hasImageFilter ? 'CPU time and memory of nginx are not reported, as its workers are several processes.' : 'nginx was skipped: its module image_filter is not installed.'}`

/** The same photographs in the same order, under the names that each side uses. */
interface Corpus {
  names: string[]
  ids: string[]
  images: ImageFile[]
}

async function compareCold(
  form: Form,
  { bare, product, peers, corpus }: { bare: Bare; product: Product; peers: Peer[]; corpus: Corpus },
) {
  const { rounds, items } = shape[form]
  const limit = createItems(corpus.images.map(({ path }) => path))
  const own: Peer = { ...product.server, name: 'product', path: (id, px) => `/api/thumbnail/${id}/${px}` }
  const servers = [own, ...peers]
  const works: (() => Promise<Round>)[] = [
    () => bare.round({ work: 'webp', items: Array.from({ length: items }, limit), concurrency: bareConcurrency }),
    ...servers.map((server) => requests(server, server === own ? corpus.ids : corpus.names, items)),
  ]
  const measured = await alternateRounds(works, rounds)
  const base = measured[0] ?? []
  const names = ['bare sharp, its defaults', ...servers.map(({ name }) => name)]
  return names.map((name, n) => comparedRatesRow(name, measured[n] ?? [], base))
}

/**
 * The n-th item has the same photograph and width on every side. The counts are coprime, so every
 * pair occurs.
 */
function createItems(all: readonly string[]): () => { path: string; px: number } {
  let n = 0
  return () => {
    const at = n++
    return { path: all[at % all.length] ?? '', px: widths[at % widths.length] ?? 0 }
  }
}

function requests({ url, pid, path }: Peer, all: readonly string[], items: number): () => Promise<Round> {
  const each = createItems(all)
  return async () => {
    const buffers = Array.from({ length: items }, each).map((one) =>
      getRequest(url, path(one.path, one.px), ['accept: image/webp']),
    )
    const work = sendRequests(url, connections, buffers)
    return pid === undefined ? resultWithStatus(200, await work()) : measuredRound(pid, 200, work)
  }
}

/** Measures repeated requests for one cached image. Pins both servers to one core. */
async function compareHot(
  form: Form,
  { product, next, corpus }: { product: Product; next: Peers['next']; corpus: Corpus },
): Promise<Table> {
  const { rounds, forMs } = shape[form]
  const px = widths[0] ?? 0
  const sides = [
    { ...next, paths: [next.path(corpus.names[0] ?? '', px)] },
    { ...product.server, name: 'product', paths: [`/api/thumbnail/${corpus.ids[0]}/${px}`] },
  ]
  const isPinned = pinAll(sides.map(({ pid }) => pid))
  const requestOptions = await Promise.all(
    sides.map(({ url, paths }) => prepareHotRequests({ url, paths, headers: ['accept: image/webp'], isPinned, forMs })),
  )
  for (const options of requestOptions) await sendHotRequests(options)
  const [nextRounds = [], own = []] = await alternateRounds(
    requestOptions.map((options, n) => () => hotRound(options, sides[n]?.pid ?? 0)),
    rounds,
  )
  const missing = missingForVerdict({ isPinned })
  const base = hotRow(`${next.name}, from its cache`, nextRounds, isPinned)
  const verdict = missing.length === 0 ? {} : { notJudged: true }
  return {
    title: `The same image of ${px} pixels again, each server on one core`,
    rows: [
      { ...base, ratio: 1 },
      {
        ...hotRow('product', own, isPinned),
        ratio: ratioOfRates(own, nextRounds),
        goal: { atLeast: minRatioToNext },
        ...verdict,
      },
    ],
    notes: [
      ...clientSaturationNotes([base]),
      ...(missing.length === 0 ? [] : [`Not judged: this machine lacks ${missing.join(', ')}.`]),
    ],
  }
}
