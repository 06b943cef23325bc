// Decodes the bytes of an SVG. Only one encoding is accepted, so that all readers see the same text.

import { ImageRefused, unsupported } from '../../refusal.ts'

/** UTF-8 with or without a byte order mark. UTF-16 and UTF-32 contain zero bytes or a mark that is invalid in UTF-8. */
export function readText(bytes: Uint8Array): string {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) throw unsupported('a compressed SVG (svgz) is not accepted')
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  if (isWide || bytes.subarray(0, 4).includes(0)) throw unsupported('the SVG is not in UTF-8')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    const isMarkup = /^(?:\xef\xbb\xbf)?\s*</.test(Buffer.from(bytes.subarray(0, 100)).toString('latin1'))
    throw new ImageRefused(isMarkup ? 'broken' : 'unsupported', 'the SVG is not in UTF-8', { cause: error })
  }
}

/** Encodings in which ASCII text equals its UTF-8 form; older versions of Illustrator declare the first one for every icon. */
const sameForAscii = /^(?:iso-8859-1|latin1|us-ascii|ascii|windows-1252)$/i

export function checkEncoding(declared: string | undefined, text: string): void {
  if (declared === undefined || /^utf-?8$/i.test(declared)) return
  if (sameForAscii.test(declared) && /^[\0-\x7f]*$/.test(text)) return
  throw unsupported('the SVG declares another encoding than UTF-8')
}
