// Delivery of pictures that were asked for before, against nginx with sendfile and against bare node:http: one core each.
import { holding, withFolder } from './resources.ts'
import { medianOf, ratioOfRates, alternateRounds } from './figures.ts'
import { nginxPath } from './file-servers.ts'
import { type HotPictures, makeHotPictures } from './hot-pictures.ts'
import { type HotServers, startAll } from './hot-servers.ts'
import {
  clientBound,
  hotConnections,
  hotRound,
  type HotRound,
  hotRow,
  missingForVerdict,
  wrkOptionsOf,
} from './one-core.ts'
import type { Form, Part, Row, Table } from './part.ts'
import { ask, hasWrk } from './wrk.ts'

const shape = {
  short: { copies: 300, rounds: 1, forMs: 1_000 },
  // 200 MB of small variants: several times of what the server keeps in memory.
  full: { copies: 10_000, rounds: 5, forMs: 3_000 },
} as const

export const part: Part = {
  name: 'hot',
  title: `pictures that were asked for before, ${hotConnections} connections, one core for the server`,
  run(form) {
    return withFolder((folder) =>
      holding(async (hold) => {
        const pictures = await makeHotPictures(folder, shape[form].copies)
        return measure(form, pictures, await startAll(folder, pictures, hold))
      }),
    )
  },
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
  servers: HotServers,
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

async function compare(form: Form, work: Work, { all, isPinned }: HotServers): Promise<Table> {
  const { forMs, rounds: count } = shape[form]
  const questions = await Promise.all(
    all.map(({ kind, url }) =>
      wrkOptionsOf({ ...work, url, paths: kind === 'ours' ? work.paths : work.files, isPinned, forMs }),
    ),
  )
  for (const question of questions) await ask({ ...question, forMs: 1_000 })
  const rounds = await alternateRounds(
    questions.map((question, n) => () => hotRound(question, all[n]?.pid ?? 0)),
    count,
  )
  const mains = all.map(({ what }, n) => hotRow(what, rounds[n] ?? [], isPinned))
  const isJudged = nginxPath !== undefined && missingForVerdict({ isPinned }).length === 0
  const rows = mains.flatMap((main, n): Row[] => {
    const server = all[n]
    const base = all.findIndex(({ isNginx, logs }) => isNginx && logs === server?.logs)
    const beside = base < 0 || base === n ? undefined : rounds[base]
    const rate: Row = { ...main, ...(beside && { ratio: ratioOfRates(rounds[n] ?? [], beside) }) }
    return server?.kind === 'ours' ? judged(rate, p99Row(main.p99Ms, rounds[n] ?? [], beside), work, isJudged) : [rate]
  })
  return { title: work.title, rows, notes: clientBound(mains.filter((_, n) => all[n]?.isNginx)) }
}

const p99Row = (p99Ms: number, own: HotRound[], base: HotRound[] | undefined): Row => ({
  what: 'its p99',
  unit: 'ms',
  median: p99Ms,
  ...(base && { ratio: medianOf(own.flatMap((one, n) => (base[n] ? [one.p99Ms / base[n].p99Ms] : []))) }),
})

/** Goals are to nginx under the same conditions: where it or they are missing, there is no verdict, whatever was measured. */
function judged(rate: Row, p99: Row, { leastRatio, mostP99 }: Work, isJudged: boolean): Row[] {
  const verdict = isJudged ? {} : { notJudged: true }
  return [
    { ...rate, ...(leastRatio !== undefined && { goal: { atLeast: leastRatio }, ...verdict }) },
    { ...p99, ...(mostP99 !== undefined && { goal: { atMost: mostP99 }, ...verdict }) },
  ]
}

function notesOf({ isPinned }: HotServers): string {
  const client = hasWrk ? 'wrk' : 'a client in Node, which is slower than the servers'
  const cores = isPinned
    ? 'each server on one core, the client on the other'
    : 'servers and client compete for all cores'
  const missing = [...(nginxPath === undefined ? ['nginx'] : []), ...missingForVerdict({ isPinned })]
  const lack = missing.length === 0 ? '' : ` Not judged: this machine lacks ${missing.join(', ')}.`
  return `WrkResult by ${client}; ${cores}. CPU ms of one answer. Ratios compare with nginx, both with a log line for each answer or both without.${lack}`
}
