// Checks that the wall clock is plausible before anything is deleted because it expired: a dead
// battery or a wrong time server must not delete images early.
import { findStoredValue, storeValue } from '../../db/stored-values.ts'
import type { Deps } from '../shared/deps.ts'

const hourMs = 60 * 60 * 1000
/** Tolerances (docs/operate.md): against the monotonic clock, and against the stored time. */
const maxMovedMs = hourMs
export const maxFromStoredMs = 24 * hourMs
const steadyMs = hourMs

/** Settings row with the last trusted time in UTC milliseconds, shared by all servers. */
const clockSetting = 'clock'

type ClockDeps = Pick<Deps, 'db' | 'now' | 'log'>

/**
 * Returns a function that checks the clocks of this process.
 * @param monotonicMs milliseconds since an arbitrary time
 * @returns the wall clock's time when it is trusted, else null: it has moved more than an hour
 * against the monotonic clock since the last check, or is more than 24 hours away from the stored
 * time (also after the server was off for that long), and the two have not agreed for an hour since
 */
export function openClockGuard(
  deps: ClockDeps,
  monotonicMs: () => number = () => performance.now(),
): () => Promise<number | null> {
  let last: { wall: number; monotonic: number } | undefined
  /** The stored time that was already compared. */
  let comparedTime: number | undefined
  /** In monotonic milliseconds. */
  let distrustedSince: number | undefined

  const distrust = (monotonic: number, movedMs: number) => {
    distrustedSince = monotonic
    const hours = Math.round(movedMs / hourMs)
    deps.log.warn(
      { movedMs },
      `The clock has moved by ${hours} hours: sweeps are paused until it has been steady for an hour`,
    )
  }

  const checkClocks = async () => {
    const [wall, monotonic] = [deps.now(), monotonicMs()]
    const movedMs = last === undefined ? 0 : wall - last.wall - (monotonic - last.monotonic)
    last = { wall, monotonic }
    if (Math.abs(movedMs) > maxMovedMs) distrust(monotonic, movedMs)

    const stored = await storedTime(deps)
    if (stored !== undefined && stored !== comparedTime && Math.abs(wall - stored) > maxFromStoredMs)
      distrust(monotonic, wall - stored)
    comparedTime = stored

    if (distrustedSince !== undefined && monotonic - distrustedSince < steadyMs) return null
    if (distrustedSince !== undefined) deps.log.info({}, 'The clock has been steady for an hour and is trusted again')
    distrustedSince = undefined
    await storeValue(deps.db, clockSetting, String(wall))
    comparedTime = wall
    return wall
  }

  // Jobs that start in the same second share one check.
  let underWay: Promise<number | null> | undefined
  return () => (underWay ??= checkClocks().finally(() => (underWay = undefined)))
}

/** The wall clock's time when a server last trusted it, in UTC milliseconds; undefined before the first time. */
export async function storedTime({ db }: Pick<Deps, 'db'>): Promise<number | undefined> {
  const stored = await findStoredValue(db, clockSetting)
  return stored === undefined ? undefined : Number(stored)
}
