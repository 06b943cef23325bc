// Measures the sweep of 100,000 expired images with their files, against `rm` of the same files.
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { RunningServer } from '../e2e/server.ts'
import { withFolder, withServer } from '../faults/resources.ts'
import { admin, adminSettings, requestJson } from '../faults/client.ts'
import { untilTrue } from '../faults/until.ts'
import { alternateRounds } from './alternate-rounds.ts'
import { type Database, onBothDatabases } from './databases.ts'
import { createFiles, rowStatements } from './expired-images.ts'
import { medianOf, memoryRow, ratesRow, ratioOfRates, type Round } from './statistics.ts'
import type { Benchmark, Row } from './benchmark.ts'
import { sampleUsage } from './processes.ts'

const shape = { short: { images: 500, rounds: 1 }, full: { images: 100_000, rounds: 3 } } as const
/** Constant memory: allows for garbage, but not for data per image, whose rows alone are 40 MB. */
const maxGrowthMB = 40
const execute = promisify(execFile)
const variantListTimeoutMs = 120_000

export const benchmark: Benchmark = {
  title: 'expired images removed, each with three small files in a folder of two',
  run: (form) =>
    onBothDatabases(async (title, folder, database) => {
      const { images, rounds } = shape[form]
      let set = 0
      const works = [() => roundOfRm(images), () => roundOfSweep(folder, database, set++, images)]
      const [removals = [], sweeps = []] = await alternateRounds<SweepRound>(works, rounds, 0)
      return { title, rows: rowsOf(removals, sweeps), notes: ['CPU ms per image.'] }
    }),
}

interface SweepRound extends Round {
  /** If memory can be read. */
  growthMB?: number
}

function rowsOf(removals: Round[], sweeps: SweepRound[]): Row[] {
  const growth = sweeps.flatMap(({ growthMB }) => growthMB ?? [])
  return [
    ratesRow('rm -rf', removals),
    { ...ratesRow('sweep', sweeps), ratio: ratioOfRates(removals, sweeps), goal: { atMost: 3 } },
    memoryRow(
      'peak memory of the sweep, above that before it',
      growth.length === 0 ? undefined : medianOf(growth),
      maxGrowthMB,
    ),
  ]
}

function roundOfRm(images: number): Promise<Round> {
  return withFolder(async (folder) => {
    await createSyncedFiles(folder, 0, images)
    const start = performance.now()
    await execute('rm', ['-rf', join(folder, 'originals'), join(folder, 'variants')])
    return { items: images, tookMs: performance.now() - start }
  })
}

/** Creates the files and syncs them: deleting files that are not yet on disk measures something else. */
async function createSyncedFiles(dataDir: string, set: number, images: number): Promise<void> {
  createFiles(dataDir, set, images)
  await execute('sync', ['-f', dataDir])
}

/** Runs the sweep through the API call of an admin. */
async function roundOfSweep(dataDir: string, { env, run }: Database, set: number, images: number): Promise<SweepRound> {
  const options = { dataDir, env: { ...env, ...adminSettings } }
  const owner = await withServer(options, async ({ url }) => (await login(url)).user.id)
  for (const statement of [...rowStatements(set, images, owner), ...clockJumpStatements()]) await run(statement)
  await createSyncedFiles(dataDir, set, images)

  return withServer(options, async (server) => {
    const { token } = await login(server.url)
    await waitForVariantList(server, images * 2)
    const [before] = sampleUsage(server.pid).stop().peakMB
    const usage = sampleUsage(server.pid)
    const start = performance.now()
    const { deletedImages } = await requestJson<{ deletedImages: number }>(`${server.url}/api/database/cleanup`, {
      body: {},
      token,
    })
    const tookMs = performance.now() - start
    const { cpuMs, peakMB } = usage.stop()
    const [most] = peakMB
    const left = await filesIn(dataDir)
    if (deletedImages !== images || left > 0) throw new Error(`Deleted ${deletedImages} images, ${left} files remain`)
    const growth = before === undefined || most === undefined ? {} : { growthMB: most - before }
    return { items: images, tookMs, cpuMs, peakMB: peakMB.slice(0, 1), ...growth }
  })
}

const login = (url: string) => requestJson<{ user: { id: string }; token: string }>(`${url}/api/login`, { body: admin })

/** Waits until the server has listed the variants on disk, which it does at startup beside its first requests. */
async function waitForVariantList({ url }: RunningServer, files: number): Promise<void> {
  const listedCount = async () =>
    Number(/variant_cache\{of="files"\} (\d+)/.exec(await (await fetch(`${url}/metrics`)).text())?.[1] ?? 0)
  if ((await untilTrue(async () => (await listedCount()) === files, variantListTimeoutMs, 200)) === Infinity)
    throw new Error(`The server has listed ${await listedCount()} of ${files} variants`)
}

/**
 * After days of downtime a server does not sweep by itself for an hour, so that the sweep of each minute does not interfere.
 */
function clockJumpStatements(): string[] {
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
