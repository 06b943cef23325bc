// Reads the frame header of a JPEG: size, components, sampling factors (ITU-T T.81 B.2.2).

import { broken, unsupported } from '../../refusal.ts'
import { checkCanvas, checkDecodeMemory } from './size-limits.ts'

export interface Frame {
  isProgressive: boolean
  widthPx: number
  heightPx: number
  components: number
  /** Samples of all components for one pixel: 3 for 4:4:4, 1.5 for 4:2:0. */
  samplesPerPixel: number
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
    return { h: factor >> 4, v: factor & 15 }
  })
  if (factors.some(({ h, v }) => h < 1 || h > 4 || v < 1 || v > 4))
    throw broken('the JPEG has impossible sampling factors')
  const largest = Math.max(...factors.map(({ h }) => h)) * Math.max(...factors.map(({ v }) => v))
  const samplesPerPixel = factors.reduce((sum, { h, v }) => sum + h * v, 0) / largest
  return { isProgressive: marker === 0xc2, widthPx, heightPx, components, samplesPerPixel }
}

/** The number of components in a scan (ITU-T T.81 B.2.3). @throws {ImageRefused} broken: a wrong length */
export function scanComponents(body: Buffer): number {
  const components = body.readUInt8(0)
  if (body.length !== 4 + 2 * components) throw broken('a scan of the JPEG has a header of a wrong length')
  return components
}

/** Whether later scans add to the image. If not, libjpeg reads the first scan only. */
export const hasManyScans = (frame: Frame, componentsInFirstScan: number) =>
  frame.isProgressive || componentsInFirstScan < frame.components

/** For a JPEG of many scans libjpeg holds all coefficients, two bytes each. */
export function checkHeldByDecoder({ widthPx, heightPx, samplesPerPixel }: Frame): void {
  checkDecodeMemory(widthPx * heightPx * samplesPerPixel * 2, 'a progressive JPEG')
}
