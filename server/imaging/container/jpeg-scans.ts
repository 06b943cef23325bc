// The scans of one JPEG, walked one after the other to where their data ends. What stands between there and the next marker
// is read by nobody.

import { ScanBits } from './jpeg-bits.ts'
import type { Frame } from './jpeg-frame.ts'
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
   * Whether they must stay, as zeros: libjpeg looks at codes less strictly where many bytes follow, and a damaged picture that
   * it has let pass would be refused without them.
   */
  mustStay: boolean
}

/** They are walked in one to five milliseconds. */
const unitsAtOnce = 8192

/**
 * The gaps of those scans that have any. Ends at the first scan that it does not understand or that is too short: the decoder
 * will say what it thinks of that. Yields every few milliseconds.
 */
export function* gapsIn(source: Buffer, frame: Frame, scans: readonly Scan[]): Generator<undefined, Map<Scan, Gaps>> {
  const found = new Map<Scan, Gaps>()
  const plans = new ScanPlans(frame)
  for (const scan of scans) {
    const gaps: Gaps = { places: [], mustStay: false }
    const plan = plans.of(scan.header, scan.tables)
    const isWhole = plan && (yield* walk(source, scan, plan, gaps))
    if (gaps.places.length > 0) found.set(scan, gaps)
    if (!isWhole) break
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
    if (gaps.mustStay) kept.fill(0, start - scan.start, end - scan.start)
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

/** @returns whether the scan was there to its last block; `gaps` has its own then, and else those of its first intervals */
function* walk(source: Buffer, scan: Scan, plan: ScanPlan, gaps: Gaps): Generator<undefined, boolean> {
  const bits = new ScanBits(source, scan.end - scan.data)
  let start = scan.data
  for (let left = plan.units, interval = 0; ; interval++) {
    bits.from(start)
    const units = Math.min(left, scan.tables.restartEvery || left)
    for (let done = 0; done < units; done += unitsAtOnce) {
      plan.pass(bits, Math.min(unitsAtOnce, units - done))
      if (bits.isOver) return false
      yield
    }
    left -= units
    const marker = left > 0 ? bits.marker : scan.end
    const { end } = bits
    if (end < marker) gaps.places.push(end, marker)
    gaps.mustStay ||= bits.isDamaged
    if (left === 0) return true
    if (marker >= scan.end || source[marker + 1] !== 0xd0 + (interval & 7)) return false
    plan.restart()
    start = marker + 2
  }
}
