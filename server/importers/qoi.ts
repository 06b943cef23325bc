// Converts QOI (https://qoiformat.org) to PNG, both lossless.
import { crc32, deflateSync } from 'node:zlib'
import { limits } from '../../contract/plain/limits.ts'
import { SourceProblem } from './source-types.ts'

const headerBytes = 14
/** Of one byte: QOI_OP_RUN. */
const maxRunPixels = 62

/** @throws {SourceProblem} */
export function qoiToPng(qoi: Buffer): Buffer {
  if (qoi.length < headerBytes || qoi.toString('latin1', 0, 4) !== 'qoif') throw new SourceProblem('it is no QOI file')
  const [width, height, channels] = [qoi.readUInt32BE(4), qoi.readUInt32BE(8), qoi[12] === 3 ? 3 : 4] as const
  if (width === 0 || height === 0 || width * height > limits.image.maxPixels)
    throw new SourceProblem(`it has ${width} × ${height} pixels`)
  if (width * height > qoi.length * maxRunPixels) throw new SourceProblem('it is incomplete')
  return writePng(decode(qoi, width, height, channels), width, height, channels)
}

/** Returns PNG's rows: a filter byte of 1, then the differences to the pixel on the left (PNG, section 9.2). */
function decode(qoi: Buffer, width: number, height: number, channels: 3 | 4): Buffer {
  const rows = Buffer.alloc(height * (1 + width * channels))
  const seen = new Uint8Array(64 * 4)
  let [red, green, blue, alpha] = [0, 0, 0, 255]
  let [run, at, to] = [0, headerBytes, 0]
  const next = () => qoi[at++] ?? 0
  for (let y = 0; y < height; y++) {
    const start = to
    rows[to++] = 1
    for (let x = 0; x < width; x++) {
      if (run > 0) run--
      else if (at < qoi.length) {
        const byte = next()
        if (byte === 0xfe || byte === 0xff) {
          red = next()
          green = next()
          blue = next()
          if (byte === 0xff) alpha = next()
        } else if (byte >> 6 === 0) {
          const index = byte * 4
          red = seen[index] ?? 0
          green = seen[index + 1] ?? 0
          blue = seen[index + 2] ?? 0
          alpha = seen[index + 3] ?? 0
        } else if (byte >> 6 === 1) {
          red = (red + ((byte >> 4) & 3) - 2) & 255
          green = (green + ((byte >> 2) & 3) - 2) & 255
          blue = (blue + (byte & 3) - 2) & 255
        } else if (byte >> 6 === 2) {
          const greenDiff = (byte & 63) - 32
          const diffs = next()
          red = (red + greenDiff - 8 + (diffs >> 4)) & 255
          green = (green + greenDiff) & 255
          blue = (blue + greenDiff - 8 + (diffs & 15)) & 255
        } else run = byte & 63
        const index = ((red * 3 + green * 5 + blue * 7 + alpha * 11) % 64) * 4
        seen[index] = red
        seen[index + 1] = green
        seen[index + 2] = blue
        seen[index + 3] = alpha
      }
      rows[to++] = red
      rows[to++] = green
      rows[to++] = blue
      if (channels === 4) rows[to++] = alpha
    }
    for (let n = to - 1; n > start + channels; n--) rows[n] = (rows[n] ?? 0) - (rows[n - channels] ?? 0)
  }
  return rows
}

function writePng(rows: Buffer, width: number, height: number, channels: 3 | 4): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8 bits a channel; colour type 2 is RGB, 6 is RGBA (PNG, section 11.2.1).
  header.set([8, channels === 3 ? 2 : 6], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(data.length, 0)
  body.copy(whole, 4)
  whole.writeUInt32BE(crc32(body), body.length + 4)
  return whole
}
