// F8: the clock jumps, also during a sweep. No image is deleted before its expiry, and every expired one is deleted eventually.
import { pino } from 'pino'
import type { App } from '../server/app.ts'
import { openJobs } from '../server/jobs.ts'
import { call, register, store } from './client.ts'
import { Ledger } from './ledger.ts'
import { jpeg } from './fault-images.ts'
import { startInProcess } from './in-process.ts'
import { type Defer, openFolder } from './resources.ts'
import { atLeast, type Finding, type Form, none, type Scenario, info } from './scenario.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const shape = {
  /** `looks`: sweeps while the clock is wrong, within 55 minutes. */
  short: { images: 3, looks: 3, rounds: 1, restarts: 1 },
  full: { images: 200, looks: 55, rounds: 5, restarts: Infinity },
} as const

const jumps: [name: string, ms: number][] = [
  ['+400 days', 400 * day],
  ['-400 days', -400 * day],
  ['+2 h', 2 * hour],
  ['-2 h', -2 * hour],
]
/** A jump of two hours: a running server must detect a moved clock, a stopped one must treat it as elapsed time. */
const seenAfterAStart = (ms: number) => Math.abs(ms) > day

export const scenario: Scenario = {
  id: 'F8',
  title: 'the clock jumps, also during sweeps',
  run,
}

/** The server in this process, with clocks that only this scenario moves. */
class Clocked {
  /** The true time. */
  trueMs = Date.now()
  /** The error of the wall clock. */
  wrongMs = 0
  app!: App
  sweep!: () => Promise<void>
  warnings = 0
  restarts = 0
  readonly #dataDir: string
  constructor(dataDir: string) {
    this.#dataDir = dataDir
  }

  async start(): Promise<void> {
    const hear = (line: string) => {
      if (line.includes('The clock has moved')) this.warnings++
    }
    this.app = await startInProcess(
      { DATA_DIR: this.#dataDir },
      { log: pino({ level: 'warn' }, { write: hear }), now: () => this.trueMs + this.wrongMs },
    )
    const jobs = openJobs(this.app.deps, () => this.trueMs)
    this.sweep = async () => {
      for (const { clock, run: runJob } of jobs) if (clock === 'trusted') await runJob()
    }
  }

  async restart(): Promise<void> {
    this.restarts++
    await this.app.stop()
    await this.start()
  }

  async images(): Promise<number> {
    return (await this.app.deps.db.selectFrom('images').select('id').execute()).length
  }
}

async function run(form: Form, defer: Defer): Promise<Finding[]> {
  const { images, looks, rounds, restarts } = shape[form]
  const server = new Clocked(await openFolder(defer))
  await server.start()
  defer(() => server.app.stop())
  const ledger = new Ledger()
  const early: string[] = []
  for (let n = 0; n < images; n++) {
    const picture = await jpeg(64, 48, n)
    ledger.add(await ledger.learn(server.app.url, picture), picture)
  }
  for (let round = 0; round < rounds; round++) {
    for (const [name, ms] of jumps) {
      await server.sweep()
      // In the middle of a sweep: it continues with the time at which it started.
      const sweeping = server.sweep()
      server.wrongMs = ms
      await sweeping
      for (let n = 0; n < looks; n++) {
        server.trueMs += Math.floor((55 * minute) / looks)
        if (n === Math.floor(looks / 2) && seenAfterAStart(ms) && server.restarts < restarts) await server.restart()
        await server.sweep()
        if ((await server.images()) !== images) early.push(`${name}: ${images - (await server.images())} images`)
      }
      server.wrongMs = 0
      await steadyHour(server)
    }
  }
  const futureToken = await tokenOfTheFuture(server)
  const violations = await ledger.violations(server.app.url)
  const { swept, afterDays } = await untilSwept(server)
  return [
    info('jumps, each with sweeps for 55 minutes and the way back', rounds * jumps.length),
    none('images deleted early', early),
    none('images not served under the right clock', violations),
    atLeast('warnings that the clock has moved', server.warnings, rounds * jumps.length * 2),
    none('accepted tokens with a future issue time', futureToken === 401 ? [] : [`the response was ${futureToken}`]),
    none('changes of summer time that stop the sweep', await acrossSummerTime(server)),
    info('due images swept after the server was off for', `${afterDays} days and an hour: ${swept}`),
    none('due images left', swept === images ? [] : [`${images - swept}`]),
  ]
}

/** @returns the response, with the clock corrected, to a token that was issued two hours ahead */
async function tokenOfTheFuture(server: Clocked): Promise<number> {
  server.wrongMs = 2 * hour
  const token = await register(server.app.url, 'future@example.com')
  server.wrongMs = 0
  return (await call(`${server.app.url}/api/me`, { token })).status
}

async function steadyHour(server: Clocked): Promise<void> {
  await server.sweep()
  for (let n = 0; n < 3; n++) {
    server.trueMs += 20 * minute
    await server.sweep()
  }
}

/** Off until all images are expired, then an hour of correct time: the guard delays no deletion for longer. */
async function untilSwept(server: Clocked): Promise<{ swept: number; afterDays: number }> {
  const before = await server.images()
  const afterDays = 61
  server.trueMs += afterDays * day
  await server.restart()
  await steadyHour(server)
  return { swept: before - (await server.images()), afterDays }
}

/** In a time zone with daylight saving, over both changes of next year: the sweep runs, and an expired image is deleted at once. */
async function acrossSummerTime(server: Clocked): Promise<string[]> {
  const zone = process.env.TZ
  process.env.TZ = 'Europe/Berlin'
  try {
    const stopped: string[] = []
    const year = new Date(server.trueMs).getUTCFullYear() + 1
    for (const change of [Date.UTC(year, 2, 31, 1), Date.UTC(year, 9, 31, 1)].map(lastSunday)) {
      server.trueMs = change - 10 * minute
      const warned = server.warnings
      await server.sweep()
      await store(server.app.url, await jpeg(64, 48))
      await server.app.deps.db
        .updateTable('images')
        .set({ expires_at: change + minute })
        .execute()
      for (let n = 0; n < 4; n++) {
        server.trueMs += 3 * minute
        await server.sweep()
      }
      if ((await server.images()) > 0 || server.warnings > warned) stopped.push(new Date(change).toISOString())
    }
    return stopped
  } finally {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  }
}

/** @param ms a time on the last day of a month */
const lastSunday = (ms: number) => ms - new Date(ms).getUTCDay() * day
