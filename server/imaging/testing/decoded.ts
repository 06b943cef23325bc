// Compares the pixels of two files.

import { createHash } from 'node:crypto'
import sharp from 'sharp'

/** Every pixel of every frame as stored, without orientation or colour conversion, and the metadata needed to read them. */
export async function decoded(file: Buffer) {
  const { data, info } = await sharp(file, { animated: true, failOn: 'none', ignoreIcc: true })
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true })
  const { delay, loop, pages } = await sharp(file).metadata()
  const pixels = createHash('sha256').update(data).digest('hex')
  return { pixels, widthPx: info.width, heightPx: info.height, channels: info.channels, delay, loop, pages }
}
