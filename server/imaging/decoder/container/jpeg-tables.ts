// The tables of a JPEG that a decoder looks at (ITU-T T.81 B.2.4). Tables that no scan names, that are replaced before one does,
// or that stand behind the last scan can hold anything.

import { broken } from '../../refusal.ts'
import { type Component, componentsOf, type Frame } from './jpeg-frame.ts'
import type { ScanHeader } from './jpeg-scan-header.ts'
import { standardTables } from './jpeg-standard-tables.ts'

interface Table {
  bytes: Buffer
  isUsed: boolean
}

export interface ScanTables {
  /** In MCUs; 0 for never. */
  restartEvery: number
  /** Of each of its components, as DHT has them: those that it reads, where there are any. */
  codes: { dc: Buffer | undefined; ac: Buffer | undefined }[]
}

const [dht, dqt, dri] = [0xc4, 0xdb, 0xdd]
export const isTable = (marker: number) => marker === dht || marker === dqt || marker === dri

export class JpegTables {
  /** What is in force, by kind and number. */
  private readonly current = new Map<string, Table>()
  private readonly quantised = new Set<Component>()

  /** @returns what of the segment is to be copied, asked when the last scan has been read; undefined for nothing */
  define(marker: number, body: Buffer, whole: Buffer): () => Buffer | undefined {
    const tables: Table[] = []
    for (const [key, bytes] of tablesIn(marker, body)) {
      const table = { bytes, isUsed: false }
      this.current.set(key, table)
      tables.push(table)
    }
    return () => {
      const used = tables.filter(({ isUsed }) => isUsed)
      if (used.length === tables.length) return used.length > 0 ? whole : undefined
      return used.length > 0 ? segment(marker, Buffer.concat(used.map(({ bytes }) => bytes))) : undefined
    }
  }

  /** @returns what the scan is decoded with */
  use(scan: ScanHeader, frame: Frame): ScanTables {
    const restart = this.mark('restart')
    // libjpeg takes a component's quantisation from before its first scan and stays with it.
    for (const component of componentsOf(frame, scan)) {
      if (component && !this.quantised.has(component)) this.mark(`quantisation ${component.quantisation}`)
      if (component) this.quantised.add(component)
    }
    const { isProgressive } = frame
    const codes = scan.components.map(({ dc, ac }) => {
      return {
        dc: !isProgressive || (scan.first === 0 && scan.knownBits === 0) ? this.codes(dc) : undefined,
        ac: !isProgressive || scan.first > 0 ? this.codes(16 + ac) : undefined,
      }
    })
    return { restartEvery: restart?.readUInt16BE(0) ?? 0, codes }
  }

  private codes(number: number): Buffer | undefined {
    const key = `huffman ${number}`
    return this.mark(key) ?? standardTables.get(key)
  }

  private mark(key: string): Buffer | undefined {
    const table = this.current.get(key)
    if (table) table.isUsed = true
    return table?.bytes
  }
}

function* tablesIn(marker: number, body: Buffer): Generator<[key: string, bytes: Buffer]> {
  if (marker === dri && body.length !== 2) throw broken('the restart interval of the JPEG has a wrong length')
  for (let at = 0; at < body.length;) {
    const head = body.readUInt8(at)
    const end = at + lengthOf(marker, head, body, at)
    if (end > body.length) throw broken('a table of the JPEG is longer than its segment')
    const key =
      marker === dri ? 'restart' : `${marker === dht ? 'huffman' : 'quantisation'} ${head & (marker === dht ? 31 : 15)}`
    yield [key, body.subarray(at, end)]
    at = end
  }
}

function lengthOf(marker: number, head: number, body: Buffer, at: number): number {
  if (marker === dri) return 2
  if (marker === dqt) return head >> 4 === 0 ? 65 : 129
  let symbols = 0
  for (let i = 1; i <= 16; i++) symbols += body.readUInt8(at + i)
  return 17 + symbols
}

/** A segment with its marker and length. */
export function segment(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}
