// Who makes us wait, and for how long: counts the time in which a line waits for its client, and the bytes that come of it.

export interface Pace {
  /** Bytes a second, on average. */
  leastBytesPerS: number
  /** Time spent waiting for the client before anything is asked of it. */
  graceMs: number
  /** Each `graceMs` of waiting is judged alone. Else the average counts from the first byte: what came early is credit. */
  isRenewed?: true
}

export interface Line {
  /** Bytes that have moved since the line is there. */
  movedBytes(): number
  /** Whether it is the client for whom this line waits now, and not us. */
  isWaiting(): boolean
  /** Whether nothing can move on it any more: it is taken out at the next look. */
  isGone(): boolean
  /** Called at each look for as long as the line is too slow; whoever cuts it off takes it out as well. */
  onTooSlow(): void
}

/** Lines under watch. `look` is called by a clock, with the milliseconds since the last look. */
export function watchPace({ leastBytesPerS, graceMs, isRenewed }: Pace) {
  const watched = new Map<Line, { fromBytes: number; waitedMs: number }>()
  return {
    add: (line: Line) => void watched.set(line, { fromBytes: line.movedBytes(), waitedMs: 0 }),
    remove: (line: Line) => void watched.delete(line),
    count: () => watched.size,

    look(elapsedMs: number) {
      for (const [line, since] of watched) {
        if (line.isGone()) {
          watched.delete(line)
          continue
        }
        if (!line.isWaiting()) continue
        since.waitedMs += elapsedMs
        if (since.waitedMs < graceMs) continue
        const movedBytes = line.movedBytes() - since.fromBytes
        if (movedBytes * 1000 < leastBytesPerS * since.waitedMs) line.onTooSlow()
        else if (isRenewed) watched.set(line, { fromBytes: line.movedBytes(), waitedMs: 0 })
      }
    },
  }
}
