// Delivery of pictures that were asked for before, against nginx with sendfile and against bare node:http: one core each.
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../e2e/server.ts'
import { medianOf, ratioOfRates, ratesRow, type Round, roundsInTurns } from './figures.ts'
import { nginxPath, startNginx, startPictureServer } from './file-servers.ts'
import { type HotPictures, makeHotPictures } from './hot-pictures.ts'
import type { Form, Part, Row, Table } from './part.ts'
import { pin, watch } from './processes.ts'
import { ask, hasWrk, type Question } from './wrk.ts'

const shape = {
  short: { copies: 300, rounds: 1, forMs: 1_000 },
  // 200 MB of small variants: several times of what the server keeps in memory.
  full: { copies: 10_000, rounds: 5, forMs: 3_000 },
} as const
const connections = 50
const [serverCore, clientCore] = [0, 1]

export const part: Part = {
  name: 'hot',
  title: `pictures that were asked for before, ${connections} connections, one core for the server`,
  async run(form) {
    const folder = await mkdtemp(join(tmpdir(), 'image-host-bench-'))
    const stops: (() => Promise<unknown>)[] = []
    try {
      const pictures = await makeHotPictures(folder, shape[form].copies)
      const servers = await startAll(folder, pictures, stops)
      return await measure(form, pictures, servers)
    } finally {
      for (const stop of stops) await stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
}

interface Server {
  what: string
  kind: 'ours' | 'files'
  logs: boolean
  url: string
  pid: number
}

interface Servers {
  all: Server[]
  isPinned: boolean
}

async function startAll(folder: string, { dataDir, folder: files }: HotPictures, stops: (() => Promise<unknown>)[]) {
  const all: Server[] = []
  if (nginxPath !== undefined) {
    const nginx = await startNginx(files)
    stops.push(nginx.stop)
    all.push({ what: 'nginx, access log', kind: 'files', logs: true, url: nginx.loggingUrl, pid: nginx.pid })
    all.push({ what: 'nginx, no log', kind: 'files', logs: false, url: nginx.url, pid: nginx.pid })
  }
  // Two servers never share a SQLite file.
  const copy = join(folder, 'copy')
  await cp(dataDir, copy, { recursive: true })
  for (const logs of [true, false]) {
    const logTo = join(folder, logs ? 'log' : 'warnings')
    const env = { LOG_LEVEL: logs ? 'info' : 'warn' }
    const server = await startServer({ dataDir: logs ? dataDir : copy, env, logTo })
    stops.push(server.stop)
    const what = logs ? 'Image Host' : 'Image Host, LOG_LEVEL=warn'
    all.push({ what, kind: 'ours', logs, url: server.url, pid: server.pid })
  }
  const bare = await startPictureServer(files)
  stops.push(bare.stop)
  all.push({ what: 'node:http from memory, no log', kind: 'files', logs: false, url: bare.url, pid: bare.pid })
  const pinned = all.map(({ pid }) => pin(pid, serverCore))
  return { all, isPinned: pinned.every(Boolean) }
}

interface Work {
  title: string
  /** On the product, and as a file. */
  paths: readonly string[]
  files: readonly string[]
  bytes: number
  isUnchanged?: boolean
  /** To nginx. */
  leastRatio?: number
  mostP99?: number
}

async function measure(
  form: Form,
  { small, large, original, copies }: HotPictures,
  servers: Servers,
): Promise<Table[]> {
  const one = ({ path, file, bytes }: typeof small) => ({ paths: [path], files: [`/${file}`], bytes })
  const kB = (bytes: number) => `${Math.round(bytes / 1000)} kB`
  const works: Work[] = [
    { title: `a variant of ${kB(small.bytes)}, from memory`, ...one(small), leastRatio: 0.6, mostP99: 2 },
    { title: `a variant of ${kB(large.bytes)}`, ...one(large) },
    { title: `an original of ${kB(original.bytes)}, from memory`, ...one(original) },
    { title: '304: the client has it', ...one(small), isUnchanged: true, leastRatio: 0.45 },
    {
      title: `variants of ${kB(copies.bytes)}, ${copies.paths.length} in turn, not in memory`,
      ...copies,
      leastRatio: 0.35,
    },
  ]
  const tables: Table[] = []
  for (const work of works) tables.push(await compare(form, work, servers))
  tables.at(-1)?.notes?.push(notesOf(servers))
  return tables
}

async function compare(form: Form, work: Work, { all, isPinned }: Servers): Promise<Table> {
  const questions = await Promise.all(all.map((server) => questionOf(form, work, server, isPinned)))
  for (const question of questions) await ask({ ...question, forMs: 1_000 })
  const rounds = await roundsInTurns(
    questions.map((question, n) => () => round(question, all[n]?.pid ?? 0)),
    shape[form].rounds,
  )
  const rows = all.flatMap((server, n) => {
    const own = rounds[n] ?? []
    const base = all.findIndex(({ what, logs }) => what.startsWith('nginx') && logs === server.logs)
    return rowsOf(server, own, base < 0 || base === n ? undefined : rounds[base], work)
  })
  return { title: work.title, rows, notes: [] }
}

function rowsOf({ what, kind }: Server, own: Asked[], base: Asked[] | undefined, work: Work): Row[] {
  const main: Row = { ...ratesRow(what, own), p99Ms: medianOf(own.map(({ p99Ms }) => p99Ms)) }
  if (base === undefined) return [main]
  const rate: Row = { ...main, ratio: ratioOfRates(own, base) }
  if (kind !== 'ours') return [rate]
  const p99Ratio = medianOf(own.map(({ p99Ms }, n) => p99Ms / (base[n]?.p99Ms ?? 0)))
  return [
    { ...rate, ...(work.leastRatio !== undefined && { goal: { atLeast: work.leastRatio } }) },
    {
      what: 'its p99',
      unit: 'ms',
      median: main.p99Ms ?? 0,
      ratio: p99Ratio,
      ...(work.mostP99 !== undefined && { goal: { atMost: work.mostP99 } }),
    },
  ]
}

type Asked = Round & { p99Ms: number }

async function round(question: Question, pid: number): Promise<Asked> {
  const watched = watch(pid)
  const asked = await ask(question)
  const { cpuMs, peakMB } = watched.stop()
  return { ...asked, cpuMs, peakMB: peakMB.slice(0, 1) }
}

/** Asks once before, so that it is in memory where it can be, and that the answer is the one that is meant. */
async function questionOf(form: Form, work: Work, server: Server, isPinned: boolean): Promise<Question> {
  const paths = server.kind === 'ours' ? work.paths : work.files
  const first = await fetch(server.url + (paths[0] ?? ''))
  const bytes = (await first.arrayBuffer()).byteLength
  if (first.status !== 200 || bytes !== work.bytes)
    throw new Error(`${server.what} answered ${first.status} with ${bytes} bytes, not ${work.bytes}`)
  const isUnchanged = work.isUnchanged === true
  return {
    url: server.url,
    paths,
    headers: isUnchanged ? [`if-none-match: ${first.headers.get('etag')}`] : [],
    status: isUnchanged ? 304 : 200,
    bodyBytes: isUnchanged ? 0 : bytes,
    connections,
    forMs: shape[form].forMs,
    core: isPinned ? clientCore : undefined,
  }
}

function notesOf({ isPinned }: Servers): string {
  const client = hasWrk ? 'wrk' : 'a client in Node, which is slower than nginx (wrk is not installed)'
  const cores = isPinned
    ? 'each server on one core, the client on the other'
    : 'servers and client compete for all cores'
  const peer = nginxPath === undefined ? ' nginx is not installed: there are no ratios to it.' : ''
  return `Asked by ${client}; ${cores}. CPU ms of one answer. Ratios compare with nginx, both with a log line for each answer or both without.${peer}`
}
