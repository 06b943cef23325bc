// An SVG from anybody, written anew from allow-lists: no script, no link, no load, and a bounded amount of work.

import { limits } from '../../../../contract/limits.ts'
import type { Rewritten } from '../container/rewritten.ts'
import { overLimit } from '../../refusal.ts'
import { checkDrawing } from './drawing.ts'
import { descendants } from './element.ts'
import { checkFilters } from './filters.ts'
import { parseSvg } from './parse.ts'
import { fixSize, sizeOf } from './size.ts'
import { readText } from './text.ts'
import { writeSvg } from './write.ts'

export interface SanitizedSvg {
  /** Well-formed XML in UTF-8 without a declaration; sanitizing it again gives the same bytes. */
  svg: Buffer
  /** Whole pixels as written on the root, within the limits of every picture. */
  widthPx: number
  heightPx: number
  /** To be proven before the SVG is stored: proveEmbedded. */
  embedded: Rewritten[]
}

/**
 * Fails with ImageRefused: `unsupported` for what is no SVG of our kind (other encodings, svgz, declarations of its own),
 * `broken` for what is not well-formed or draws itself, `over_limit` for what asks too much of a renderer (bounds.ts).
 * Scripts, handlers, links, foreign elements and loading styles are left out without a word.
 * @NOTE It bounds the work by counting, not by time: render the result in a process that can be killed.
 */
export function sanitizeSvg(bytes: Uint8Array): SanitizedSvg {
  const { maxSvgBytes } = limits.image
  if (bytes.length > maxSvgBytes) throw overLimit(`the SVG is larger than ${maxSvgBytes / 2 ** 20} MiB`)
  const { root, rules } = parseSvg(readText(bytes))
  checkFilters(root)
  checkDrawing(root, rules)
  const size = sizeOf(root)
  fixSize(root, size)
  const embedded = descendants(root).flatMap((element) => element.embedded?.image ?? [])
  return { svg: writeSvg(root), widthPx: size.widthPx, heightPx: size.heightPx, embedded }
}
