// GIF: frames, their graphic control extensions and the loop count (GIF89a specification; Netscape's loop extension).

import { broken } from '../../refusal.ts'
import { cropFrame, type GifFrame } from './gif-crop.ts'
import { checkCanvas, checkCroppedPixels, checkFrames } from './size-limits.ts'
import type { RewrittenImage } from './rewritten.ts'

const [extension, image, trailer] = [0x21, 0x2c, 0x3b]
const [graphicControl, plainText, application] = [0xf9, 0x01, 0xff]
const screenEnd = 13

export function rewriteGif(source: Buffer): RewrittenImage {
  const widthPx = source.readUInt16LE(6)
  const heightPx = source.readUInt16LE(8)
  checkCanvas(widthPx, heightPx)
  const head = source.subarray(0, tableEnd(source, screenEnd, source.readUInt8(10)))
  const picture: Buffer[] = []
  let control: Buffer | undefined
  let loop: Buffer | undefined
  let frames = 0
  let readsGlobalTable = false
  let croppedPixels = 0

  for (let at = head.length; ;) {
    // Some encoders omit the trailer (such as for Python's own icons). Accepted when the data ends at a block boundary.
    if (at === source.length && frames === 1 && !control && !loop) break
    if (at >= source.length) throw broken('the GIF ends before its last block')
    const kind = source.readUInt8(at)
    if (kind === trailer) break
    if (kind === extension) {
      const end = blocksEnd(source, at + 2)
      const block = source.subarray(at, end)
      const label = source.readUInt8(at + 1)
      // A graphic control extension applies to the next image or text; when the text is removed, so is its extension.
      if (label === graphicControl && source.readUInt8(at + 2) === 4) control = block.subarray(0, 8)
      if (label === plainText) control = undefined
      if (label === application) loop ??= readLoop(block)
      at = end
    } else if (kind === image) {
      const frame = readFrame(source, at)
      const end = at + frameHeadBytes + frame.table.length + frame.data.length
      checkFrames(++frames, widthPx, heightPx)
      readsGlobalTable ||= frame.table.length === 0
      if (control) picture.push(plainControl(control))
      control = undefined
      const [visibleWidth, visibleHeight] = [widthPx - frame.left, heightPx - frame.top]
      if (visibleWidth <= 0 || visibleHeight <= 0) throw broken('a frame of the GIF is outside of the picture')
      if (frame.widthPx <= visibleWidth && frame.heightPx <= visibleHeight) picture.push(source.subarray(at, end))
      else {
        // Browsers crop such a frame; decoders enlarge the canvas or fail.
        croppedPixels += frame.widthPx * frame.heightPx
        checkCanvas(frame.widthPx, frame.heightPx)
        checkCroppedPixels(croppedPixels)
        picture.push(cropFrame(frame, Math.min(frame.widthPx, visibleWidth), Math.min(frame.heightPx, visibleHeight)))
      }
      at = end
    } else throw broken('the GIF has a block of no known kind')
  }
  if (frames === 0) throw broken('the GIF has no image data')

  const screen = readsGlobalTable ? head : backgroundAlone(head)
  const bytes = Buffer.concat([screen, ...(loop ? [loop] : []), ...picture, Buffer.from([trailer])])
  return {
    bytes,
    widthPx,
    heightPx,
    frames,
    orientation: 1,
    decodedPixels: widthPx * heightPx * frames,
    isLossy: false,
  }
}

/** Skips the colour table if the flags declare one. */
function tableEnd(source: Buffer, at: number, flags: number): number {
  const end = at + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  if (end > source.length) throw broken('the GIF ends in its colour table')
  return end
}

/** When every frame has its own colour table, decoders read only the background from the global one. */
function backgroundAlone(head: Buffer): Buffer {
  const named = screenEnd + 3 * head.readUInt8(11)
  // libnsgif treats an index outside the table as 0.
  const background = named < head.length ? named : screenEnd
  const plain = Buffer.alloc(head.length)
  head.copy(plain, 0, 0, screenEnd)
  head.copy(plain, background, background, background + 3)
  return plain
}

/** The position after the terminator of a run of sub-blocks. */
function blocksEnd(source: Buffer, from: number): number {
  let at = from
  for (;;) {
    if (at >= source.length) throw broken('the GIF ends inside a block')
    const length = source.readUInt8(at)
    at += 1 + length
    if (length === 0) return at
  }
}

const frameHeadBytes = 10

function readFrame(source: Buffer, at: number): GifFrame {
  if (at + frameHeadBytes > source.length) throw broken('the GIF ends inside a frame')
  const [left, top] = [source.readUInt16LE(at + 1), source.readUInt16LE(at + 3)]
  const [widthPx, heightPx] = [source.readUInt16LE(at + 5), source.readUInt16LE(at + 7)]
  if (widthPx === 0 || heightPx === 0) throw broken('a frame of the GIF is empty')
  const flags = source.readUInt8(at + 9)
  const tableAt = at + frameHeadBytes
  const dataAt = tableEnd(source, tableAt, flags)
  return {
    left,
    top,
    widthPx,
    heightPx,
    flags,
    table: source.subarray(tableAt, dataAt),
    data: source.subarray(dataAt, blocksEnd(source, dataAt + 1)),
  }
}

/** Netscape's loop extension, written again; ANIMEXTS1.0 has the same meaning. */
function readLoop(block: Buffer): Buffer | undefined {
  const name = block.toString('latin1', 3, 14)
  const isLoop =
    (name === 'NETSCAPE2.0' || name === 'ANIMEXTS1.0') && block[2] === 11 && block[14] === 3 && block[15] === 1
  if (!isLoop) return undefined
  return Buffer.concat([
    Buffer.from('\x21\xff\x0bNETSCAPE2.0\x03\x01', 'latin1'),
    block.subarray(16, 18),
    Buffer.from([0]),
  ])
}

const plainControl = (control: Buffer) => Buffer.concat([control.subarray(0, 7), Buffer.from([0])])
