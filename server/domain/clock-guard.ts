// Whether the wall clock can be trusted when it says that something is over. A dead battery or a wrong time server must not
// delete what people were promised to find.
import type { Deps } from './deps.ts'

const hourMs = 60 * 60 * 1000
/** Told to operators in docs/operate.md: against the monotonic clock since the last look, and against the stored time. */
const mostMovedMs = hourMs
const mostSinceStoredMs = 24 * hourMs
const agreesForMs = hourMs

/** Among the settings: the wall clock when it was last trusted, UTC milliseconds. Shared by the servers on one database. */
const storedAs = 'clock'

type Clocks = Pick<Deps, 'db' | 'now' | 'monotonicMs' | 'log'>

/**
 * Looks at the clocks of one process, again and again.
 * @returns the wall clock's time when it is trusted. null: it has moved more than an hour against the monotonic clock since the
 * last look, or is more than 24 hours away from the stored time (also after a server was off for so long), and the two have not
 * agreed for an hour since
 */
export function openClockGuard(deps: Clocks): () => Promise<number | null> {
  let last: { wall: number; monotonic: number } | undefined
  /** The stored time that was looked at already. */
  let seen: number | undefined
  /** By the monotonic clock. */
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

  // Jobs that begin in the same second share one look.
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
