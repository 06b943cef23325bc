import { describe, expect, it } from 'vitest'
import { type Line, type Pace, watchPace } from './minimum-throughput.ts'

const pace: Pace = { leastBytesPerS: 1024, graceMs: 10_000 }

/** A line whose client moves so many bytes in each second that it is waited for. */
function lineOf(bytesPerS: number) {
  const state = { moved: 5000, isWaiting: true, isGone: false, cuts: 0, bytesPerS }
  const line: Line = {
    movedBytes: () => state.moved,
    isWaiting: () => state.isWaiting,
    isGone: () => state.isGone,
    onTooSlow: () => void state.cuts++,
  }
  return { line, state }
}

function after(seconds: number, { line, state }: ReturnType<typeof lineOf>, watch: ReturnType<typeof watchPace>) {
  for (let s = 0; s < seconds; s++) {
    if (state.isWaiting) state.moved += state.bytesPerS
    watch.look(1000)
  }
  return { ...state, line }
}

describe('a line', () => {
  it.each([
    ['at 1 KB/s passes', 1024, 60, false],
    ['a little slower is cut after ten seconds', 1023, 10, true],
    ['of 10 bytes a second is not cut before ten seconds', 10, 9, false],
    ['of 10 bytes a second is cut after ten seconds', 10, 10, true],
    ['that is silent is cut', 0, 10, true],
  ])('%s', (_, bytesPerS, seconds, isCut) => {
    const watch = watchPace(pace)
    const it = lineOf(bytesPerS)
    watch.add(it.line)
    expect(after(seconds, it, watch).cuts > 0).toBe(isCut)
  })

  it('that is gone is not watched any more', () => {
    const watch = watchPace(pace)
    const { line, state } = lineOf(0)
    watch.add(line)
    state.isGone = true
    state.isWaiting = false
    watch.look(1000)
    expect(watch.count()).toBe(0)
  })

  it('is not held to the time in which it waits for us', () => {
    const watch = watchPace(pace)
    const it = lineOf(0)
    it.state.isWaiting = false
    watch.add(it.line)
    expect(after(1000, it, watch).cuts).toBe(0)
    it.state.isWaiting = true
    expect(after(9, it, watch).cuts).toBe(0)
    expect(after(1, it, watch).cuts).toBe(1)
  })

  it('is left alone once it is taken out', () => {
    const watch = watchPace(pace)
    const it = lineOf(0)
    watch.add(it.line)
    watch.remove(it.line)
    expect(after(60, it, watch).cuts).toBe(0)
  })

  it('that was quick has credit, but where each wait is judged alone', () => {
    for (const [isRenewed, cuts] of [
      [undefined, 0],
      [true, 1],
    ] as const) {
      const watch = watchPace({ ...pace, ...(isRenewed ? { isRenewed } : {}) })
      const it = lineOf(1_000_000)
      watch.add(it.line)
      after(10, it, watch)
      it.state.bytesPerS = 0
      expect(after(10, it, watch).cuts).toBe(cuts)
    }
  })
})
