// Measures the database view over HTTP on both databases: 200 collections, and 1,000,000 documents,
// users and images.
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningServer } from '../e2e/server.ts'
import { admin, adminSettings, logIn, requestJson } from '../faults/client.ts'
import { withServer } from '../faults/resources.ts'
import { type Database, onBothDatabases } from './databases.ts'
import { fillDatabase, type Sizes } from './documents-fill.ts'
import { alternate } from './alternate-rounds.ts'
import { timesRow } from './figures.ts'
import type { Form, Benchmark, Row, Table } from './benchmark.ts'
import { sampleUsage } from './processes.ts'

const shape = {
  short: { few: 1_000, many: 10_000, rounds: 3 },
  full: { few: 1_000, many: 1_000_000, rounds: 60 },
} as const
type Shape = Sizes & { rounds: number }

type Works = Record<string, () => Promise<unknown>>
type Call = (method: string, path: string, body?: object) => Promise<{ documents?: unknown[]; deleted?: number }>

export const benchmark: Benchmark = {
  title: 'the database view over many documents',
  run: (form) =>
    onBothDatabases(async (title, folder, database) => ({ title, ...(await measure(form, folder, database)) })),
}

async function measure(form: Form, dataDir: string, { kind, env, run: sql }: Database): Promise<Table> {
  const sizes = shape[form]
  const options = { dataDir, env: { ...env, ...adminSettings, DB_VIEW_PIN: '1234' } }
  await withServer(options, async () => {})
  for (const statement of fillDatabase(kind, sizes)) await sql(statement)
  await sql('analyze')
  return withServer(options, async (server) => {
    const call = await unlock(server)
    const rows = await compare(sizes, pages(sizes, call))
    const removed = await compare(sizes, deletions(sizes, call))
    // The deletion ends with the next sweep, up to a minute later.
    const deletion = form === 'full' ? await deleteWholeCollection(server, call) : { rows: [], notes: [] }
    return {
      rows: [...rows, ...removed, ...deletion.rows, ...(await measureHeavyPage(server, call))],
      notes: ['Ratios are to the first row of the same kind, on few documents.', ...deletion.notes],
    }
  })
}

function pages({ few, many }: Sizes, call: Call): Works {
  const page = (collection: string, skip: number) => async () => {
    const { documents } = await call('GET', `/db/collections/${collection}?limit=10&skip=${skip}`)
    if (documents?.length !== 10) throw new Error(`${collection} after ${skip} has ${documents?.length} documents`)
  }
  const places = { first: 0, middle: many / 2, last: many - 10 }
  const works: Works = {
    [`first page of ${few} documents`]: page('few', 0),
    'list of 200 collections': () => call('GET', '/db/collections'),
  }
  for (const collection of ['many', 'users', 'images']) {
    for (const [place, skip] of Object.entries(places)) works[`${place} page of ${collection}`] = page(collection, skip)
  }
  // `gaps` lacks every hundredth document.
  for (const [place, skip] of Object.entries(places)) {
    works[`${place} page of gaps`] = page('gaps', Math.min(skip, (many / 100) * 99 - 10))
  }
  return works
}

function deletions({ few }: Sizes, call: Call): Works {
  const removeFrom = (collection: string) => {
    let next = 0
    return async () => {
      const ids = Array.from({ length: 10 }, () => `${collection}-${next++}`)
      await call('DELETE', `/db/collections/${collection}/documents`, { ids })
    }
  }
  return { [`deletion of 10 of ${few} documents`]: removeFrom('fewer'), 'deletion of 10 of gaps': removeFrom('gaps') }
}

/** Deletes a collection of many documents while another client requests a page repeatedly. */
async function deleteWholeCollection(
  server: RunningServer,
  call: Call,
): Promise<Required<Pick<Table, 'rows' | 'notes'>>> {
  const responseTimes: number[] = []
  let isOver = false
  const otherClient = (async () => {
    while (!isOver) {
      const start = performance.now()
      await call('GET', '/db/collections/few?limit=10')
      responseTimes.push(performance.now() - start)
      await sleep(5)
    }
  })()
  const sweepsBefore = await sweeps(server)
  const start = performance.now()
  await call('DELETE', '/db/collections/gaps')
  const respondedMs = performance.now() - start
  while ((await sweeps(server)) === sweepsBefore) await sleep(500)
  isOver = true
  await otherClient
  const note = `The deletion of gaps responded after ${respondedMs.toFixed(0)} ms and was complete after the next sweep.`
  return { rows: [timesRow('first page of few during the deletion of gaps', responseTimes)], notes: [note] }
}

/** Reads how many times the job that deletes the documents of deleted collections has run. */
async function sweeps(server: RunningServer): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return Number(/^\S*job\S*_count\{[^}]*sweepCollections[^}]*\} (\d+)/m.exec(text)?.[1] ?? 0)
}

/**
 * Measures a page of ten documents of almost 1 MB each: its time, and the peak memory of the
 * server.
 */
async function measureHeavyPage(server: RunningServer, call: Call): Promise<Row[]> {
  for (let n = 0; n < 10; n++) await call('POST', '/db/collections/heavy/documents', { text: 'x'.repeat(1_000_000) })
  const usage = sampleUsage(server.pid)
  const [times = []] = await alternate([() => call('GET', '/db/collections/heavy')], 20, 0)
  return [{ ...timesRow('a page of ten documents of 1 MB', times), peakMB: usage.stop().peakMB.slice(0, 1) }]
}

async function compare({ rounds }: Shape, works: Works): Promise<Row[]> {
  const times = await alternate(Object.values(works), rounds)
  const rows = Object.keys(works).map((name, n) => timesRow(name, times[n] ?? []))
  const base = rows[0]?.median ?? 0
  return rows.map((row) => ({ ...row, ratio: row.median / base }))
}

async function unlock({ url }: RunningServer): Promise<Call> {
  const token = await logIn(url, admin)
  const unlocked = await requestJson<{ token: string }>(`${url}/db/unlock`, { body: { pin: '1234' }, token })
  const headers = { 'x-db-token': unlocked.token }
  return (method, path, body) => requestJson(url + path, { method, token, headers, ...(body && { body }) })
}
