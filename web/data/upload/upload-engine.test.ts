import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { UploadedImage } from '../../../contract/images.ts'
import { ApiError } from '../api-error.ts'
import type { SendOptions } from './send-image.ts'
import { createUploadEngine, type UploadRole } from './upload-engine.ts'

const fileOf = (name: string) => new File(['bytes'], name, { type: 'image/png' })
const image = { id: 'image' } as UploadedImage

beforeEach(() => {
  vi.stubGlobal('navigator', { onLine: true })
  vi.spyOn(console, 'info').mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** An engine whose sends wait until the test settles them. */
function engineOf(role: Partial<UploadRole> = {}) {
  const sends: { name: string; options: SendOptions; succeed: () => void; fail: (error: unknown) => void }[] = []
  const events: string[] = []
  const engine = createUploadEngine({
    send: ({ name }, options) =>
      new Promise((resolve, reject) => {
        sends.push({ name, options, succeed: () => resolve(image), fail: reject })
        options.signal.addEventListener('abort', () => reject(new ApiError(0, undefined)))
      }),
    onEvent: ({ file }, { type }) => events.push(`${file.name} ${type}`),
    ...role,
  })
  const stages = () => engine.store.get().map(({ stage }) => stage)
  return { engine, sends, events, stages }
}

test('without preparation a file is sent as soon as it is added', async () => {
  const { engine, sends, events } = engineOf()
  engine.add([{ file: fileOf('a') }])
  sends[0]?.options.onProgress(0.5)
  sends[0]?.succeed()
  await vi.waitFor(() => expect(engine.store.get()).toMatchObject([{ stage: 'done', sent: 1, image }]))
  expect(events).toEqual(['a sending', 'a progress', 'a done'])
})

test('a file is read, converted and sent', async () => {
  const { engine, sends, events } = engineOf({
    prepare: async (_, __, onConverting) => {
      onConverting()
      return { file: fileOf('a.webp'), outcome: 'converted' }
    },
  })
  const [item] = engine.add([{ file: fileOf('a') }])
  await vi.waitFor(() => expect(sends).toMatchObject([{ name: 'a.webp', options: { key: item?.id } }]))
  expect(events).toEqual(['a reading', 'a converting', 'a prepared', 'a sending'])
})

test('refused files are listed and not sent', () => {
  const { engine, sends, stages } = engineOf()
  engine.add([{ file: fileOf('a'), refusal: 'too large' }, { file: fileOf('b') }])
  expect(stages()).toEqual(['refused', 'sending'])
  expect(sends.map(({ name }) => name)).toEqual(['b'])
})

test('a free place goes to the next item, and a removed one is aborted', async () => {
  const { engine, sends, stages } = engineOf({ maxSending: 2 })
  const [first] = engine.add(['a', 'b', 'c', 'd'].map((name) => ({ file: fileOf(name) })))
  expect(stages()).toEqual(['sending', 'sending', 'ready', 'ready'])
  engine.remove(new Set([first!.id]))
  expect(stages()).toEqual(['sending', 'sending', 'ready'])
  sends[1]?.succeed()
  await vi.waitFor(() => expect(stages()).toEqual(['done', 'sending', 'sending']))
  expect(sends[0]?.options.signal.aborted).toBe(true)
})

test('a new batch replaces finished items only when nothing is under way', async () => {
  const { engine, sends, stages } = engineOf()
  engine.add([{ file: fileOf('a') }, { file: fileOf('b') }])
  sends[0]?.succeed()
  await vi.waitFor(() => expect(stages()).toEqual(['done', 'sending']))
  engine.add([{ file: fileOf('c') }])
  expect(stages()).toEqual(['done', 'sending', 'ready'])
})

test('a failed sending without automatic retries waits for the user', async () => {
  const { engine, sends, stages } = engineOf()
  const [item] = engine.add([{ file: fileOf('a') }])
  sends[0]?.fail(new ApiError(503, undefined))
  await vi.waitFor(() => expect(stages()).toEqual(['failed']))
  engine.retry(new Set([item!.id]))
  expect(sends[1]?.options.key).toBe(item?.id)
})

test('a failed sending is retried after a delay with the same key', async () => {
  vi.useFakeTimers()
  const { engine, sends, stages } = engineOf({ maxRetries: 1 })
  engine.add([{ file: fileOf('a') }])
  sends[0]?.fail(new ApiError(503, undefined))
  await vi.advanceTimersByTimeAsync(999)
  expect(stages()).toEqual(['ready'])
  await vi.advanceTimersByTimeAsync(1)
  expect(sends[1]?.options.key).toBe(sends[0]?.options.key)
  sends[1]?.fail(new ApiError(503, undefined))
  await vi.advanceTimersByTimeAsync(0)
  expect(stages()).toEqual(['failed'])
})

test('a retry takes place although the clock was set back', async () => {
  vi.useFakeTimers({ now: 10_000_000 })
  const { engine, sends } = engineOf({ maxRetries: 1 })
  engine.add([{ file: fileOf('a') }])
  sends[0]?.fail(new ApiError(503, undefined))
  await vi.advanceTimersByTimeAsync(0)
  vi.setSystemTime(10_000_000 - 3_600_000)
  await vi.advanceTimersByTimeAsync(1000)
  expect(sends).toHaveLength(1)
  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(sends).toHaveLength(2)
  expect(vi.getTimerCount()).toBe(0)
})

test('one timer waits for the earliest of several retries', async () => {
  vi.useFakeTimers()
  const { engine, sends } = engineOf({ maxRetries: 2, maxSending: 2 })
  engine.add([{ file: fileOf('a') }, { file: fileOf('b') }])
  sends[0]?.fail(new ApiError(503, undefined))
  await vi.advanceTimersByTimeAsync(500)
  sends[1]?.fail(new ApiError(503, undefined))
  await vi.advanceTimersByTimeAsync(499)
  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(sends.map(({ name }) => name)).toEqual(['a', 'b', 'a'])
  await vi.advanceTimersByTimeAsync(500)
  expect(sends.map(({ name }) => name)).toEqual(['a', 'b', 'a', 'b'])
})

test('an engine with retries waits for the network, one without does not', () => {
  vi.stubGlobal('navigator', { onLine: false })
  const waiting = engineOf({ maxRetries: 3 })
  waiting.engine.add([{ file: fileOf('a') }])
  expect(waiting.sends).toHaveLength(0)
  vi.stubGlobal('navigator', { onLine: true })
  waiting.engine.startNext()
  expect(waiting.sends).toHaveLength(1)

  vi.stubGlobal('navigator', { onLine: false })
  const single = engineOf()
  single.engine.add([{ file: fileOf('a') }])
  expect(single.sends).toHaveLength(1)
})

test('an upload that is removed after its response stays and is reported', async () => {
  let update = () => {}
  const { engine, sends, events, stages } = engineOf({ commit: (done) => (update = done) })
  const [item] = engine.add([{ file: fileOf('a') }])
  sends[0]?.succeed()
  await Promise.resolve()
  await Promise.resolve()
  engine.remove(new Set([item!.id]))
  expect(stages()).toEqual(['sending'])
  update()
  expect(stages()).toEqual(['done'])
  expect(events.at(-1)).toBe('a done')
  engine.remove(new Set([item!.id]))
  expect(engine.store.get()).toEqual([])
})
