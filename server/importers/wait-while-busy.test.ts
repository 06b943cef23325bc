import { afterEach, expect, it } from 'vitest'
import { openImaging } from '../imaging/pool/imaging.ts'
import { Failure } from '../domain/shared/failure.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createWaitWhileBusy } from './wait-while-busy.ts'
import { uploadSampleImages } from '../cli/seed/upload-samples.ts'
import { png } from '../testing/test-images.ts'

let app: TestApp | undefined
afterEach(() => app?.stop())

const busy = () => new Failure('busy', {}, { retryAfterS: 2 })

/** Waits move the clock. */
function make(onWait: (waits: number[]) => unknown = () => {}) {
  let now = 0
  const waits: number[] = []
  const printed: string[] = []
  const wait = async (ms: number) => {
    now += ms
    waits.push(ms)
    await onWait(waits)
  }
  const run = createWaitWhileBusy({ now: () => now, print: (line) => printed.push(line), wait })
  return { run, waits, printed }
}

it('sample images wait for busy decoders, and all are stored', async () => {
  app = await startTestApp({}, undefined, { ownDecoders: true })
  const { deps } = app
  const options = {
    dataDir: deps.config.DATA_DIR,
    decoderEntry: new URL('../../dist/server/imaging/decoder/main.js', import.meta.url),
  }
  await deps.imaging.close()
  const { run, printed } = make((waits) => {
    if (waits.length === 4) deps.imaging = openImaging(options)
  })
  const draw = () => png(32, 32)
  const images = ['a', 'b', 'c', 'd'].map((name) => ({ name: `${name}.png`, owner: null, ageMs: 0, draw }))
  const given = { images, owners: [], progress: () => {}, waitWhileBusy: run }
  expect(await uploadSampleImages(deps, given)).toEqual({ uploaded: 4, leftOut: [] })
  expect(printed[0]).toBe('The server is busy; waiting 2 seconds')
})

it('waits longer each time, half a minute at most', async () => {
  let left = 6
  const { run, waits } = make()
  const task = async () => {
    if (left-- > 0) throw busy()
    return 'stored'
  }
  expect(await run(task)).toBe('stored')
  expect(waits).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000])
})

it('stops when nothing was stored for ten minutes', async () => {
  const { run, waits } = make()
  await expect(run(() => Promise.reject(busy()))).rejects.toThrow('busy for 10 minutes')
  expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(11 * 60_000)
})

it('leaves out the image that is refused for five minutes while others are stored', async () => {
  const { run } = make(() => run(async () => 'stored'))
  await expect(run(() => Promise.reject(busy()))).rejects.toMatchObject({ code: 'busy' })
})

it('passes other failures on at once', async () => {
  const { run, waits } = make()
  await expect(run(() => Promise.reject(new Failure('storage_full')))).rejects.toMatchObject({ code: 'storage_full' })
  expect(waits).toEqual([])
})
