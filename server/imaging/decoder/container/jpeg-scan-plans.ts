// What each scan of a JPEG consists of: which blocks, in which order, by which codes (ITU-T T.81 A.2 and G.1). Holds what the
// scans of a progressive picture know of each other.

import { type Codes, codesOf } from './jpeg-codes.ts'
import { type Component, componentsOf, type Frame } from './jpeg-frame.ts'
import { acFirst, acRefined, dcFirst, dcRefined, type NonZero, type Pass, sequential } from './jpeg-scan-data.ts'
import type { ScanHeader } from './jpeg-scan-header.ts'
import type { ScanPlan } from './jpeg-scans.ts'
import type { ScanTables } from './jpeg-tables.ts'

type ComponentCodes = { dc: Codes | undefined; ac: Codes | undefined }

export class ScanPlans {
  private readonly frame: Frame
  private readonly nonZero = new Map<Component, NonZero>()
  /** By their table, which a picture with many scans can name in each. */
  private readonly codes = new Map<Buffer, Codes | undefined>()

  constructor(frame: Frame) {
    this.frame = frame
  }

  /** undefined for a scan that libjpeg refuses. */
  of(header: ScanHeader, tables: ScanTables): ScanPlan | undefined {
    const components = named(this.frame, header)
    const [only] = components ?? []
    if (!components || !only) return undefined
    const codes = tables.codes.map(({ dc, ac }) => ({ dc: this.codesOf(dc), ac: this.codesOf(ac) }))
    const units = components.length === 1 ? blocksOf(this.frame, only) : mcusOf(this.frame)
    // An MCU of one component is a block, whatever its factors.
    const perMcu = components.map(({ h, v }) => (components.length === 1 ? 1 : h * v))
    if (this.frame.isProgressive && header.first > 0) {
      return components.length === 1 ? this.band(header, only, codes[0]?.ac, units) : undefined
    }
    const pass = this.frame.isProgressive ? dcPass(header, codes, perMcu) : sequentialPass(codes, perMcu)
    return pass && { units, pass, restart() {} }
  }

  private band(
    header: ScanHeader,
    component: Component,
    codes: Codes | undefined,
    units: number,
  ): ScanPlan | undefined {
    if (!codes || header.last < header.first || header.last > 63) return undefined
    const nonZero = this.nonZero.get(component) ?? new Int32Array(2 * units)
    this.nonZero.set(component, nonZero)
    const place = { block: 0, empty: 0 }
    const band = { ...header, codes, nonZero }
    const pass = header.knownBits === 0 ? acFirst(band, place) : acRefined(band, place)
    return { units, pass, restart: () => (place.empty = 0) }
  }

  private codesOf(table: Buffer | undefined): Codes | undefined {
    if (!table) return undefined
    if (!this.codes.has(table)) this.codes.set(table, codesOf(table))
    return this.codes.get(table)
  }
}

/** Each its own. */
function named(frame: Frame, header: ScanHeader): Component[] | undefined {
  const found = componentsOf(frame, header)
  const whole = found.filter((one) => one !== undefined)
  return whole.length === found.length && new Set(whole).size === whole.length ? whole : undefined
}

const largest = ({ components }: Frame, side: 'h' | 'v') => Math.max(...components.map((one) => one[side]))

const mcusOf = (frame: Frame) =>
  Math.ceil(frame.widthPx / (8 * largest(frame, 'h'))) * Math.ceil(frame.heightPx / (8 * largest(frame, 'v')))

/** Without the blocks that fill up an MCU: where a component stands alone, they are not there. */
const blocksOf = (frame: Frame, { h, v }: Component) =>
  Math.ceil((frame.widthPx * h) / (8 * largest(frame, 'h'))) *
  Math.ceil((frame.heightPx * v) / (8 * largest(frame, 'v')))

function sequentialPass(codes: readonly ComponentCodes[], perMcu: readonly number[]): Pass | undefined {
  const blocks = codes.flatMap(({ dc, ac }, i) =>
    dc && ac ? Array.from({ length: perMcu[i] ?? 0 }, () => ({ dc, ac })) : [],
  )
  return blocks.length === sum(perMcu) ? sequential(blocks) : undefined
}

function dcPass(header: ScanHeader, codes: readonly ComponentCodes[], perMcu: readonly number[]): Pass | undefined {
  if (header.knownBits > 0) return dcRefined(sum(perMcu))
  const blocks = codes.flatMap(({ dc }, i) => (dc ? Array.from({ length: perMcu[i] ?? 0 }, () => dc) : []))
  return blocks.length === sum(perMcu) ? dcFirst(blocks) : undefined
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
