import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Lane } from './lane.ts'
import type { Job } from './messages.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-host-lane-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Nobody reads it: its process never is ready. */
const job = { kind: 'ingest' } as Job

it('counts no kill where a job is over before its process is ready, which goes on', async () => {
  const script = join(folder, 'never-ready.mjs')
  await writeFile(script, 'setInterval(() => {}, 1000)')
  const logged: object[] = []
  const lane = new Lane({
    name: 'slow',
    entry: pathToFileURL(script),
    flags: [],
    decodes: 'pixels',
    processes: 1,
    maxQueued: 1,
    niceness: 0,
    cpuLimitMs: 1000,
    memoryLimitBytes: Infinity,
    recycleAfterJobs: 10,
    recycleAboveBytes: Infinity,
    log: (event) => logged.push(event),
  })
  try {
    const ending = await lane.run(job, { caller: 'somebody', byMs: performance.now() + 100 })
    expect(ending).toEqual({ kind: 'out_of_time' })
    expect(lane.stats()).toMatchObject({ jobs: 1, kills: 0, deaths: 0, alive: 1 })
    expect(logged).toEqual([{ event: 'job_given_up', lane: 'slow', job: 'ingest', why: 'out_of_time' }])
  } finally {
    await lane.close()
  }
})
