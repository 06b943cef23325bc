// The size of an SVG, fixed once for all renderers: whole pixels and a viewBox.

import { limits } from '../../../../contract/plain/limits.ts'
import { broken } from '../../refusal.ts'
import { readDeclarations, writeDeclarations } from './css.ts'
import type { SvgElement } from './element.ts'

const { maxSidePx, maxPixels } = limits.image

/** The size of a replaced element without one of its own (CSS 2.2, 10.3.2). */
const fallback = { width: 300, height: 150 }

interface Size {
  width: number
  height: number
}

export interface SvgSize {
  /** Whole pixels, at least 1, within the limits of every image. */
  widthPx: number
  heightPx: number
  viewBox: string
}

export function sizeOf(root: SvgElement): SvgSize {
  const box = readViewBox(root.attributes.get('viewBox'))
  const width = declared(root, 'width')
  const height = declared(root, 'height')
  const isEmpty = [width, height].some((side) => side !== undefined && side < minUnits)
  if (isEmpty && !box) throw broken('the SVG has a width or height of zero')

  const size = isEmpty && box ? box : completed(width, height, box)
  const viewBox = box ?? { x: 0, y: 0, ...size }
  return { ...fitted(size), viewBox: [viewBox.x, viewBox.y, viewBox.width, viewBox.height].map(written).join(' ') }
}

/** Writes the size on the root, and removes it from the root's style, which would take precedence. */
export function fixSize(root: SvgElement, { widthPx, heightPx, viewBox }: SvgSize): void {
  root.attributes.set('width', String(widthPx))
  root.attributes.set('height', String(heightPx))
  root.attributes.set('viewBox', viewBox)
  for (const name of ['x', 'y']) root.attributes.delete(name)
  const kept = readDeclarations(root.attributes.get('style') ?? '').filter(({ property }) => !sizing.has(property))
  root.attributes.set('style', writeDeclarations(kept))
  if (kept.length === 0) root.attributes.delete('style')
}

const sizing = new Set(['width', 'height', 'x', 'y'])

/** In pixels; undefined for percentages and invalid lengths. Style takes precedence over the attribute, as in browsers. */
function declared(root: SvgElement, side: 'width' | 'height'): number | undefined {
  const style = readDeclarations(root.attributes.get('style') ?? '').findLast(({ property }) => property === side)
  const length = style && readLength(style.value.replace('!important', ''))
  return length ?? readLength(root.attributes.get(side) ?? '')
}

/** Relative units (CSS Values 4, 6.2) with the initial font size of 16 px, in which x and 0 are about half as wide. */
const pxIn: Record<string, number> = {
  '': 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  q: 96 / 101.6,
  in: 96,
  em: 16,
  rem: 16,
  ex: 8,
  ch: 8,
}

/** White space may separate numbers, but a megabyte of it must not cause backtracking. */
const maxNumberText = 200

/** Both patterns match in exactly one way: with two ways, seven runs of digits and spaces would make billions of combinations. */
const number = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?`
const separator = String.raw`(?:\s+(?:,\s*)?|,\s*)`
const lengthGrammar = new RegExp(`^\\s*(${number})\\s*([a-z]*)\\s*$`, 'i')
const boxGrammar = new RegExp(`^\\s*${Array(4).fill(`(${number})`).join(separator)}\\s*$`, 'i')

function readLength(value: string): number | undefined {
  const [, digits, unit = ''] = lengthGrammar.exec(value.slice(0, maxNumberText)) ?? []
  const px = Number(digits) * (pxIn[unit.toLowerCase()] ?? Number.NaN)
  return Number.isFinite(px) ? Math.min(px, maxUnits) : undefined
}

interface Box extends Size {
  x: number
  y: number
}

function readViewBox(value: string | undefined): Box | undefined {
  const found = boxGrammar.exec(value?.slice(0, maxNumberText) ?? '')
  if (!found) return undefined
  const [x = Number.NaN, y = Number.NaN, width = Number.NaN, height = Number.NaN] = found.slice(1).map(Number)
  const isSane =
    [x, y, width, height].every((one) => Math.abs(one) <= maxUnits) && width >= minUnits && height >= minUnits
  return isSane ? { x, y, width, height } : undefined
}

/** Renderers use single precision; a larger box would be rendered as noise. */
const maxUnits = 1e9
const minUnits = 1e-6

function completed(width: number | undefined, height: number | undefined, box: Box | undefined): Size {
  if (!box) return { width: width ?? fallback.width, height: height ?? fallback.height }
  if (width !== undefined) return { width, height: height ?? (width * box.height) / box.width }
  if (height !== undefined) return { width: (height * box.width) / box.height, height }
  return box
}

/** Scaled down proportionally, so that every output format can hold it. */
function fitted({ width, height }: Size): { widthPx: number; heightPx: number } {
  const scale = Math.min(1, maxSidePx / width, maxSidePx / height)
  const area = Math.max(1, width * scale) * Math.max(1, height * scale)
  const shrink = scale * Math.min(1, Math.sqrt(maxPixels / area))
  const whole = (side: number) => Math.max(1, Math.min(maxSidePx, Math.floor(side * shrink + 0.5)))
  const [widthPx, heightPx] = [whole(width), whole(height)]
  // Rounding up both sides can exceed the limit by a row.
  return widthPx * heightPx > maxPixels ? { widthPx: widthPx - 1, heightPx: heightPx - 1 } : { widthPx, heightPx }
}

/** Six decimals are a millionth of a unit; they also remove rounding errors of multiplication. */
const written = (value: number) => String(Number(value.toFixed(6)))
