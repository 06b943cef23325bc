// Limits of one filter. 3 KB of filters cost a renderer 14.5 s (measured).

import { overLimit } from '../../refusal.ts'
import { filterPrimitives } from './allowed.ts'
import { maxFilterPrimitives } from './bounds.ts'
import { descendants, type SvgElement } from './element.ts'

/**
 * The largest value of each number that increases rendering time, measured with librsvg 2.63: a feMorphology of radius 10
 * takes 5 us per pixel, a feConvolveMatrix of 10 x 10 takes 1.6, a feTurbulence of 5 octaves 0.7.
 */
const largest: Record<string, number> = { radius: 50, order: 10, numOctaves: 10, stdDeviation: 1000 }

/** Relative to the filtered element, or in user units: a region takes memory, and a larger one exceeds every screen. */
const maxRegion = { objectBoundingBox: 1000, userSpaceOnUse: 1e6 }

export function checkFilters(root: SvgElement): void {
  let primitives = 0
  for (const element of descendants(root)) {
    if (element.name === 'filter') checkRegion(element)
    if (!filterPrimitives.has(element.name)) continue
    if (++primitives > maxFilterPrimitives) {
      throw overLimit(`the SVG has more than ${maxFilterPrimitives} filter primitives`)
    }
    for (const [name, max] of Object.entries(largest)) {
      if (numbersIn(element, name).some((value) => value > max)) {
        throw overLimit(`${name}="${max}" is the most that a filter of an SVG may have`)
      }
    }
  }
}

function checkRegion(filter: SvgElement): void {
  const isUser = filter.attributes.get('filterUnits') === 'userSpaceOnUse'
  const max = isUser ? maxRegion.userSpaceOnUse : maxRegion.objectBoundingBox
  for (const side of ['x', 'y', 'width', 'height']) {
    const share = filter.attributes.get(side)?.includes('%') ? 100 : 1
    if (numbersIn(filter, side).some((value) => Math.abs(value) / share > max)) {
      throw overLimit('the region of a filter in the SVG is too large')
    }
  }
}

function numbersIn({ attributes }: SvgElement, name: string): number[] {
  const value = attributes.get(name) ?? ''
  return [...value.matchAll(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi)].map(([digits]) => Number(digits))
}
