// The header of a JPEG's frame: its size, its components, how they are sampled (ITU-T T.81 B.2.2).

import { broken, unsupported } from '../../refusal.ts'
import { checkCanvas, checkHeld } from './bounds.ts'
import type { ScanHeader } from './jpeg-scan-header.ts'

export interface Frame {
  isProgressive: boolean
  widthPx: number
  heightPx: number
  /** In the order of the header. */
  components: Component[]
  /** Samples of all components for one pixel: 3 for 4:4:4, 1.5 for 4:2:0. */
  samplesPerPixel: number
}

export interface Component {
  /** Need not be its own: libjpeg goes by places too. */
  name: number
  h: number
  v: number
  /** The number of its table. */
  quantisation: number
}

export function readFrame(marker: number, body: Buffer): Frame {
  const precision = body.readUInt8(0)
  const heightPx = body.readUInt16BE(1)
  const widthPx = body.readUInt16BE(3)
  const components = body.readUInt8(5)
  if (precision !== 8) throw unsupported(`a JPEG of ${precision} bits a sample is not supported`)
  if (components !== 1 && components !== 3 && components !== 4) {
    throw unsupported(`a JPEG of ${components} colour components is not supported`)
  }
  if (body.length !== 6 + 3 * components) throw broken('the frame header of the JPEG has a wrong length')
  checkCanvas(widthPx, heightPx)
  const factors = Array.from({ length: components }, (_, i) => {
    const factor = body.readUInt8(7 + 3 * i)
    return {
      name: body.readUInt8(6 + 3 * i),
      h: factor >> 4,
      v: factor & 15,
      quantisation: body.readUInt8(8 + 3 * i),
    }
  })
  if (factors.some(({ h, v }) => h < 1 || h > 4 || v < 1 || v > 4))
    throw broken('the JPEG has impossible sampling factors')
  const largest = Math.max(...factors.map(({ h }) => h)) * Math.max(...factors.map(({ v }) => v))
  const samplesPerPixel = factors.reduce((sum, { h, v }) => sum + h * v, 0) / largest
  return { isProgressive: marker === 0xc2, widthPx, heightPx, components: factors, samplesPerPixel }
}

/** Of each name in a scan, the component in its place or behind it: libjpeg takes no other order. */
export const componentsOf = ({ components }: Frame, scan: ScanHeader): (Component | undefined)[] =>
  scan.components.map(({ name }, i) => components.slice(i).find((one) => one.name === name))

/** Whether one scan after the other adds to the picture. Else its first scan is all that libjpeg reads. */
export const hasManyScans = (frame: Frame, firstScan: ScanHeader) =>
  frame.isProgressive || firstScan.components.length < frame.components.length

/** libjpeg holds all coefficients, two bytes each, when a picture has many scans. */
export function checkHeldByDecoder(frame: Frame, firstScan: ScanHeader): void {
  if (!hasManyScans(frame, firstScan)) return
  checkHeld(frame.widthPx * frame.heightPx * frame.samplesPerPixel * 2, 'a progressive JPEG')
}
