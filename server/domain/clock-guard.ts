// Checks that the wall clock is plausible before anything is deleted because it expired: a dead
// battery or a wrong time server must not delete images early.
import type { Deps } from './deps.ts'

const hourMs = 60 * 60 * 1000
/**
 * Tolerances, documented in docs/operate.md: against the monotonic clock since the last check, and
 * against the stored time.
 */
const mostMovedMs = hourMs
const mostSinceStoredMs = 24 * hourMs
const agreesForMs = hourMs

/**
 * Settings row with the last trusted wall clock time in UTC milliseconds. Shared by all servers of
 * a database.
 */
const storedAs = 'clock'

type Clocks = Pick<Deps, 'db' | 'now' | 'monotonicMs' | 'log'>

/**
 * Returns a function that checks the clocks of this process.
 * @returns the wall clock's time when it is trusted, else null: it has moved more than an hour
 * against the monotonic clock since the last check, or is more than 24 hours away from the stored
 * time (also after the server was off for that long), and the two have not agreed for an hour since
 */
export function openClockGuard(deps: Clocks): () => Promise<number | null> {
  let last: { wall: number; monotonic: number } | undefined
  /** The stored time that was already compared. */
  let seen: number | undefined
  /** In monotonic milliseconds. */
  let doubtedSince: number | undefined

  const doubt = (monotonic: number, movedMs: number) => {
    doubtedSince = monotonic
    const hours = Math.round(movedMs / hourMs)
    deps.log.warn(
      { movedMs },
      `The clock has moved by ${hours} hours: nothing is swept until it was steady for an hour`,
    )
  }

  const look = async () => {
    const [wall, monotonic] = [deps.now(), deps.monotonicMs()]
    const movedMs = last === undefined ? 0 : wall - last.wall - (monotonic - last.monotonic)
    last = { wall, monotonic }
    if (Math.abs(movedMs) > mostMovedMs) doubt(monotonic, movedMs)

    const stored = await storedTime(deps)
    if (stored !== undefined && stored !== seen && Math.abs(wall - stored) > mostSinceStoredMs)
      doubt(monotonic, wall - stored)
    seen = stored

    if (doubtedSince !== undefined && monotonic - doubtedSince < agreesForMs) return null
    if (doubtedSince !== undefined) deps.log.info({}, 'The clock was steady for an hour and is trusted again')
    doubtedSince = undefined
    await storeTime(deps, wall)
    seen = wall
    return wall
  }

  // Jobs that start in the same second share one check.
  let underWay: Promise<number | null> | undefined
  return () => (underWay ??= look().finally(() => (underWay = undefined)))
}

async function storedTime({ db }: Clocks): Promise<number | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', storedAs).executeTakeFirst()
  return row === undefined ? undefined : Number(row.value)
}

async function storeTime({ db }: Clocks, wall: number): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name: storedAs, value: String(wall) })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: String(wall) }))
    .execute()
}
