// The database view, over HTTP, on both databases: 200 collections, 1,000,000 documents in one, a million users and images.
import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RunningServer, startServer } from '../e2e/server.ts'
import { type Database, onBothDatabases } from './databases.ts'
import { fillDatabase, few, many } from './documents-fill.ts'
import { at, inTurns } from './times.ts'

const rounds = 60
const admin = { email: 'admin@example.com', password: 'secret of the bench' }

type Call = (method: string, path: string, body?: unknown) => Promise<{ documents?: unknown[]; deleted?: number }>

export async function run(): Promise<void> {
  await onBothDatabases(async (name, folder, database) => {
    console.log(
      `\n## Database view, ${name}: median ms of ${rounds} (p99); ratio to the first page of ${few} documents`,
    )
    await measure(folder, database)
  })
}

async function measure(dataDir: string, { kind, env, run: sql }: Database): Promise<void> {
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
  for (const statement of fillDatabase(kind)) await sql(statement)
  await sql('analyze')
  const server = await startServer(options)
  try {
    const call = await unlocked(server)
    await pages(call)
    await deletions(call)
    await wholeCollection(server, call)
    await heavyPage(server, call)
  } finally {
    await server.stop()
  }
}

async function pages(call: Call): Promise<void> {
  const page = (collection: string, skip: number) => async () => {
    const { documents } = await call('GET', `/db/collections/${collection}?limit=10&skip=${skip}`)
    if (documents?.length !== 10) throw new Error(`${collection} after ${skip} has ${documents?.length} documents`)
  }
  const places = { first: 0, middle: many / 2, last: many - 10 }
  const works: Record<string, () => Promise<unknown>> = {
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
  await table(works)
}

async function deletions(call: Call): Promise<void> {
  let next = 0
  const remove = (collection: string) => async () => {
    const ids = Array.from({ length: 10 }, (_, n) => `${collection}-${next * 10 + n}`)
    await call('DELETE', `/db/collections/${collection}/documents`, { ids })
  }
  await table({
    [`deletion of 10 of ${few} documents`]: remove('fewer'),
    'deletion of 10 of gaps': async () => {
      await remove('gaps')()
      next++
    },
  })
}

/** Deletes 1,000,000 documents while someone else asks for a page again and again. */
async function wholeCollection(server: RunningServer, call: Call): Promise<void> {
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
  const sorted = waits.toSorted((a, b) => a - b)
  console.log(`\nThe deletion of gaps answered after ${answeredMs.toFixed(0)} ms and was over with the next sweep.`)
  console.log(
    `Meanwhile ${sorted.length} others waited ${at(sorted, 0.5).toFixed(1)} ms for a page (median), ` +
      `${at(sorted, 0.99).toFixed(1)} ms (p99), ${at(sorted, 1).toFixed(0)} ms at most.`,
  )
}

/** How often the job has run that removes what deleted collections left. */
async function sweeps(server: RunningServer): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return Number(/^\S*job\S*_count\{[^}]*sweepCollections[^}]*\} (\d+)/m.exec(text)?.[1] ?? 0)
}

/** Ten documents of almost 1 MB: what the page costs in memory, beside what the server held before. */
async function heavyPage(server: RunningServer, call: Call): Promise<void> {
  for (let n = 0; n < 10; n++) await call('POST', '/db/collections/heavy/documents', { text: 'x'.repeat(1_000_000) })
  // Linux: the peak begins anew (man 5 proc, clear_refs).
  await writeFile(`/proc/${server.pid}/clear_refs`, '5')
  const before = await memory(server)
  const start = performance.now()
  for (let n = 0; n < 20; n++) await call('GET', '/db/collections/heavy')
  const ms = (performance.now() - start) / 20
  const after = await memory(server)
  console.log(
    `\nA page of ten documents of 1 MB: ${ms.toFixed(0)} ms each of 20 times; ` +
      `memory ${before.now} MB before, ${after.now} MB after, at most ${after.peak} MB meanwhile.`,
  )
}

async function memory({ pid }: RunningServer): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1000)
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}

async function table(works: Record<string, () => Promise<unknown>>): Promise<void> {
  const times = await inTurns(Object.values(works), rounds)
  const base = at(times[0] ?? [], 0.5)
  console.log('\n| call | ms | ratio |\n|---|---|---|')
  for (const [n, name] of Object.keys(works).entries()) {
    const all = times[n] ?? []
    const ms = `${at(all, 0.5).toFixed(2)} (${at(all, 0.99).toFixed(2)})`
    console.log(`| ${name} | ${ms} | ${(at(all, 0.5) / base).toFixed(2)} |`)
  }
}

async function unlocked(server: RunningServer): Promise<Call> {
  let headers: Record<string, string> = { 'content-type': 'application/json' }
  const call = async (method: string, path: string, body?: unknown) => {
    const given = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(server.url + path, { method, headers, ...given })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
  const { token } = await call('POST', '/api/login', admin)
  headers = { ...headers, authorization: `Bearer ${token}` }
  headers['x-db-token'] = (await call('POST', '/db/unlock', { pin: '1234' })).token
  return call
}
