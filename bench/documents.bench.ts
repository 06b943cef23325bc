// The database view, over HTTP, on both databases: 200 collections, 1,000,000 documents in one, a million users and images.
import { setTimeout as sleep } from 'node:timers/promises'
import { type RunningServer, startServer } from '../e2e/server.ts'
import { type JsonRequest, requestJson, bearer } from './request-json.ts'
import { type Database, onBothDatabases } from './databases.ts'
import { fillDatabase, type Sizes } from './documents-fill.ts'
import { alternate, timesRow } from './figures.ts'
import type { Form, Part, Row, Table } from './part.ts'
import { watch } from './processes.ts'

const shape = {
  short: { few: 1_000, many: 10_000, rounds: 3 },
  full: { few: 1_000, many: 1_000_000, rounds: 60 },
} as const
type Shape = Sizes & { rounds: number }
const admin = { email: 'admin@example.com', password: 'secret of the bench' }

type Works = Record<string, () => Promise<unknown>>
type Call = (method: string, path: string, body?: object) => Promise<{ documents?: unknown[]; deleted?: number }>

export const part: Part = {
  name: 'documents',
  title: 'the database view over many documents',
  run: (form) =>
    onBothDatabases(async (title, folder, database) => ({ title, ...(await measure(form, folder, database)) })),
}

async function measure(form: Form, dataDir: string, { kind, env, run: sql }: Database): Promise<Table> {
  const sizes = shape[form]
  const options = {
    dataDir,
    env: {
      ...env,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      DB_VIEW_PIN: '1234',
      RATE_LIMIT_ADMIN: '0',
    },
  }
  await (await startServer(options)).stop()
  for (const statement of fillDatabase(kind, sizes)) await sql(statement)
  await sql('analyze')
  const server = await startServer(options)
  try {
    const call = await unlocked(server)
    const rows = await compared(sizes, pages(sizes, call))
    const removed = await compared(sizes, deletions(sizes, call))
    // Its end is the next sweep's, up to a minute later.
    const crowded = form === 'full' ? await wholeCollection(server, call) : { rows: [], notes: [] }
    return {
      rows: [...rows, ...removed, ...crowded.rows, ...(await heavyPage(server, call))],
      notes: ['Ratios are to the first row of their kind: the first page, the deletion, of few.', ...crowded.notes],
    }
  } finally {
    await server.stop()
  }
}

function pages({ few, many }: Sizes, call: Call): Works {
  const page = (collection: string, skip: number) => async () => {
    const { documents } = await call('GET', `/db/collections/${collection}?limit=10&skip=${skip}`)
    if (documents?.length !== 10) throw new Error(`${collection} after ${skip} has ${documents?.length} documents`)
  }
  const places = { first: 0, middle: many / 2, last: many - 10 }
  const works: Works = {
    [`first page of ${few} documents`]: page('few', 0),
    'the names of 200 collections': () => call('GET', '/db/collections'),
  }
  for (const collection of ['many', 'users', 'images']) {
    for (const [place, skip] of Object.entries(places)) works[`${place} page of ${collection}`] = page(collection, skip)
  }
  // Every hundredth is gone.
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

/** Deletes many documents while someone else asks for a page again and again. */
async function wholeCollection(server: RunningServer, call: Call): Promise<Required<Pick<Table, 'rows' | 'notes'>>> {
  const waits: number[] = []
  let isOver = false
  const someoneElse = (async () => {
    while (!isOver) {
      const start = performance.now()
      await call('GET', '/db/collections/few?limit=10')
      waits.push(performance.now() - start)
      await sleep(5)
    }
  })()
  const swept = await sweeps(server)
  const start = performance.now()
  await call('DELETE', '/db/collections/gaps')
  const answeredMs = performance.now() - start
  while ((await sweeps(server)) === swept) await sleep(500)
  isOver = true
  await someoneElse
  const note = `The deletion of gaps answered after ${answeredMs.toFixed(0)} ms and was over with the next sweep.`
  return { rows: [timesRow('first page of few while gaps is deleted', waits)], notes: [note] }
}

/** How often the job has run that removes what deleted collections left. */
async function sweeps(server: RunningServer): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return Number(/^\S*job\S*_count\{[^}]*sweepCollections[^}]*\} (\d+)/m.exec(text)?.[1] ?? 0)
}

/** Ten documents of almost 1 MB: what the page costs in memory, beside what the server held before. */
async function heavyPage(server: RunningServer, call: Call): Promise<Row[]> {
  for (let n = 0; n < 10; n++) await call('POST', '/db/collections/heavy/documents', { text: 'x'.repeat(1_000_000) })
  const watched = watch(server.pid)
  const [times = []] = await alternate([() => call('GET', '/db/collections/heavy')], 20, 0)
  return [{ ...timesRow('a page of ten documents of 1 MB', times), peakMB: watched.stop().peakMB.slice(0, 1) }]
}

async function compared({ rounds }: Shape, works: Works): Promise<Row[]> {
  const times = await alternate(Object.values(works), rounds)
  const rows = Object.keys(works).map((name, n) => timesRow(name, times[n] ?? []))
  const base = rows[0]?.median ?? 0
  return rows.map((row) => ({ ...row, ratio: row.median / base }))
}

async function unlocked(server: RunningServer): Promise<Call> {
  const tokenFor = async (path: string, asking: JsonRequest) =>
    (await requestJson<{ token: string }>(server.url, path, asking)).token
  const admitted = bearer(await tokenFor('/api/login', { body: admin }))
  const unlock = await tokenFor('/db/unlock', { body: { pin: '1234' }, headers: admitted })
  const headers = { ...admitted, 'x-db-token': unlock }
  return (method, path, body) => requestJson(server.url, path, { method, headers, ...(body && { body }) })
}
