// Reads and writes only the orientation of EXIF.

const orientationTag = 0x0112
const shortType = 3
const prefix = Buffer.from('Exif\0\0', 'latin1')

/** The orientation (1 to 8) of an EXIF block, with or without its "Exif" prefix; 1 when it is missing or invalid. */
export function readOrientation(exif: Buffer): number {
  const tiff = exif.subarray(0, prefix.length).equals(prefix) ? exif.subarray(prefix.length) : exif
  if (tiff.length < 14) return 1
  const order = tiff.toString('latin1', 0, 2)
  if (order !== 'II' && order !== 'MM') return 1
  const isLittle = order === 'II'
  const u16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (u16(2) !== 42 || directory + 2 > tiff.length) return 1
  const entries = Math.min(u16(directory), Math.floor((tiff.length - directory - 2) / 12))
  for (let i = 0; i < entries; i++) {
    const entry = directory + 2 + i * 12
    if (u16(entry) !== orientationTag) continue
    const value = u16(entry + 2) === shortType ? u16(entry + 8) : 1
    return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}

/** A TIFF block of 26 bytes with only the orientation, big-endian. */
export function orientationTiff(orientation: number): Buffer {
  const tiff = Buffer.alloc(26)
  tiff.write('MM', 0, 'latin1')
  tiff.writeUInt16BE(42, 2)
  tiff.writeUInt32BE(8, 4)
  tiff.writeUInt16BE(1, 8)
  tiff.writeUInt16BE(orientationTag, 10)
  tiff.writeUInt16BE(shortType, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(orientation, 18)
  return tiff
}

/** The same with the "Exif" prefix of JPEG's APP1. */
export const orientationExif = (orientation: number) => Buffer.concat([prefix, orientationTiff(orientation)])
