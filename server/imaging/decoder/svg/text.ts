// The bytes of an SVG as text. One encoding, so that no two readers can see two different files.

import { ImageRefused, unsupported } from '../../refusal.ts'

/** UTF-8 with or without a byte order mark. UTF-16 and UTF-32 have zero bytes or a mark that is no UTF-8. */
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

/** In these a file of ASCII alone is the same text as in UTF-8; older Illustrators declare the first for every icon. */
const sameForAscii = /^(?:iso-8859-1|latin1|us-ascii|ascii|windows-1252)$/i

export function checkEncoding(declared: string | undefined, text: string): void {
  if (declared === undefined || /^utf-?8$/i.test(declared)) return
  if (sameForAscii.test(declared) && /^[\0-\x7f]*$/.test(text)) return
  throw unsupported('the SVG declares another encoding than UTF-8')
}
