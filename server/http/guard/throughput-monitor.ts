// Finds slow clients: measures how long a transfer waits for its client and how much it moves.
import type { MinimumThroughput } from './slow-client-limits.ts'

/** A request body or a response in transfer. */
export interface Transfer {
  /** Bytes moved since the connection was opened. */
  movedBytes(): number
  /** Whether it waits for the client now, and not for the server. */
  isWaiting(): boolean
  /** Whether nothing can move any more: the next check removes it. */
  isClosed(): boolean
  /** Called by each check as long as the transfer is too slow. */
  onTooSlow(): void
}

export type ThroughputMonitor = ReturnType<typeof createThroughputMonitor>

export function createThroughputMonitor({
  minBytesPerS,
  graceMs,
  isPerPeriod,
  maxWaitMs = Infinity,
}: MinimumThroughput) {
  const transfers = new Map<Transfer, { fromBytes: number; waitedMs: number }>()
  const add = (transfer: Transfer) => void transfers.set(transfer, { fromBytes: transfer.movedBytes(), waitedMs: 0 })
  return {
    add,
    remove: (transfer: Transfer) => void transfers.delete(transfer),
    count: () => transfers.size,

    /** @param elapsedMs since the last check */
    check(elapsedMs: number) {
      for (const [transfer, period] of transfers) {
        if (transfer.isClosed()) {
          transfers.delete(transfer)
          continue
        }
        if (!transfer.isWaiting()) continue
        period.waitedMs += elapsedMs
        if (period.waitedMs < graceMs) continue
        const movedBytes = transfer.movedBytes() - period.fromBytes
        if (movedBytes * 1000 < minBytesPerS * period.waitedMs || period.waitedMs > maxWaitMs) transfer.onTooSlow()
        else if (isPerPeriod) add(transfer)
      }
    },
  }
}
