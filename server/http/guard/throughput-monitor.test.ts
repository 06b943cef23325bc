import { describe, expect, it } from 'vitest'
import { createThroughputMonitor, type ThroughputMonitor, type Transfer } from './throughput-monitor.ts'
import type { MinimumThroughput } from './slow-client-limits.ts'

const minimum: MinimumThroughput = { minBytesPerS: 1024, graceMs: 10_000 }

/** A transfer whose client moves so many bytes in each second of waiting. */
function transferOf(bytesPerS: number) {
  const state = { moved: 5000, isWaiting: true, isClosed: false, reports: 0, bytesPerS }
  const transfer: Transfer = {
    movedBytes: () => state.moved,
    isWaiting: () => state.isWaiting,
    isClosed: () => state.isClosed,
    onTooSlow: () => void state.reports++,
  }
  return { transfer, state }
}

function after(seconds: number, { transfer, state }: ReturnType<typeof transferOf>, monitor: ThroughputMonitor) {
  for (let s = 0; s < seconds; s++) {
    if (state.isWaiting) state.moved += state.bytesPerS
    monitor.check(1000)
  }
  return { ...state, transfer }
}

describe('a transfer', () => {
  it.each([
    ['at 1 KB/s passes', 1024, 60, false],
    ['a little slower is reported after ten seconds', 1023, 10, true],
    ['of 10 bytes a second is not reported before ten seconds', 10, 9, false],
    ['of 10 bytes a second is reported after ten seconds', 10, 10, true],
    ['without any bytes is reported', 0, 10, true],
  ])('%s', (_, bytesPerS, seconds, isReported) => {
    const monitor = createThroughputMonitor(minimum)
    const it = transferOf(bytesPerS)
    monitor.add(it.transfer)
    expect(after(seconds, it, monitor).reports > 0).toBe(isReported)
  })

  it.each([
    ['with a limit of all waiting is reported after it, whatever its throughput', 60_000, 61, true],
    ['is not reported before that limit', 60_000, 60, false],
    ['without that limit may take any time', undefined, 100_000, false],
  ])('%s', (_, maxWaitMs, seconds, isReported) => {
    const monitor = createThroughputMonitor({ ...minimum, maxWaitMs })
    const it = transferOf(2000)
    monitor.add(it.transfer)
    expect(after(seconds, it, monitor).reports > 0).toBe(isReported)
  })

  it('that is closed is removed', () => {
    const monitor = createThroughputMonitor(minimum)
    const { transfer, state } = transferOf(0)
    monitor.add(transfer)
    state.isClosed = true
    state.isWaiting = false
    monitor.check(1000)
    expect(monitor.count()).toBe(0)
  })

  it('is not judged by time in which it waits for the server', () => {
    const monitor = createThroughputMonitor(minimum)
    const it = transferOf(0)
    it.state.isWaiting = false
    monitor.add(it.transfer)
    expect(after(1000, it, monitor).reports).toBe(0)
    it.state.isWaiting = true
    expect(after(9, it, monitor).reports).toBe(0)
    expect(after(1, it, monitor).reports).toBe(1)
  })

  it('is not judged after it was removed', () => {
    const monitor = createThroughputMonitor(minimum)
    const it = transferOf(0)
    monitor.add(it.transfer)
    monitor.remove(it.transfer)
    expect(after(60, it, monitor).reports).toBe(0)
  })

  it('has credit for early bytes, except where each period is judged alone', () => {
    for (const [isPerPeriod, reports] of [
      [undefined, 0],
      [true, 1],
    ] as const) {
      const monitor = createThroughputMonitor({ ...minimum, ...(isPerPeriod ? { isPerPeriod } : {}) })
      const it = transferOf(1_000_000)
      monitor.add(it.transfer)
      after(10, it, monitor)
      it.state.bytesPerS = 0
      expect(after(10, it, monitor).reports).toBe(reports)
    }
  })
})
