import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import type { SendOptions } from './send-either-way.ts'
import { SendError } from './wait-or-give-up.ts'
import { createUploadEngine, type UploadRole } from './upload-engine.ts'

const fileOf = (name: string) => new File(['bytes'], name, { type: 'image/png' })
const image = { id: 'image' } as UploadedImage

beforeEach(() => {
  vi.stubGlobal('navigator', { onLine: true })
  vi.spyOn(console, 'info').mockImplementation(() => {})
  // The longest of the random delays.
  vi.spyOn(Math, 'random').mockReturnValue(1)
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
        options.signal.addEventListener('abort', () => reject(new SendError(0)))
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

test('refused files are listed and not sent, and leave with their batch', async () => {
  const { engine, sends, stages } = engineOf()
  engine.add([{ file: fileOf('a'), refusal: 'too large' }, { file: fileOf('b') }])
  expect(stages()).toEqual(['refused', 'sending'])
  expect(sends.map(({ name }) => name)).toEqual(['b'])
  sends[0]?.succeed()
  await vi.waitFor(() => expect(stages()).toEqual(['refused', 'done']))
  engine.add([{ file: fileOf('c') }])
  expect(stages()).toEqual(['sending'])
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

test('a refused upload waits for the user', async () => {
  const { engine, sends, stages } = engineOf()
  const [item] = engine.add([{ file: fileOf('a') }])
  sends[0]?.fail(new SendError(400))
  await vi.waitFor(() => expect(stages()).toEqual(['failed']))
  engine.retry(new Set([item!.id]))
  expect(sends[1]?.options.key).toBe(item?.id)
})

test('a lost connection is retried with the same key, ever more slowly, and never given up', async () => {
  vi.useFakeTimers()
  const { engine, sends, stages } = engineOf()
  engine.add([{ file: fileOf('a') }])
  for (const delayMs of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
    const attempts = sends.length
    sends.at(-1)?.fail(new SendError(0))
    await vi.advanceTimersByTimeAsync(delayMs - 1)
    expect(stages()).toEqual(['ready'])
    await vi.advanceTimersByTimeAsync(1)
    expect(sends).toHaveLength(attempts + 1)
  }
  expect(new Set(sends.map(({ options }) => options.key)).size).toBe(1)
})

test('an upload that has got further is retried at once again', async () => {
  vi.useFakeTimers()
  const { engine, sends } = engineOf()
  engine.add([{ file: fileOf('a') }])
  for (const sent of [0.1, 0.2, 0.3]) {
    const attempts = sends.length
    sends.at(-1)?.options.onProgress(sent)
    sends.at(-1)?.fail(new SendError(0))
    await vi.advanceTimersByTimeAsync(1000)
    expect(sends).toHaveLength(attempts + 1)
  }
  // Not further than before.
  sends.at(-1)?.options.onProgress(0.3)
  sends.at(-1)?.fail(new SendError(0))
  await vi.advanceTimersByTimeAsync(1000)
  sends.at(-1)?.fail(new SendError(0))
  await vi.advanceTimersByTimeAsync(1000)
  expect(sends).toHaveLength(5)
})

test('a busy server is asked again after the time that it names, with one upload at first', async () => {
  vi.useFakeTimers()
  const { engine, sends, stages } = engineOf({ maxSending: 3 })
  engine.add(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ file: fileOf(name) })))
  sends[0]?.fail(new SendError(503, undefined, { retryAfterMs: 7000 }))
  await vi.advanceTimersByTimeAsync(0)
  sends[1]?.succeed()
  await vi.advanceTimersByTimeAsync(7999)
  expect(stages()).toEqual(['ready', 'done', 'sending', 'ready', 'ready', 'ready'])
  sends[2]?.succeed()
  await vi.advanceTimersByTimeAsync(1)
  // Two successes meanwhile: three again.
  expect(sends.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'a', 'd', 'e'])
  for (const at of [3, 4, 5]) sends[at]?.fail(new SendError(429, undefined, { retryAfterMs: 3000 }))
  await vi.advanceTimersByTimeAsync(4000)
  expect(sends.slice(6).map(({ name }) => name)).toEqual(['a'])
  sends[6]?.succeed()
  await vi.advanceTimersByTimeAsync(0)
  expect(sends.slice(7).map(({ name }) => name)).toEqual(['d', 'e'])
})

test('what waits for the connection is tried at once when the browser is online again', async () => {
  vi.useFakeTimers()
  const { engine, sends } = engineOf({ maxSending: 2 })
  engine.add(['a', 'b'].map((name) => ({ file: fileOf(name) })))
  vi.stubGlobal('navigator', { onLine: false })
  for (const { fail } of sends) fail(new SendError(0))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sends).toHaveLength(2)
  expect(engine.store.get()).toMatchObject([
    { wait: { reason: 'connection' }, failures: 0 },
    { wait: { reason: 'connection' } },
  ])
  engine.add([{ file: fileOf('c') }])
  expect(sends).toHaveLength(2)
  vi.stubGlobal('navigator', { onLine: true })
  engine.wake()
  expect(sends).toHaveLength(4)
})

test('without a response the whole queue waits, ever longer, and goes on at once after the first success', async () => {
  vi.useFakeTimers()
  const { engine, sends } = engineOf({ maxSending: 3 })
  engine.add(Array.from({ length: 20 }, (_, at) => ({ file: fileOf(`file ${at}`) })))
  for (const { fail } of sends) fail(new SendError(0))
  expect(sends).toHaveLength(3)
  for (const delayMs of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
    const attempts = sends.length
    await vi.advanceTimersByTimeAsync(delayMs - 1)
    expect(sends).toHaveLength(attempts)
    await vi.advanceTimersByTimeAsync(1)
    expect(sends).toHaveLength(attempts + 1)
    if (attempts < 9) sends.at(-1)?.fail(new SendError(0))
  }
  sends.at(-1)?.succeed()
  await vi.advanceTimersByTimeAsync(0)
  expect(sends).toHaveLength(10 + 3)
})

test('who tries again does not wait for the rest of a long pause', async () => {
  vi.useFakeTimers()
  const { engine, sends } = engineOf()
  engine.add([{ file: fileOf('a') }])
  for (const delayMs of [1000, 2000, 4000]) {
    sends.at(-1)?.fail(new SendError(0))
    await vi.advanceTimersByTimeAsync(delayMs)
  }
  sends.at(-1)?.fail(new SendError(0))
  await vi.advanceTimersByTimeAsync(0)
  engine.wake()
  expect(sends).toHaveLength(5)
  sends.at(-1)?.fail(new SendError(0))
  await vi.advanceTimersByTimeAsync(1000)
  expect(sends).toHaveLength(6)
})

test('what is added while the browser is offline waits for the connection', () => {
  vi.stubGlobal('navigator', { onLine: false })
  const { engine, sends } = engineOf()
  engine.add([{ file: fileOf('a') }])
  expect(sends).toHaveLength(0)
  expect(engine.store.get()).toMatchObject([{ stage: 'ready', wait: { reason: 'connection' }, failures: 0 }])
})

test('a retry takes place although the clock was set back', async () => {
  vi.useFakeTimers({ now: 10_000_000 })
  const { engine, sends } = engineOf()
  engine.add([{ file: fileOf('a') }])
  sends[0]?.fail(new SendError(0))
  await vi.advanceTimersByTimeAsync(0)
  vi.setSystemTime(10_000_000 - 3_600_000)
  await vi.advanceTimersByTimeAsync(1000)
  expect(sends).toHaveLength(1)
  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(sends).toHaveLength(2)
  expect(vi.getTimerCount()).toBe(0)
})

test('one timer waits for uploads that have failed one after another', async () => {
  vi.useFakeTimers()
  const { engine, sends } = engineOf({ maxSending: 2 })
  engine.add([{ file: fileOf('a') }, { file: fileOf('b') }])
  sends[0]?.fail(new SendError(0))
  await vi.advanceTimersByTimeAsync(500)
  sends[1]?.fail(new SendError(0))
  await vi.advanceTimersByTimeAsync(499)
  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(sends.map(({ name }) => name)).toEqual(['a', 'b', 'a'])
  sends[2]?.succeed()
  await vi.advanceTimersByTimeAsync(0)
  expect(sends.map(({ name }) => name)).toEqual(['a', 'b', 'a', 'b'])
})

test('a cancelled upload is reported, a finished one is not', async () => {
  const cancelled: string[] = []
  const { engine, sends, stages } = engineOf({ onCancelled: ({ file }) => cancelled.push(file.name) })
  const items = engine.add(['a', 'b'].map((name) => ({ file: fileOf(name) })))
  sends[0]?.succeed()
  await vi.waitFor(() => expect(stages()).toEqual(['done', 'sending']))
  engine.remove(new Set(items.map(({ id }) => id)))
  expect(cancelled).toEqual(['b'])
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

test.each(['remove', 'retry'] as const)('a wait for the next hour ends with its upload: %s', async (action) => {
  vi.useFakeTimers()
  const { engine, sends } = engineOf()
  const [item] = engine.add([{ file: fileOf('a') }])
  sends[0]?.fail(new SendError(429, undefined, { retryAfterMs: 3_000_000 }))
  await vi.advanceTimersByTimeAsync(0)
  engine.add([{ file: fileOf('b') }])
  expect(sends).toHaveLength(1)
  engine[action](new Set([item!.id]))
  expect(sends).toHaveLength(2)
  expect(engine.store.get()[0]).toMatchObject({ stage: 'sending', wait: undefined })
})

test('a full server is asked by one upload at a time, less and less often, and at once by hand', async () => {
  vi.useFakeTimers()
  const { engine, sends, stages } = engineOf({ maxSending: 2 })
  const full = new SendError(507, { error: 'No space' })
  engine.add(['a', 'b', 'c'].map((name) => ({ file: fileOf(name) })))
  sends[0]?.fail(full)
  sends[1]?.fail(full)
  await vi.advanceTimersByTimeAsync(0)
  expect(engine.store.get()[0]).toMatchObject({ wait: { reason: 'space', text: 'No space' } })
  await vi.advanceTimersByTimeAsync(1000)
  expect(sends).toHaveLength(3)
  // Bytes of a small file move before the server refuses it.
  sends[2]?.options.onProgress(0.9)
  sends[2]?.fail(full)
  await vi.advanceTimersByTimeAsync(1999)
  expect(sends).toHaveLength(3)
  engine.wake()
  expect(sends).toHaveLength(5)
  sends[3]?.succeed()
  sends[4]?.succeed()
  await vi.advanceTimersByTimeAsync(0)
  expect(stages().filter((stage) => stage === 'done')).toHaveLength(2)
})

test('a released upload stops without being given up, and one whose response has arrived stays', async () => {
  const cancelled: string[] = []
  const updates: (() => void)[] = []
  const { engine, sends, stages } = engineOf({
    maxSending: 2,
    commit: (update) => updates.push(update),
    onCancelled: ({ file }) => cancelled.push(file.name),
  })
  engine.add(['a', 'b'].map((name) => ({ file: fileOf(name) })))
  sends[0]?.succeed()
  await vi.waitFor(() => expect(updates).toHaveLength(1))
  expect(engine.release().map(({ file }) => file.name)).toEqual(['b'])
  expect(sends[1]?.options.signal.aborted).toBe(true)
  updates[0]?.()
  expect([stages(), cancelled]).toEqual([['done'], []])
})
