// Sanitizes an untrusted SVG by writing it again from allow-lists: no script, no link, no loading, bounded work.

import { limits } from '../../../../contract/plain/limits.ts'
import { overLimit } from '../../refusal.ts'
import { assertBoundedWork } from './rendering-work.ts'
import type { SvgElement } from './element.ts'
import { checkFilters } from './filters.ts'
import { parseSvg } from './parse.ts'
import { fixSize, sizeOf } from './size.ts'
import { readText } from './text.ts'
import { writeSvg } from './write.ts'

export interface SanitizedSvg {
  /** Well-formed XML in UTF-8 without a declaration; sanitizing it again gives the same bytes. */
  svg: Buffer
  /** Whole pixels as written on the root, within the limits of every image. */
  widthPx: number
  heightPx: number
  /** Its embedded images must be verified by verifyEmbedded before the SVG is stored. */
  root: SvgElement
}

/**
 * Scripts, event handlers, links, foreign elements and loading styles are removed silently.
 * @throws {ImageRefused} `unsupported` for other encodings, svgz and entity declarations, `broken` for XML that is not
 *   well-formed or refers to itself, `over_limit` for too much rendering work (bounds.ts)
 * @NOTE It limits the work by counting, not by time: render the result in a process that can be killed.
 */
export function sanitizeSvg(bytes: Uint8Array): SanitizedSvg {
  const { maxSvgBytes } = limits.image
  if (bytes.length > maxSvgBytes) throw overLimit(`the SVG is larger than ${maxSvgBytes / 2 ** 20} MiB`)
  const { root, rules } = parseSvg(readText(bytes))
  checkFilters(root)
  assertBoundedWork(root, rules)
  const size = sizeOf(root)
  fixSize(root, size)
  return { svg: writeSvg(root), widthPx: size.widthPx, heightPx: size.heightPx, root }
}
