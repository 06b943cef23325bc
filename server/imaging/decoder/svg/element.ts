// The in-memory form of an SVG between parsing and writing: allowed elements with checked attributes.

import type { PixelFormat } from '../../../../contract/plain/formats.ts'
import type { RewrittenImage } from '../container/rewritten.ts'

export const svgNamespace = 'http://www.w3.org/2000/svg'
export const xlinkNamespace = 'http://www.w3.org/1999/xlink'
export const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'

export interface SvgElement {
  readonly name: string
  /** Names as written; the reference is always stored as `xlink:href`. */
  readonly attributes: Map<string, string>
  readonly children: (SvgElement | string)[]
  readonly embedded?: EmbeddedImage
}

export interface EmbeddedImage {
  /** A data: address with the rewritten image. */
  href: string
  /** All frames of an animation together. */
  pixels: number
  format: PixelFormat
  image: RewrittenImage
}

export const isElement = (node: SvgElement | string): node is SvgElement => typeof node !== 'string'

export const childElements = (element: SvgElement): SvgElement[] => element.children.filter(isElement)

/** The element and all below it, in document order. */
export function descendants(element: SvgElement): SvgElement[] {
  const all: SvgElement[] = []
  const next = [element]
  for (let one = next.pop(); one; one = next.pop()) {
    all.push(one)
    next.push(...childElements(one).reverse())
  }
  return all
}
