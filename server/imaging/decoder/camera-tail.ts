// Some cameras leave bytes between the end of a JPEG's picture data and its end marker. Alone of all complaints that
// libjpeg has, this one is forgiven, by taking the bytes away.

import type { Rewritten } from './container/rewritten.ts'
import { ImageRefused } from '../refusal.ts'

const complaint = /^VipsJpeg: Corrupt JPEG data: (\d{1,8}) extraneous bytes before marker 0xd9\s*$/
const eoiBytes = 2

/**
 * The picture without its tail, if that is all the decoder complained of; else undefined. libjpeg's count is of bytes
 * that it skipped after the last block was complete, so no pixel can depend on them; whoever asks must decode the answer
 * as strictly as before, which proves it.
 */
export function withoutCameraTail(picture: Rewritten, refusal: unknown): Rewritten | undefined {
  if (!(refusal instanceof ImageRefused) || !(refusal.cause instanceof Error)) return undefined
  const skipped = Number(complaint.exec(refusal.cause.message.slice(0, 200))?.[1] ?? 0)
  const end = picture.bytes.length - eoiBytes
  if (skipped === 0 || skipped > end) return undefined
  const bytes = Buffer.concat([picture.bytes.subarray(0, end - skipped), picture.bytes.subarray(end)])
  return { ...picture, bytes }
}
