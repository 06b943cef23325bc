// The bits of a scan, from one marker to the next, without the bytes that are stuffed into them (ITU-T T.81 F.1.2.3).

import { type Codes, shortBits } from './jpeg-codes.ts'

/** What an MCU can take beyond the end before anybody looks: ten blocks of 64 codes, each with 32 bits at most. */
const slackBytes = 2560 + 4

export class ScanBits {
  private readonly source: Buffer
  /** The bytes from one marker to the next, unstuffed, and behind them whatever was there. */
  private readonly data: Uint8Array
  private dataBytes = 0
  /** In bits. */
  private at = 0
  private start = 0
  /** Where in the file the data is over, and behind it, behind what fills up: where the next marker stands. */
  private dataEnd = 0
  marker = 0
  /** Whether a code came that is none, before the data was over. */
  isDamaged = false

  /** @param longest how many bytes there may be up to the next marker. One must come, wherever it is begun */
  constructor(source: Buffer, longest: number) {
    this.source = source
    this.data = new Uint8Array(longest + slackBytes)
  }

  /** Begins at a place in the file, as behind a restart marker. */
  from(start: number): void {
    const { source, data } = this
    this.start = start
    this.at = 0
    let length = 0
    // A byte at a time: 10 MB that need it most take 40 ms, and common data not more than by the long runs between.
    for (let at = start; ;) {
      const byte = source[at++] as number
      if (byte !== 0xff) {
        data[length++] = byte
        continue
      }
      const first = at - 1
      while (source[at] === 0xff) at++
      if (source[at] !== 0) {
        this.dataEnd = first
        this.marker = at - 1
        break
      }
      data[length++] = 0xff
      at++
    }
    this.dataBytes = length
  }

  /** Whether more was read than there is. libjpeg reads on in zeros, too, but complains. */
  get isOver(): boolean {
    return this.at > this.dataBytes * 8
  }

  /**
   * Where in the file that begins which has not been touched, not beyond the data: the last bits of a byte begun stay as
   * they are.
   */
  get end(): number {
    const { source, start } = this
    let end = this.dataEnd
    for (let left = this.dataBytes - ((this.at + 7) >> 3); left > 0; left--) {
      end -= source[end - 1] === 0 && source[end - 2] === 0xff ? 2 : 1
      while (end > start && source[end - 1] === 0xff) end--
    }
    return end
  }

  /** The symbol of the next code; of a code that is none, 0, as libjpeg has it. */
  symbol(codes: Codes): number {
    const found = codes.short[this.next(shortBits)] as number
    if (found === 0) return this.longSymbol(codes)
    this.at += found >> 8
    return found & 255
  }

  /** The symbol of the next code, and past as many bits as its lower half says: most codes announce a value. */
  symbolAndValue(codes: Codes): number {
    const symbol = this.symbol(codes)
    this.at += symbol & 15
    return symbol
  }

  /** @param count 0 to 16 */
  take(count: number): number {
    const value = this.next(count)
    this.at += count
    return value
  }

  skip(count: number): void {
    this.at += count
  }

  private longSymbol(codes: Codes): number {
    for (let length = shortBits + 1; length <= 16; length++) {
      const code = this.next(length)
      if (code > (codes.largest[length] as number)) continue
      this.at += length
      return codes.symbols[code + (codes.offset[length] as number)] ?? 0
    }
    this.at += 17
    if (!this.isOver) this.isDamaged = true
    return 0
  }

  /** @param count 0 to 17: with those before them in their byte they are no more than 24 */
  private next(count: number): number {
    const { data, at } = this
    const i = at >> 3
    const three = ((data[i] as number) << 16) | ((data[i + 1] as number) << 8) | (data[i + 2] as number)
    return (three >>> (24 - count - (at & 7))) & ((1 << count) - 1)
  }
}
