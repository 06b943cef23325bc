import { describe, expect, it } from 'vitest'
import { createGate, createKeyedGates } from './semaphore.ts'

function deferred() {
  let finish = () => {}
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  return { done, finish }
}

describe('createGate', () => {
  it('runs so many at once, keeps so many waiting in order, and refuses the rest', async () => {
    const gate = createGate({ maxAtOnce: 2, maxWaiting: 2 })
    const works = Array.from({ length: 5 }, deferred)
    const started: number[] = []
    const runs = works.map((work, n) =>
      gate(async () => {
        started.push(n)
        await work.done
        return n
      }),
    )
    await expect(runs[4]).rejects.toMatchObject({ code: 'busy' })
    expect(started).toEqual([0, 1])
    works[1]?.finish()
    expect(await runs[1]).toBe(1)
    await Promise.resolve()
    expect(started).toEqual([0, 1, 2])
    for (const work of works) work.finish()
    expect(await Promise.all(runs.slice(0, 4))).toEqual([0, 1, 2, 3])
  })

  it('lets nobody wait for longer than it says, and gives their place to those who still do', async () => {
    const gate = createGate({ maxAtOnce: 1, maxWaiting: 2, maxWaitMs: 5 })
    const first = deferred()
    const running = gate(() => first.done)
    const late = { isStarted: false }
    await expect(gate(async () => (late.isStarted = true))).rejects.toMatchObject({ code: 'busy', retryAfterS: 2 })
    const patient = gate(async () => 'in time')
    first.finish()
    await running
    expect(await patient).toBe('in time')
    expect(late.isStarted).toBe(false)
    expect(await gate(async () => 'free')).toBe('free')
  })

  it('passes on when work fails', async () => {
    const gate = createGate({ maxAtOnce: 1, maxWaiting: 1 })
    const failing = gate(() => Promise.reject(new Error('no')))
    const next = gate(async () => 'yes')
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('yes')
  })
})

describe('createKeyedGates', () => {
  it('keeps keys apart', async () => {
    const gateOf = createKeyedGates({ maxAtOnce: 1, maxWaiting: 0 })
    const first = deferred()
    const run = gateOf('a')(() => first.done)
    await expect(gateOf('a')(async () => 1)).rejects.toMatchObject({ code: 'busy' })
    expect(await gateOf('b')(async () => 1)).toBe(1)
    first.finish()
    await run
    expect(await gateOf('a')(async () => 1)).toBe(1)
  })
})
