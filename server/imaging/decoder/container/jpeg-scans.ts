// The scans of one JPEG, walked one after the other to where their data ends. What stands between there and the next marker
// is read by nobody.

import { broken } from '../../refusal.ts'
import { ScanBits } from './jpeg-bits.ts'
import { type Frame, hasManyScans } from './jpeg-frame.ts'
import { isMarker, nextRestart } from './jpeg-restarts.ts'
import type { Pass } from './jpeg-scan-data.ts'
import type { ScanHeader } from './jpeg-scan-header.ts'
import { ScanPlans } from './jpeg-scan-plans.ts'
import type { ScanTables } from './jpeg-tables.ts'

export interface Scan {
  header: ScanHeader
  tables: ScanTables
  /** Places in the file: of its marker, its coded data, the marker behind it. */
  start: number
  data: number
  end: number
}

export interface Gaps {
  /** In the file, two for each gap: where it starts, where it ends. A scan can have a million gaps. */
  places: number[]
  /**
   * Whether all bytes must stay, those of gaps blanked: libjpeg looks at codes less strictly where many bytes follow, and a
   * damaged picture that it has let pass would be refused without them.
   */
  mustStay: boolean
}

/** They are walked in one to five milliseconds. */
const unitsAtOnce = 8192

/**
 * The gaps of those scans that have any. Yields every few milliseconds.
 * @param mustBeWhole when no decoder is going to look. A picture of many scans must be so in any case: libjpeg has read them
 *   all, and complained, before it gives a row. Of a picture of one scan the last rows may be damaged or missing
 * @throws {ImageRefused} broken: a scan that libjpeg refuses; where it must be whole, one that is cut off or out of order
 */
export function* gapsIn(
  source: Buffer,
  frame: Frame,
  scans: readonly Scan[],
  mustBeWhole: boolean,
): Generator<undefined, Map<Scan, Gaps>> {
  const found = new Map<Scan, Gaps>()
  const plans = new ScanPlans(frame)
  const turn = { left: unitsAtOnce }
  const isStrict = mustBeWhole || (scans[0] !== undefined && hasManyScans(frame, scans[0].header))
  for (const scan of scans) {
    const plan = plans.of(scan.header, scan.tables)
    if (!plan) throw broken('a scan of the JPEG cannot be decoded')
    const gaps = yield* walk(source, scan, plan, isStrict, turn)
    if (gaps.places.length > 0) found.set(scan, gaps)
  }
  return found
}

/** Header and data of a scan without what stands in its gaps. */
export function withoutGaps(source: Buffer, scan: Scan, gaps?: Gaps): Buffer {
  const whole = source.subarray(scan.start, scan.end)
  if (!gaps) return whole
  const kept = Buffer.from(whole)
  let [from, length] = [scan.start, 0]
  for (let i = 0; i < gaps.places.length; i += 2) {
    const [start, end] = [gaps.places[i] as number, gaps.places[i + 1] as number]
    // Where a marker ended the data, a marker must end it: bytes 0xff lead to the next one.
    if (gaps.mustStay) kept.fill(isMarker(source, start) ? 0xff : 0, start - scan.start, end - scan.start)
    else length += source.copy(kept, length, from, start)
    from = end
  }
  if (gaps.mustStay) return kept
  length += source.copy(kept, length, from, scan.end)
  return kept.subarray(0, length)
}

/** A scan is so many units, MCUs or blocks, and `pass` passes the next ones. */
export interface ScanPlan {
  units: number
  pass: Pass
  /** Behind a restart marker. */
  restart: () => void
}

/** @param turn how many units there are left to the next yield, of all scans: their intervals can be short */
function* walk(
  source: Buffer,
  scan: Scan,
  plan: ScanPlan,
  isStrict: boolean,
  turn: { left: number },
): Generator<undefined, Gaps> {
  const bits = new ScanBits(source, scan.end - scan.data)
  const places: number[] = []
  const { restartEvery } = scan.tables
  let start = scan.data
  for (let left = plan.units, interval = 0; ;) {
    bits.from(start)
    const units = Math.min(left, restartEvery || left)
    for (let done = 0; done < units && !bits.isOver;) {
      const some = Math.min(turn.left, units - done)
      plan.pass(bits, some)
      done += some
      turn.left -= some
      if (turn.left > 0) continue
      yield
      turn.left = unitsAtOnce
    }
    left -= units
    const restart = left > 0 ? nextRestart(source, bits.marker, scan.end, interval) : undefined
    if (isStrict) {
      const isExpected = left === 0 || source[bits.marker + 1] === 0xd0 + (interval & 7)
      if (bits.isOver || !isExpected) throw broken('a scan of the JPEG is cut off or out of order')
    }
    if (restart) left -= restart.empty * restartEvery
    const isLast = !restart || left <= 0
    const next = isLast ? scan.end : restart.at
    const { end } = bits
    if (end < next) places.push(end, next)
    if (isLast) return { places, mustStay: bits.isDamaged }
    interval += 1 + restart.empty
    plan.restart()
    start = restart.at + 2
  }
}
