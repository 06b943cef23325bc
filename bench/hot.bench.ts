// Measures the delivery of cached images against bare node:http, on one core each.
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { startServer } from '../e2e/server.ts'
import { type Defer, openFolder } from '../faults/resources.ts'
import { alternateRounds } from './alternate-rounds.ts'
import type { Benchmark, Form, Goal, Row, Table } from './benchmark.ts'
import { comparedRatesRow, medianOf } from './statistics.ts'
import { createHotFixture, type HotFile, type HotFixture } from './hot-fixture.ts'
import { canPin, pinToCore, sampleUsage } from './processes.ts'
import { startScript } from './programs.ts'
import { connections, hasWrk, type HotRound, sendHotRequests } from './wrk.ts'

const shape = {
  short: { copies: 300, warmUpMs: 1_000, rounds: 1, forMs: 1_000 },
  // 200 MB of small variants: several times the size of the server's memory cache. A response takes 22 to 40 µs of CPU until
  // V8 has optimized its code after some 30,000, and 17 µs later.
  full: { copies: 10_000, warmUpMs: 5_000, rounds: 5, forMs: 3_000 },
} as const
const [serverCore, clientCore] = [0, 1]

export const benchmark: Benchmark = {
  title: `cached images against bare node:http, ${connections} connections, one core for the server`,
  missing: async () => (hasWrk && canPin ? undefined : 'it needs wrk, taskset and two cores'),
  async run(form, defer) {
    const folder = await openFolder(defer)
    const fixture = await createHotFixture(folder, shape[form].copies)
    return measure(form, fixture, await startAll(folder, fixture, defer))
  },
}

interface HotServer {
  what: string
  /** Bare node:http serves from memory, or reads each file from the disk. */
  kind: 'memory' | 'disk' | 'logging product' | 'quiet product'
  url: string
  pid: number
}

async function startAll(folder: string, { dataDir, folder: files }: HotFixture, defer: Defer): Promise<HotServer[]> {
  // Two servers must not share a SQLite file.
  const copy = join(folder, 'copy')
  await cp(dataDir, copy, { recursive: true, filter: (path) => !/\.sqlite-(shm|wal)$/.test(path) })
  const product = async (of: string, level: string) => {
    const server = await startServer({ dataDir: of, env: { LOG_LEVEL: level }, logTo: join(folder, level) })
    defer(server.stop)
    return server
  }
  const memory = await startScript(defer, 'bare-server.mjs', 'memory', files)
  const disk = await startScript(defer, 'bare-server.mjs', 'disk', files)
  const servers: HotServer[] = [
    { ...(await product(dataDir, 'info')), what: 'Image Host', kind: 'logging product' },
    { ...(await product(copy, 'warn')), what: 'Image Host, LOG_LEVEL=warn', kind: 'quiet product' },
    { ...memory, what: 'node:http from memory, no log', kind: 'memory' },
    { ...disk, what: 'node:http from disk, no log', kind: 'disk' },
  ]
  for (const { pid } of servers) pinToCore(pid, serverCore)
  return servers
}

interface Work extends HotFile {
  title: string
  isUnchanged?: boolean
  /** Which bare node:http it is compared with. */
  base: 'memory' | 'disk'
  /** Minimum ratios, and the maximum ratio of the p99. */
  goals?: { 'logging product': number; 'quiet product': number; maxP99?: number }
}

async function measure(
  form: Form,
  { small, large, original, copies }: HotFixture,
  servers: HotServer[],
): Promise<Table[]> {
  const kB = ({ bytes }: HotFile) => `${Math.round(bytes / 1000)} kB`
  const works: Work[] = [
    {
      title: `a variant of ${kB(small)}, from memory`,
      ...small,
      base: 'memory',
      goals: { 'logging product': 0.65, 'quiet product': 0.8, maxP99: 2 },
    },
    {
      title: `a variant of ${kB(large)}`,
      ...large,
      base: 'memory',
      goals: { 'logging product': 0.7, 'quiet product': 0.7, maxP99: 3 },
    },
    { title: `an original of ${kB(original)}, from memory`, ...original, base: 'memory' },
    {
      title: '304 Not Modified',
      ...small,
      isUnchanged: true,
      base: 'memory',
      goals: { 'logging product': 0.6, 'quiet product': 0.8 },
    },
    {
      title: `variants of ${kB(copies)}, ${copies.paths.length} in rotation, not in memory`,
      ...copies,
      base: 'disk',
      goals: { 'logging product': 0.8, 'quiet product': 0.8 },
    },
  ]
  const tables: Table[] = []
  for (const work of works) tables.push(await compare(form, work, servers))
  return tables
}

async function compare(form: Form, work: Work, servers: HotServer[]): Promise<Table> {
  const { warmUpMs, forMs, rounds: count } = shape[form]
  const send = async ({ kind, url, pid }: HotServer, ms: number): Promise<HotRound> => {
    const paths = kind === 'memory' || kind === 'disk' ? work.files : work.paths
    using usage = sampleUsage(pid)
    const round = await sendHotRequests({ ...work, url, paths }, clientCore, ms)
    const { cpuMs, peakMB } = usage.stop()
    return { ...round, cpuMs, peakMB: peakMB.slice(0, 1) }
  }
  for (const server of servers) await send(server, warmUpMs)
  const rounds = await alternateRounds(
    servers.map((server) => () => send(server, forMs)),
    count,
  )
  const base = rounds[servers.findIndex(({ kind }) => kind === work.base)] ?? []
  return {
    title: work.title,
    rows: servers.flatMap(({ what, kind }, n) => rowsOf(what, rounds[n] ?? [], base, goalsOf(work, kind))),
  }
}

/** Undefined for the servers that the product is compared with. */
function goalsOf({ goals }: Work, kind: HotServer['kind']): { rate?: Goal; p99?: Goal } | undefined {
  if (kind === 'memory' || kind === 'disk') return undefined
  return {
    ...(goals && { rate: { atLeast: goals[kind] } }),
    ...(goals?.maxP99 !== undefined && { p99: { atMost: goals.maxP99 } }),
  }
}

function rowsOf(what: string, rounds: HotRound[], base: HotRound[], goals: ReturnType<typeof goalsOf>): Row[] {
  const p99Ms = medianOf(rounds.map((round) => round.p99Ms))
  const coreShare = medianOf(rounds.map(({ cpuMs = 0, tookMs }) => cpuMs / tookMs))
  const rate: Row = { ...comparedRatesRow(what, rounds, base, goals?.rate), p99Ms, coreShare }
  if (goals === undefined) return [rate]
  const ratio = medianOf(rounds.flatMap((round, n) => (base[n] ? [round.p99Ms / base[n].p99Ms] : [])))
  return [rate, { what: 'its p99', unit: 'ms', median: p99Ms, ratio, ...(goals.p99 && { goal: goals.p99 }) }]
}
