import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as realTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ImagingBusy, Lane, type LaneOptions } from './lane.ts'
import type { Job } from '../protocol.ts'
import { SharedPermits } from '../../concurrency/shared-permits.ts'
import { contextFor, decoderEntry } from '../testing/folder.ts'
import { DecayingUsage } from '../../concurrency/decaying-usage.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-host-lane-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Never read: its process does not become ready. */
const job = { kind: 'ingest' } as Job

async function openLane(options: Partial<LaneOptions>): Promise<Lane> {
  const script = join(folder, 'never-ready.mjs')
  await writeFile(script, 'setInterval(() => {}, 1000)')
  return new Lane({
    name: 'slow',
    entry: pathToFileURL(script),
    decodes: 'pixels',
    processes: 1,
    maxWaitMs: 10_000,
    typicalJobMs: 50,
    maxRunMs: 15_000,
    niceness: 0,
    cpuLimitMs: 1000,
    memoryLimitBytes: Infinity,
    recycleAfterJobs: 10,
    recycleAboveBytes: Infinity,
    maxIdleMs: 10_000,
    maxLastIdleMs: Infinity,
    usage: new DecayingUsage(),
    log: () => {},
    ...options,
  })
}

const inMs = (ms: number) => contextFor('somebody', ms)

it.each([
  ['process.exit(1)', true],
  ["process.kill(process.pid, 'SIGSEGV')", true],
  ["process.kill(process.pid, 'SIGINT')", false],
  ["process.kill(process.pid, 'SIGKILL')", false],
])('a process that ends at its start by %s cannot start: %s', async (code, cannotStart) => {
  const script = join(folder, 'ends.mjs')
  await writeFile(script, `${code}; setInterval(() => {}, 1000)`)
  const logged: unknown[] = []
  const lane = await openLane({ entry: pathToFileURL(script), log: (event, level) => logged.push([level, event]) })
  try {
    expect(await lane.run(job, inMs(60_000))).toMatchObject({ kind: 'died', wasStarted: false, cannotStart })
    expect(logged).toMatchObject([
      cannotStart ? ['error', { event: 'decoder_cannot_start' }] : [undefined, { event: 'decoder_died' }],
    ])
  } finally {
    await lane.close()
  }
})

it('a process for pixels takes no drawing', async () => {
  const lane = await openLane({ entry: decoderEntry })
  try {
    const outcome = await lane.run({ kind: 'rasterize' } as Job, inMs(60_000))
    expect(outcome).toEqual({ kind: 'failed', message: 'a process for pixels takes no rasterize' })
  } finally {
    await lane.close()
  }
})

it('counts no kill when a job times out before its process is ready, and the process stays alive', async () => {
  const logged: object[] = []
  const lane = await openLane({ log: (event) => logged.push(event) })
  try {
    const outcome = await lane.run(job, inMs(100))
    expect(outcome).toEqual({ kind: 'out_of_time' })
    expect(lane.stats()).toMatchObject({ jobs: 1, kills: 0, deaths: 0, alive: 1 })
    expect(logged).toEqual([{ event: 'job_given_up', lane: 'slow', job: 'ingest', why: 'out_of_time' }])
  } finally {
    await lane.close()
  }
})

it('closes after the job that waited for a shared permit has been rejected for lack of time', async () => {
  const permits = new SharedPermits(1)
  permits.tryAcquire({ startQueued: () => {} })
  const lane = await openLane({ permits })
  const told = lane.run(job, inMs(600)).catch((error) => error)
  expect(lane.stats()).toMatchObject({ queued: 1, running: 0 })
  await lane.close()
  expect(await told).toBeInstanceOf(ImagingBusy)
  expect(lane.stats()).toMatchObject({ queued: 0, alive: 0 })
})

it('ends the last process after its own idle time, which begins again when a job is expected', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const lane = await openLane({ maxLastIdleMs: 60_000 })
  try {
    lane.warm()
    vi.advanceTimersByTime(59_999)
    lane.warm()
    vi.advanceTimersByTime(59_999)
    await realTimeout(200) // a killed process would have ended
    expect(lane.stats().alive).toBe(1)
    vi.advanceTimersByTime(1)
    await expect.poll(() => lane.stats().alive).toBe(0)
    lane.warm()
    expect(lane.stats().alive).toBe(1)
  } finally {
    vi.useRealTimers()
    await lane.close()
  }
})

it('kills a process whose result is not valid for its job, and counts a death', async () => {
  const script = join(folder, 'wrong-result.mjs')
  await writeFile(
    script,
    `process.on('message', () => {
       process.send({ type: 'started' })
       process.send({ type: 'ended', rssBytes: 1, cpuMs: 1, outcome: { kind: 'done', value: { format: 'gif' } } })
     })
     process.send({ type: 'ready' })`,
  )
  const lane = await openLane({ entry: pathToFileURL(script) })
  try {
    const ingest: Job = {
      kind: 'ingest',
      job: {
        sourcePath: '/s',
        allow: ['png'],
        originalPath: '/o',
        thumbnailPath: '/t',
        listThumbnailPath: '/l',
        intermediatePath: '/i',
      },
      mayBeLarge: false,
    }
    expect(await lane.run(ingest, inMs(60_000))).toMatchObject({ kind: 'died', wasStarted: true })
    expect(lane.stats()).toMatchObject({ jobs: 1, kills: 0, deaths: 1, alive: 0 })
  } finally {
    await lane.close()
  }
})

it('rejects a job whose client goes away while it waits, and counts no refusal', async () => {
  const permits = new SharedPermits(1)
  const holder = { startQueued: () => {} }
  permits.tryAcquire(holder)
  const lane = await openLane({ permits })
  const gone = new AbortController()
  const waiting = lane.run(job, { ...inMs(60_000), signal: gone.signal })
  expect(lane.stats().queued).toBe(1)
  gone.abort(new Error('the visitor left'))
  await expect(waiting).rejects.toThrow('the visitor left')
  expect(lane.stats()).toMatchObject({ queued: 0, refusedAsBusy: 0 })
  await expect(lane.run(job, { ...inMs(60_000), signal: gone.signal })).rejects.toThrow('the visitor left')
  await lane.close()
})

it('when it closes, refuses what cannot start in time, however long it might have waited', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const permits = new SharedPermits(1)
  permits.tryAcquire({ startQueued: () => {} })
  const lane = await openLane({ permits })
  try {
    const outcome = lane.run(job, inMs(30_000)).catch((error: Error) => error)
    const closed = lane.close()
    vi.advanceTimersByTime(3900)
    expect(lane.stats().queued).toBe(1)
    vi.advanceTimersByTime(200)
    expect(await outcome).toBeInstanceOf(ImagingBusy)
    await closed
  } finally {
    vi.useRealTimers()
  }
})

it('is contended while others wait, or would have to', async () => {
  const permits = new SharedPermits(1)
  permits.tryAcquire({ startQueued: () => {} })
  const waiting = await openLane({ permits })
  const outcome = waiting.run(job, inMs(600)).catch((error: Error) => error)
  expect([waiting.isContended('somebody'), waiting.isContended('another')]).toEqual([false, true])
  await outcome
  const running = await openLane({ processes: 2 })
  const jobs = [running.run(job, inMs(600))]
  expect(running.isContended('another')).toBe(false)
  jobs.push(running.run(job, inMs(600)))
  expect([running.isContended('another'), running.isContended('somebody')]).toEqual([true, false])
  await Promise.all(jobs)
  await Promise.all([waiting.close(), running.close()])
})

/** Whose jobs take as long as the names of their files say. */
async function openTimedLane(options: Partial<LaneOptions>): Promise<Lane> {
  const script = join(folder, 'timed.mjs')
  await writeFile(
    script,
    `process.on('message', ({ job }) => {
       process.send({ type: 'started' })
       const outcome = { kind: 'failed', message: 'as expected' }
       setTimeout(() => process.send({ type: 'ended', rssBytes: 1, cpuMs: 1, outcome }), Number(job.sourcePath))
     })
     process.send({ type: 'ready' })`,
  )
  return openLane({ entry: pathToFileURL(script), ...options })
}

function runTimed(lane: Lane, caller: string, ms: number) {
  const outputs = { originalPath: '/o', thumbnailPath: '/t', listThumbnailPath: '/l', intermediatePath: '/i' }
  const timed = { sourcePath: String(ms), allow: ['png' as const], ...outputs }
  return lane.run({ kind: 'ingest', job: timed, mayBeLarge: false }, contextFor(caller))
}

it('bounds the queue by expected time: many quick jobs of one caller evict slow ones of another', async () => {
  const lane = await openTimedLane({ maxWaitMs: 400, typicalJobMs: 5 })
  const outcomeOf = (caller: string, ms: number) =>
    runTimed(lane, caller, ms).then(
      ({ kind }) => kind,
      (error: Error) => error.name,
    )
  try {
    for (let n = 0; n < 4; n++) expect(await outcomeOf('slow', 200)).toBe('failed')
    const slow = Array.from({ length: 9 }, () => outcomeOf('slow', 200))
    // One runs. The others are expected to take at least 100 ms each, so that four or fewer fit.
    expect(lane.stats()).toMatchObject({ running: 1, refusedAsBusy: expect.any(Number) })
    expect(lane.stats().refusedAsBusy).toBeGreaterThanOrEqual(4)
    const quick = Array.from({ length: 20 }, () => outcomeOf('quick', 0))
    expect(await Promise.all(quick)).toEqual(Array(20).fill('failed'))
    expect(await Promise.all(slow)).toContain('ImagingBusy')
  } finally {
    await lane.close()
  }
})

it('says how long its queue takes by what jobs took lately, also when all callers in it are new', async () => {
  const lane = await openTimedLane({ maxWaitMs: 20, typicalJobMs: 5, recycleAfterJobs: 100 })
  try {
    for (let n = 0; n < 8; n++) await runTimed(lane, `earlier ${n}`, 100)
    const jobs = Array.from({ length: 6 }, (_, n) => runTimed(lane, `new ${n}`, 100).catch((error: Error) => error))
    expect(lane.stats()).toMatchObject({ running: 1, queued: 4, refusedAsBusy: 1 })
    // Four times at least 66 ms: the mean of eight jobs, and four typical ones.
    expect((await Promise.all(jobs)).at(-1)).toMatchObject({ name: 'ImagingBusy', retryAfterMs: expect.any(Number) })
    expect(((await jobs[5]) as ImagingBusy).retryAfterMs).toBeGreaterThan(200)
  } finally {
    await lane.close()
  }
})

it.each(['ready', 'started'])('kills a process that sends "%s" twice', async (type) => {
  const script = join(folder, 'twice.mjs')
  await writeFile(
    script,
    `process.on('message', () => {
       process.send({ type: 'started' })
       process.send({ type: '${type}' })
     })
     process.send({ type: 'ready' })
     setInterval(() => {}, 1000)`,
  )
  const lane = await openLane({ entry: pathToFileURL(script) })
  try {
    expect(await lane.run(job, inMs(60_000))).toMatchObject({ kind: 'died', wasStarted: true })
  } finally {
    await lane.close()
  }
})

it('charges nothing for a job whose process does not get ready in time', async () => {
  const usage = new DecayingUsage()
  const lane = await openLane({ usage })
  const context = inMs(100)
  try {
    await lane.run(job, context)
    expect([context.usedMs, usage.usageMs('somebody')]).toEqual([0, 0])
  } finally {
    await lane.close()
  }
})

it('charges the time that a process worked until it died, and no more', async () => {
  const script = join(folder, 'dies.mjs')
  await writeFile(
    script,
    `process.on('message', () => process.send({ type: 'started' }, () => setTimeout(() => process.exit(1), 100)))
     process.send({ type: 'ready' })`,
  )
  const lane = await openLane({ entry: pathToFileURL(script) })
  const context = inMs(60_000)
  const sinceMs = performance.now()
  try {
    expect(await lane.run(job, context)).toMatchObject({ kind: 'died', wasStarted: true })
    expect(context.usedMs).toBeGreaterThanOrEqual(90)
    expect(context.usedMs).toBeLessThan(performance.now() - sinceMs)
  } finally {
    await lane.close()
  }
})

it('starts a job early for those who joined before it was queued', async () => {
  const permits = new SharedPermits(1)
  permits.tryAcquire({ startQueued: () => {} })
  const usage = new DecayingUsage()
  usage.charge('heavy', 10_000)
  const lane = await openLane({ permits, usage })
  const order: string[] = []
  const run = (name: string, caller: string, joined: string[] = []) =>
    lane.run(job, { ...contextFor(caller, 600), joined: new Set(joined) }).then(
      () => order.push(name),
      () => {},
    )
  const jobs = [run('alone', 'heavy'), run('joined', 'heavy', ['light'])]
  permits.release()
  await Promise.all(jobs)
  expect(order[0]).toBe('joined')
  await lane.close()
})
