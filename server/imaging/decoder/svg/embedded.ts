// Pictures inside an SVG, held to what a picture of its own is held to, and smaller.

import { rewrite } from '../container/rewrite.ts'
import type { Rewritten } from '../container/rewritten.ts'
import { ImageRefused, overLimit } from '../../refusal.ts'
import { type ImageFormat, sniff } from '../sniff.ts'
import { maxEmbeddedPixels } from './bounds.ts'
import { descendants, type SvgElement } from './element.ts'

export interface EmbeddedPicture {
  /** A data: address with the rewritten picture. */
  href: string
  /** All frames of an animation together. */
  pixels: number
}

const formats = ['gif', 'jpeg', 'png', 'webp'] as const satisfies readonly ImageFormat[]
const isEmbeddable = (format: ImageFormat | undefined): format is (typeof formats)[number] =>
  formats.some((one) => one === format)

/** undefined for every other address. The bytes say what the picture is, not the claimed type; its metadata is left out. */
export function readPicture(address: string): EmbeddedPicture | undefined {
  const head = /^data:image\/(?:png|jpe?g|gif|webp)(?:;charset=[\w-]+)?;base64,/i.exec(address)
  const coded = head && address.slice(head[0].length).replace(/\s+/g, '')
  if (!coded || !/^[a-z0-9+/]+={0,2}$/i.test(coded)) return undefined
  const source = Buffer.from(coded, 'base64')
  const format = sniff(source)
  if (!isEmbeddable(format)) return undefined

  const { bytes, widthPx, heightPx, frames } = scan(format, source, (picture) => picture)
  const pixels = widthPx * heightPx * frames
  if (pixels > maxEmbeddedPixels) {
    throw overLimit(`a picture inside the SVG has more than ${maxEmbeddedPixels / 1e6} megapixels`)
  }
  return { href: addressOf(format, bytes), pixels }
}

const addressOf = (format: string, bytes: Buffer) => `data:image/${format};base64,${bytes.toString('base64')}`

/** Takes out what hides in compressed data. It inflates and walks, so the pictures are to be counted before (checkDrawing). */
export function dropHidden(root: SvgElement): void {
  for (const { attributes, embeddedPixels } of descendants(root)) {
    const address = embeddedPixels === undefined ? undefined : attributes.get('xlink:href')
    const [head, kind] = (address && /^data:image\/(png|jpeg);base64,/.exec(address)) || []
    if (!address || !head) continue
    const format = kind === 'png' ? 'png' : 'jpeg'
    const plain = scan(format, Buffer.from(address.slice(head.length), 'base64'), (picture) =>
      picture.withoutHiddenNow?.(),
    )
    if (plain) attributes.set('xlink:href', addressOf(format, plain.bytes))
  }
}

function scan<T>(format: (typeof formats)[number], source: Buffer, then: (picture: Rewritten) => T): T {
  try {
    return then(rewrite(format, source))
  } catch (error) {
    if (!(error instanceof ImageRefused)) throw error
    throw new ImageRefused(error.reason, `a picture inside the SVG: ${error.message}`, { cause: error })
  }
}
