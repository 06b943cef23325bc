// Other image servers beside the product and the bare loop: the same photographs, the same client, in turns in one run.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { holding, withFolder } from './resources.ts'
import { type Bare, bareAtOnce, startBare } from './child.ts'
import { ratesBeside, ratioOfRates, type Round, alternateRounds } from './figures.ts'
import { hasImageFilter } from './image-filter.ts'
import { getRequest, only } from './load.ts'
import { clientBound, hotRound, hotRow, missingForVerdict, pinAll, wrkOptionsOf } from './one-core.ts'
import type { Form, Part, Table } from './part.ts'
import { copiesIn, type Peer, type Peers, startPeers, widths } from './peer-servers.ts'
import { inTurn, type Picture, pictureSet } from './bench-images.ts'
import { ask, measuredRound, type Product, withProduct } from './product.ts'
import { ask as askHot } from './wrk.ts'

const shape = {
  short: { rounds: 1, items: 4, forMs: 1_000 },
  full: { rounds: 7, items: 48, forMs: 3_000 },
} as const
const connections = 8
/** Of each photograph: so many addresses that none is asked for twice. */
const copies = 16
/** Hot, to Next from its cache. */
const leastToNext = 5
const folder = fileURLToPath(new URL('./peers/', import.meta.url))
const installWithinMs = 300_000
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'

export const part: Part = {
  name: 'peers',
  title: 'cold renders of IPX, Next and nginx beside the product, and what Next has in its cache',
  onlyByName: true,
  async missing() {
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund']
    return promisify(execFile)(npm, args, { cwd: folder, timeout: installWithinMs }).then(
      () => undefined,
      (error: Error) => `its peers cannot be installed: ${error.message.split('\n')[0]}`,
    )
  },
  async run(form) {
    const { photographs, source } = await pictureSet(form)
    return withFolder((temp) =>
      holding(async (hold) => {
        const names = await copiesIn(join(temp, 'public'), photographs, copies * photographs.length)
        const bare = startBare()
        hold(bare.end)
        const peers = await startPeers(temp, hold)
        return withProduct(async (product) => {
          const ids: string[] = []
          for (const picture of inTurn(photographs, names.length)) ids.push((await product.store(picture)).id)
          const stock = { names, ids, pictures: photographs }
          const cold = await compareCold(form, { bare, product, peers: peers.all, stock })
          const title = `${photographs[0]?.title} and its like to 400 WebP`
          return [
            { title, rows: cold, notes: [`${source} ${coldNote}`] },
            await compareHot(form, { product, next: peers.next, stock }),
          ]
        })
      }),
    )
  },
}

const coldNote =
  `Bare: ${bareAtOnce} at once; the others: ${connections} connections, client on the same cores. All sides make the same widths ` +
  `of the same photographs. ${hasImageFilter ? 'Of nginx, whose workers are several processes, CPU time and memory are not told.' : 'nginx was skipped: its module image_filter is not installed.'}`

/** The same photographs in the same order, under each side's own names. */
interface Stock {
  names: string[]
  ids: string[]
  pictures: Picture[]
}

async function compareCold(
  form: Form,
  { bare, product, peers, stock }: { bare: Bare; product: Product; peers: Peer[]; stock: Stock },
) {
  const { rounds, items } = shape[form]
  const limit = newEach(stock.pictures.map(({ path }) => path))
  const own: Peer = { ...product.server, name: 'product', path: (id, px) => `/api/thumbnail/${id}/${px}` }
  const servers = [own, ...peers]
  const works: (() => Promise<Round>)[] = [
    () => bare.round({ work: 'webp', items: Array.from({ length: items }, limit), atOnce: bareAtOnce }),
    ...servers.map((server) => requests(server, server === own ? stock.ids : stock.names, items)),
  ]
  const measured = await alternateRounds(works, rounds)
  const base = measured[0] ?? []
  const names = ['bare sharp, its defaults', ...servers.map(({ name }) => name)]
  return names.map((name, n) => ratesBeside(name, measured[n] ?? [], base))
}

/** The n-th of every side is of the same photograph and width; together each with each, as their numbers share no factor. */
function newEach(all: readonly string[]): () => { path: string; px: number } {
  let n = 0
  return () => {
    const at = n++
    return { path: all[at % all.length] ?? '', px: widths[at % widths.length] ?? 0 }
  }
}

function requests({ url, pid, path }: Peer, all: readonly string[], items: number): () => Promise<Round> {
  const each = newEach(all)
  return async () => {
    const asked = Array.from({ length: items }, each).map((one) =>
      getRequest(url, path(one.path, one.px), ['accept: image/webp']),
    )
    const work = ask(url, connections, asked)
    return pid === undefined ? only(200, await work()) : measuredRound(pid, 200, work)
  }
}

/** The same picture again and again: what each has kept of it. From then on both servers stay on one core. */
async function compareHot(
  form: Form,
  { product, next, stock }: { product: Product; next: Peers['next']; stock: Stock },
): Promise<Table> {
  const { rounds, forMs } = shape[form]
  const px = widths[0] ?? 0
  const sides = [
    { ...next, paths: [next.path(stock.names[0] ?? '', px)] },
    { ...product.server, name: 'product', paths: [`/api/thumbnail/${stock.ids[0]}/${px}`] },
  ]
  const isPinned = pinAll(sides.map(({ pid }) => pid))
  const questions = await Promise.all(
    sides.map(({ url, paths }) => wrkOptionsOf({ url, paths, headers: ['accept: image/webp'], isPinned, forMs })),
  )
  for (const question of questions) await askHot(question)
  const [kept = [], own = []] = await alternateRounds(
    questions.map((question, n) => () => hotRound(question, sides[n]?.pid ?? 0)),
    rounds,
  )
  const missing = missingForVerdict({ isPinned })
  const base = hotRow(`${next.name}, from its cache`, kept, isPinned)
  const verdict = missing.length === 0 ? {} : { notJudged: true }
  return {
    title: `The same picture of ${px} pixels again, each server on one core`,
    rows: [
      { ...base, ratio: 1 },
      {
        ...hotRow('product', own, isPinned),
        ratio: ratioOfRates(own, kept),
        goal: { atLeast: leastToNext },
        ...verdict,
      },
    ],
    notes: [
      ...clientBound([base]),
      ...(missing.length === 0 ? [] : [`Not judged: this machine lacks ${missing.join(', ')}.`]),
    ],
  }
}
