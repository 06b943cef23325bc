// Measures the delivery of cached images against bare node:http, and nginx with sendfile, on one core
// each.
import { withDeferred, withFolder } from '../faults/resources.ts'
import { alternateRounds } from './alternate-rounds.ts'
import { medianOf, ratioOfRates } from './figures.ts'
import { type HotFixture, createHotFixture } from './hot-fixture.ts'
import { type HotServers, startAll } from './hot-servers.ts'
import {
  clientSaturationNotes,
  hotConnections,
  hotRound,
  type HotRound,
  hotRow,
  missingForVerdict,
  prepareHotRequests,
} from './one-core.ts'
import type { Form, Benchmark, Row, Table } from './benchmark.ts'
import { sendHotRequests, hasWrk } from './wrk.ts'

const shape = {
  short: { copies: 300, warmUpMs: 1_000, rounds: 1, forMs: 1_000 },
  // 200 MB of small variants: several times the size of the server's memory cache. A response takes 22 to 40 µs of CPU
  // until V8 has optimized its code after some 30,000, and 17 µs later.
  full: { copies: 10_000, warmUpMs: 5_000, rounds: 5, forMs: 3_000 },
} as const

export const benchmark: Benchmark = {
  name: 'hot',
  title: `cached images, ${hotConnections} connections, one core for the server`,
  run(form) {
    return withFolder((folder) =>
      withDeferred(async (defer) => {
        const fixture = await createHotFixture(folder, shape[form].copies)
        return measure(form, fixture, await startAll(folder, fixture, defer))
      }),
    )
  },
}

interface Work {
  title: string
  /** Paths on the product, and on the file servers. */
  paths: readonly string[]
  files: readonly string[]
  bytes: number
  isUnchanged?: boolean
  /** Which bare node:http it is compared with. */
  beside: 'memory' | 'disk'
  /** Minimum ratios with a log line per response, and without. */
  minRatio?: { logs: number; quiet: number }
  maxP99?: number
}

async function measure(
  form: Form,
  { small, large, original, copies }: HotFixture,
  servers: HotServers,
): Promise<Table[]> {
  const one = ({ path, file, bytes }: typeof small) => ({
    paths: [path],
    files: [`/${file}`],
    bytes,
    beside: 'memory' as const,
  })
  const kB = (bytes: number) => `${Math.round(bytes / 1000)} kB`
  const works: Work[] = [
    {
      title: `a variant of ${kB(small.bytes)}, from memory`,
      ...one(small),
      minRatio: { logs: 0.65, quiet: 0.8 },
      maxP99: 2,
    },
    { title: `a variant of ${kB(large.bytes)}`, ...one(large), minRatio: { logs: 0.7, quiet: 0.7 }, maxP99: 3 },
    { title: `an original of ${kB(original.bytes)}, from memory`, ...one(original) },
    { title: '304 Not Modified', ...one(small), isUnchanged: true, minRatio: { logs: 0.6, quiet: 0.8 } },
    {
      title: `variants of ${kB(copies.bytes)}, ${copies.paths.length} in rotation, not in memory`,
      ...copies,
      beside: 'disk',
      minRatio: { logs: 0.8, quiet: 0.8 },
    },
  ]
  const tables: Table[] = []
  for (const work of works) tables.push(await compare(form, work, servers))
  tables.at(-1)?.notes?.push(noteFor(servers))
  return tables
}

async function compare(form: Form, work: Work, { all, isPinned }: HotServers): Promise<Table> {
  const { warmUpMs, forMs, rounds: count } = shape[form]
  const requests = await Promise.all(
    all.map(({ kind, url }) =>
      prepareHotRequests({ ...work, url, paths: kind === 'product' ? work.paths : work.files, isPinned, forMs }),
    ),
  )
  for (const options of requests) await sendHotRequests({ ...options, forMs: warmUpMs })
  const rounds = await alternateRounds(
    requests.map((options, n) => () => hotRound(options, all[n]?.pid ?? 0)),
    count,
  )
  const rateRows = all.map(({ what }, n) => hotRow(what, rounds[n] ?? [], isPinned))
  const isJudged = missingForVerdict({ isPinned }).length === 0
  const base = all.findIndex(({ kind }) => kind === work.beside)
  const rows = rateRows.flatMap((row, n): Row[] => {
    const server = all[n]
    const baseRounds = rounds[base] ?? []
    const rate: Row = { ...row, ...(base !== n && { ratio: ratioOfRates(rounds[n] ?? [], baseRounds) }) }
    if (server?.kind !== 'product') return [rate]
    const p99 = p99Row(row.p99Ms, rounds[n] ?? [], baseRounds)
    return judged(rate, p99, { ...work, isJudged, minRatio: work.minRatio?.[server.logs ? 'logs' : 'quiet'] })
  })
  return { title: work.title, rows, notes: clientSaturationNotes(rateRows.filter((_, n) => n === base)) }
}

const p99Row = (p99Ms: number, own: HotRound[], base: HotRound[]): Row => ({
  what: 'its p99',
  unit: 'ms',
  median: p99Ms,
  ratio: medianOf(own.flatMap((one, n) => (base[n] ? [one.p99Ms / base[n].p99Ms] : []))),
})

interface Goals {
  minRatio: number | undefined
  maxP99?: number
  /** Without what the comparison needs there is no verdict. */
  isJudged: boolean
}

function judged(rate: Row, p99: Row, { minRatio, maxP99, isJudged }: Goals): Row[] {
  const verdict = isJudged ? {} : { notJudged: true }
  return [
    { ...rate, ...(minRatio !== undefined && { goal: { atLeast: minRatio }, ...verdict }) },
    { ...p99, ...(maxP99 !== undefined && { goal: { atMost: maxP99 }, ...verdict }) },
  ]
}

function noteFor({ isPinned }: HotServers): string {
  const client = hasWrk ? 'wrk' : 'a client in Node, which is slower than the servers'
  const cores = isPinned ? 'each server on one core, the client on another' : 'servers and client compete for all cores'
  const missing = missingForVerdict({ isPinned })
  const lack = missing.length === 0 ? '' : ` Not judged: this machine lacks ${missing.join(', ')}.`
  return `Measured by ${client}; ${cores}. CPU ms per response. Ratios are to bare node:http without a log: from memory, or for the last table reading each file.${lack}`
}
