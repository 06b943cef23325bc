// F7: PostgreSQL restarts, stays down, drops connections, refuses transactions and runs out of connections, all during uploads.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { RunningServer } from '../e2e/server.ts'
import { type PostgresServer, startPostgres } from '../server/testing/postgres.ts'
import { described, register, type CallResponse } from './client.ts'
import { Ledger } from './ledger.ts'
import { jpeg } from './fault-images.ts'
import { keepSending } from './load/keep-sending.ts'
import { type Defer, openServer } from './resources.ts'
import { atLeast, atMost, type Finding, type Form, info, inFull, none, type Scenario } from './scenario.ts'
import { startProxy, type TcpProxy } from '../server/testing/tcp-proxy.ts'
import { missingForPostgres } from './postgres-available.ts'
import { failureIn, refusalViolation } from './failure-response.ts'
import { untilTrue } from './until.ts'
import { filesIn } from './verify.ts'

/** The full form uses more clients than the pool has connections: ten. */
const clients = { short: 8, full: 24 }
const backWithinMs = 5000
/** A fault lasts until this many requests have met it. */
const refusedByEach = 5

interface Scene {
  server: RunningServer
  postgres: PostgresServer
  line: TcpProxy
  /** Connected to the same database directly, past the proxy, as PostgreSQL's administrator. */
  asAdmin(sql: string): Promise<void>
  image: Buffer
  ledger: Ledger
  refused: number
  /** Operations that still work for an administrator. */
  atWork: Promise<void>
  wrongs: string[]
}

interface Fault {
  name: string
  begin(scene: Scene): Promise<void>
  end(scene: Scene): Promise<void>
  /** How long it stays down in the full form, besides the time for the refusals. */
  fullMs?: number
  onlyFull?: true
}

const faults: Fault[] = [
  { name: 'restart', begin: ({ postgres }) => postgres.down(), end: ({ postgres }) => postgres.up() },
  {
    name: 'away',
    begin: ({ postgres }) => postgres.down(),
    end: ({ postgres }) => postgres.up(),
    fullMs: 30_000,
    onlyFull: true,
  },
  {
    name: 'dropped connections',
    begin: async ({ line }) => line.behave({ resetEveryMs: 25 }),
    end: async ({ line }) => line.behave(undefined),
    fullMs: 5000,
  },
  {
    name: '40001',
    begin: ({ asAdmin }) => asAdmin(everyThirdFails),
    end: ({ asAdmin }) =>
      asAdmin('drop trigger every_third on images; drop function every_third; drop sequence thirds'),
  },
  {
    name: 'no connection left',
    begin: ({ asAdmin }) =>
      asAdmin(
        `alter role app connection limit 0; select pg_terminate_backend(pid) from pg_stat_activity where usename = 'app'`,
      ),
    end: ({ asAdmin }) => asAdmin('alter role app connection limit -1'),
    fullMs: 5000,
  },
  {
    name: 'every connection waits for a lock',
    begin: async (scene) => {
      scene.atWork = scene.asAdmin('begin; lock table images in access exclusive mode; select pg_sleep(12); commit')
    },
    end: ({ atWork }) => atWork,
    onlyFull: true,
  },
  {
    name: 'black hole',
    begin: async ({ line }) => line.behave('black-hole'),
    end: async ({ line }) => line.behave(undefined),
    onlyFull: true,
    fullMs: 10_000,
  },
]

const everyThirdFails = `
  create sequence thirds;
  grant usage on sequence thirds to app;
  create function every_third() returns trigger language plpgsql as $$
  begin
    if nextval('thirds') % 3 = 0 then raise exception 'could not serialize access' using errcode = '40001'; end if;
    return new;
  end $$;
  create trigger every_third before insert on images for each row execute function every_third()`

export const scenario: Scenario = {
  id: 'F7',
  title: 'PostgreSQL restarted, away, cut off and exhausted',
  missing: () => missingForPostgres(),
  run,
}

async function run(form: Form, defer: Defer): Promise<Finding[]> {
  const postgres = await startPostgres()
  defer(postgres.stop)
  const database = new URL(postgres.url)
  const ask = async (sql: string, path = '/images') => {
    const client = new pg.Client({ connectionString: new URL(path, database).href })
    await client.connect()
    try {
      return await client.query(sql)
    } finally {
      await client.end()
    }
  }
  // Not for the administrator's role, which no limit applies to.
  await ask(`create role app login password 'app'`, '/postgres')
  await ask('create database images owner app', '/postgres')
  const line = await startProxy(Number(database.port))
  defer(line.stop)
  const server = await openServer(defer, {
    env: {
      DATABASE_URL: `postgres://app:app@127.0.0.1:${line.port}/images`,
      JWT_SECRET: 'a secret of the harness, long enough',
    },
  })
  const scene: Scene = {
    server,
    postgres,
    line,
    asAdmin: async (sql) => void (await ask(sql)),
    image: await jpeg(160, 120, 11, 60),
    ledger: new Ledger(),
    refused: 0,
    atWork: Promise.resolve(),
    wrongs: [],
  }
  const met = faults.filter(({ onlyFull }) => form === 'full' || onlyFull !== true)
  const backMs: number[] = []
  const token = await register(server.url, 'writer@example.com')
  await scene.ledger.learn(server.url, scene.image, { token })
  const stopWriting = keepSending(clients[form], () => uploadOne(scene))
  defer(stopWriting)
  await untilMore(() => scene.ledger.acknowledged.length, clients[form], scene)
  for (const fault of met) {
    await fault.begin(scene)
    await untilMore(() => scene.refused, refusedByEach, scene)
    if (form === 'full') await sleep(fault.fullMs ?? 0)
    await fault.end(scene)
    backMs.push(await untilMore(() => scene.ledger.acknowledged.length, 1, scene))
    if (form === 'full') console.log(`  ${fault.name}: back after ${Math.round(backMs.at(-1) ?? 0)} ms`)
  }
  await stopWriting()
  const violations = await scene.ledger.violations(server.url, { variantsOfEvery: 10 })
  const exitCode = await server.stop()
  const rows = (await ask('select id from images')).rows.map(({ id }) => id as string)
  const files = new Set(await filesIn(join(server.dataDir, 'originals')))
  return [
    info('faults', met.length),
    atLeast('uploads acknowledged', scene.ledger.acknowledged.length, clients[form]),
    atLeast('requests refused with 503, {error, code} and Retry-After', scene.refused, refusedByEach * 3),
    none('other responses', scene.wrongs),
    none('acknowledged images lost or damaged', violations),
    none(
      'rows without their file',
      rows.filter((id) => !files.has(id)),
    ),
    info('files without a row, for the nightly sweep', files.size - rows.length),
    none('crashes', exitCode === 0 ? [] : [`the server ended with ${exitCode}: ${server.log().slice(-300)}`]),
    inFull(atMost('longest way back', Math.max(...backMs), backWithinMs, ' ms')),
  ]
}

async function uploadOne(scene: Scene): Promise<void> {
  const reply = await scene.ledger.upload(scene.server.url, scene.image).catch(String)
  if (typeof reply !== 'string' && reply.status === 201) return
  if (typeof reply === 'string') scene.wrongs.push(`no response: ${reply}`)
  else refusal(scene, reply)
  await sleep(20)
}

function refusal(scene: Scene, reply: CallResponse): void {
  const { code } = failureIn(reply.body)
  const isTold = refusalViolation(reply) === undefined
  if (isTold && code === 'storage_unavailable') scene.refused++
  // Busy are the decoders: many clients upload at once.
  else if (!isTold || code !== 'busy') scene.wrongs.push(described(reply))
}

/** Waits until a figure has increased. @returns milliseconds. @throws after a minute, with the server's output */
async function untilMore(figure: () => number, by: number, { server }: Scene): Promise<number> {
  const goal = figure() + by
  const tookMs = await untilTrue(() => figure() >= goal, 60_000, 10)
  if (tookMs === Infinity) throw new Error(`Nothing changed in a minute: ${server.log().slice(-500)}`)
  return tookMs
}
