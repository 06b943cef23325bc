import { describe, expect, it } from 'vitest'
import { createKeyedSemaphores, createSemaphore } from './semaphore.ts'

const rejectWith = () => new Error('busy')

function deferred() {
  let finish = () => {}
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  return { done, finish }
}

describe('createSemaphore', () => {
  it('runs as many tasks as it has permits, queues in order, and rejects what exceeds the queue', async () => {
    const semaphore = createSemaphore({ permits: 2, maxQueued: 2, rejectWith })
    const tasks = Array.from({ length: 5 }, deferred)
    const started: number[] = []
    const runs = tasks.map((task, n) =>
      semaphore(async () => {
        started.push(n)
        await task.done
        return n
      }),
    )
    await expect(runs[4]).rejects.toThrow('busy')
    expect(started).toEqual([0, 1])
    tasks[1]?.finish()
    expect(await runs[1]).toBe(1)
    await Promise.resolve()
    expect(started).toEqual([0, 1, 2])
    for (const task of tasks) task.finish()
    expect(await Promise.all(runs.slice(0, 4))).toEqual([0, 1, 2, 3])
  })

  it('rejects a task that waits longer than maxWaitMs, and frees its place in the queue', async () => {
    const semaphore = createSemaphore({ permits: 1, maxQueued: 2, maxWaitMs: 5, rejectWith })
    const first = deferred()
    const running = semaphore(() => first.done)
    const late = { isStarted: false }
    await expect(semaphore(async () => (late.isStarted = true))).rejects.toThrow('busy')
    const queued = semaphore(async () => 'in time')
    first.finish()
    await running
    expect(await queued).toBe('in time')
    expect(late.isStarted).toBe(false)
    expect(await semaphore(async () => 'free')).toBe('free')
  })

  it('passes the permit on when a task fails', async () => {
    const semaphore = createSemaphore({ permits: 1, maxQueued: 1, rejectWith })
    const failing = semaphore(() => Promise.reject(new Error('no')))
    const next = semaphore(async () => 'yes')
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('yes')
  })
})

describe('createKeyedSemaphores', () => {
  it('limits each key separately', async () => {
    const semaphoreOf = createKeyedSemaphores({ permits: 1, maxQueued: 0, rejectWith })
    const first = deferred()
    const run = semaphoreOf('a')(() => first.done)
    await expect(semaphoreOf('a')(async () => 1)).rejects.toThrow('busy')
    expect(await semaphoreOf('b')(async () => 1)).toBe(1)
    first.finish()
    await run
    expect(await semaphoreOf('a')(async () => 1)).toBe(1)
  })
})
