// The sweep of 100,000 expired images with their files, against `rm` of the same files.
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { RunningServer } from '../e2e/server.ts'
import { withFolder, withServer } from './resources.ts'
import { requestJson, bearer } from './request-json.ts'
import { type Database, onBothDatabases } from './databases.ts'
import { createFiles, rowsOf } from './expired-images.ts'
import { medianOf, memoryRow, ratesRow, ratioOfRates, type Round } from './figures.ts'
import type { Part, Row } from './part.ts'
import { watch } from './processes.ts'

const shape = { short: { images: 500, rounds: 1 }, full: { images: 100_000, rounds: 3 } } as const
/** Flat: what garbage comes and goes, and nothing that grows with the images, whose rows alone are 40 MB. */
const mostGrowthMB = 40
const execute = promisify(execFile)
const learntWithinMs = 120_000
const admin = { email: 'admin@example.com', password: 'secret of the bench' }

export const part: Part = {
  name: 'sweep',
  title: 'expired images removed, each with three small files in a folder of two',
  run: (form) =>
    onBothDatabases(async (title, folder, database) => {
      const { images, rounds } = shape[form]
      const found: Both[] = []
      for (let round = 0; round < rounds; round++) {
        const byRm = await roundOfRm(round, images)
        found.push({ rm: byRm, sweep: await roundOfSweep(folder, database, round, images) })
      }
      return { title, rows: rowsOfTable(found), notes: ['CPU ms for one image.'] }
    }),
}

interface Swept extends Round {
  /** Where memory can be read. */
  grewMB?: number
}

interface Both {
  rm: Round
  sweep: Swept
}

function rowsOfTable(found: Both[]): Row[] {
  const sweeps = found.map(({ sweep }) => sweep)
  const removals = found.map(({ rm: removal }) => removal)
  return [
    ratesRow('rm -rf', removals),
    { ...ratesRow('sweep', sweeps), ratio: ratioOfRates(removals, sweeps), goal: { atMost: 3 } },
    memoryRow('most memory during the sweep, above that before it', medianIn(sweeps), mostGrowthMB),
  ]
}

/** Undefined where it could not be read. */
function medianIn(sweeps: Swept[]): number | undefined {
  const grew = sweeps.flatMap(({ grewMB }) => grewMB ?? [])
  return grew.length === 0 ? undefined : medianOf(grew)
}

function roundOfRm(set: number, images: number): Promise<Round> {
  return withFolder(async (folder) => {
    await lay(folder, set, images)
    const start = performance.now()
    // The shell tells what its children took of the processor.
    const { stdout } = await execute('sh', ['-c', 'rm -rf "$0/originals" "$0/variants"; times', folder])
    return { items: images, tookMs: performance.now() - start, cpuMs: childrensCpuMs(stdout) }
  })
}

/** Written out: who deletes what the disk has not seen yet waits for other things than who deletes it later. */
async function lay(dataDir: string, set: number, images: number): Promise<void> {
  createFiles(dataDir, set, images)
  await execute('sync', ['-f', dataDir])
}

/** @param times as the shell prints them: its own, and in the second line its children's, user and system time */
function childrensCpuMs(times: string): number {
  const found = [...(times.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  return found.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000, 0)
}

/** By the call with which an admin asks for it. */
async function roundOfSweep(dataDir: string, { env, run }: Database, set: number, images: number): Promise<Swept> {
  const options = { dataDir, env: { ...env, ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password } }
  const owner = await withServer(options, async ({ url }) => (await login(url)).user.id)
  for (const statement of [...rowsOf(set, images, owner), ...doubtTheClock()]) await run(statement)
  await lay(dataDir, set, images)

  return withServer(options, async (server) => {
    const { token } = await login(server.url)
    await untilLearnt(server, images * 2)
    const [before] = watch(server.pid).stop().peakMB
    const watched = watch(server.pid)
    const start = performance.now()
    const { deletedImages } = await requestJson<{ deletedImages: number }>(server.url, '/api/database/cleanup', {
      body: {},
      headers: bearer(token),
    })
    const tookMs = performance.now() - start
    const { cpuMs, peakMB } = watched.stop()
    const [most] = peakMB
    const left = await filesIn(dataDir)
    if (deletedImages !== images || left > 0) throw new Error(`Removed ${deletedImages} images, left ${left} files`)
    const grew = before === undefined || most === undefined ? {} : { grewMB: most - before }
    return { items: images, tookMs, cpuMs, peakMB: peakMB.slice(0, 1), ...grew }
  })
}

const login = (url: string) => requestJson<{ user: { id: string }; token: string }>(url, '/api/login', { body: admin })

/** A server lists the variants that it finds at its start, beside its first requests. */
async function untilLearnt({ url }: RunningServer, files: number): Promise<void> {
  const deadline = Date.now() + learntWithinMs
  const known = async () =>
    Number(/variant_cache\{of="files"\} (\d+)/.exec(await (await fetch(`${url}/metrics`)).text())?.[1] ?? 0)
  while ((await known()) !== files) {
    if (Date.now() > deadline) throw new Error(`The server knows ${await known()} of ${files} variants`)
    await sleep(200)
  }
}

/** A server that was off for days sweeps nothing by itself for an hour: the sweep of each minute stays out of the way. */
function doubtTheClock(): string[] {
  const daysAgo = Date.now() - 3 * 86_400_000
  return [
    `delete from settings where name = 'clock'`,
    `insert into settings (name, value) values ('clock', '${daysAgo}')`,
  ]
}

async function filesIn(dataDir: string): Promise<number> {
  const found = await Promise.all(
    ['originals', 'variants'].map((name) => readdir(join(dataDir, name), { recursive: true, withFileTypes: true })),
  )
  return found.flat().filter((entry) => entry.isFile()).length
}
