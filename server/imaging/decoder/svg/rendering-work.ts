// Computes the work of rendering an SVG after resolving all references, without rendering. A few lines of nested `use` make
// a billion elements; patterns, masks, markers and filters multiply in the same way.

import { broken, overLimit } from '../../refusal.ts'
import {
  filterFunctions as filterFunctionNames,
  filterPrimitives,
  referringProperties,
  shapeElements,
} from './allowed.ts'
import {
  maxDrawnElements,
  maxDrawnPixels,
  maxFilterRuns,
  maxReferenceDepth,
  maxSelectorCharacters,
  maxSelectorMatches,
} from './bounds.ts'
import { type Declaration, readDeclarations, type Rule } from './css.ts'
import { referencesIn } from './css-value.ts'
import { childElements, descendants, type SvgElement } from './element.ts'
import { type Matcher, matcherOf } from './selector.ts'

/**
 * Rejects reference cycles and bombs. Overestimates: the largest of several elements with one id, every rule whose last
 * compound selector matches, inherited patterns and markers for each shape below.
 */
export function assertBoundedWork(root: SvgElement, rules: readonly Rule[]): void {
  const all = descendants(root)
  const drawing = rules.map(({ selectors, declarations }) => ({ selectors, drawn: drawnBy(declarations) }))
  const total = (count: (rule: (typeof drawing)[number]) => number) =>
    drawing.reduce((sum, rule) => sum + count(rule), 0) * all.length
  const selectorMatches = total(({ selectors, drawn }) => selectors.length + drawn.length)
  const selectorCharacters = total(({ selectors }) => selectors.join('').length)
  if (selectorMatches > maxSelectorMatches || selectorCharacters > maxSelectorCharacters) {
    throw overLimit('the SVG has too many style rules for its elements')
  }
  const matched = drawing
    .filter(({ drawn }) => drawn.length > 0)
    .map(({ selectors, drawn }) => ({ matches: matcherOf(selectors), drawn }))
  new WorkCounter(all, matched).workOf(root, 0)
}

/** At each of the `shapes` an inherited pattern would be rendered, at each of the `points` a marker. */
const totals = ['elements', 'shapes', 'points', 'filterRuns', 'pixels'] as const

/** Of the element and everything rendered with it. */
type Work = Record<(typeof totals)[number] | 'referenceDepth', number>

class WorkCounter {
  private readonly byId = new Map<string, SvgElement[]>()
  private readonly doneById = new Map<string, Work>()
  private readonly done = new Map<SvgElement, Work>()
  private readonly underWay = new Set<SvgElement>()
  private readonly rules: readonly DrawingRule[]

  constructor(all: readonly SvgElement[], rules: readonly DrawingRule[]) {
    this.rules = rules
    for (const element of all) {
      const id = element.attributes.get('id')
      const named = id === undefined ? undefined : this.byId.get(id)
      if (named) named.push(element)
      else if (id !== undefined) this.byId.set(id, [element])
    }
  }

  workOf(element: SvgElement, referenceDepth: number): Work {
    const known = this.done.get(element)
    if (known) return known
    if (this.underWay.has(element)) throw broken('an element of the SVG draws itself')
    assertDepthWithinLimit(referenceDepth)
    this.underWay.add(element)
    const work = ownWork(element)
    for (const child of childElements(element)) add(work, this.workOf(child, referenceDepth))
    this.follow(element, work, referenceDepth)
    assertWithinLimits(work)
    this.underWay.delete(element)
    this.done.set(element, work)
    return work
  }

  private follow(element: SvgElement, work: Work, referenceDepth: number): void {
    const href = element.attributes.get('xlink:href')
    if (href?.startsWith('#') && drawsItsReference.has(element.name)) {
      this.addReferred(work, href.slice(1), 1, referenceDepth)
    }
    const { shapes, points } = work
    for (const { property, id, filterFunctions } of this.drawnOn(element)) {
      const times = property.startsWith('marker') ? points : property === 'fill' || property === 'stroke' ? shapes : 1
      if (id !== undefined) this.addReferred(work, id, times, referenceDepth)
      work.filterRuns += filterFunctions
    }
  }

  private drawnOn(element: SvgElement): Drawn[] {
    const attributes = [...element.attributes].map(([property, value]) => ({ property, value }))
    const style = element.attributes.get('style')
    const classes = new Set(element.attributes.get('class')?.split(/\s+/))
    return [
      ...drawnBy(attributes),
      ...(style === undefined ? [] : drawnBy(readDeclarations(style))),
      ...this.rules.flatMap(({ matches, drawn }) => (matches(element, classes) ? drawn : [])),
    ]
  }

  private addReferred(work: Work, id: string, times: number, referenceDepth: number): void {
    const referred = this.workOfId(id, referenceDepth + 1)
    if (!referred) return
    add(work, referred, times)
    work.referenceDepth = Math.max(work.referenceDepth, referred.referenceDepth + 1)
    assertDepthWithinLimit(work.referenceDepth)
  }

  /** Renderers use the first of several elements with one id; taking the largest is an upper bound. */
  private workOfId(id: string, referenceDepth: number): Work | undefined {
    const known = this.doneById.get(id)
    if (known) return known
    const works = this.byId.get(id)?.map((element) => this.workOf(element, referenceDepth))
    if (!works) return undefined
    const most = (part: keyof Work) => [part, works.reduce((max, work) => Math.max(max, work[part]), 0)] as const
    const largest = Object.fromEntries([...totals, 'referenceDepth' as const].map(most)) as Work
    this.doneById.set(id, largest)
    return largest
  }
}

interface DrawingRule {
  matches: Matcher
  drawn: Drawn[]
}

/** What a declaration causes: rendering of a referenced element, or the work of filter functions. */
interface Drawn {
  property: string
  id?: string
  filterFunctions: number
}

/** At least one per reference, so that their number bounds the work of resolving them. */
function drawnBy(declarations: readonly Declaration[]): Drawn[] {
  return declarations.flatMap(({ property, value }) => {
    if (!referringProperties.has(property)) return []
    const referring = referencesIn(value).map((id): Drawn => ({ property, id, filterFunctions: 0 }))
    const filterFunctions =
      property === 'filter' ? functionsIn(value).filter((name) => filterFunctionNames.has(name)).length : 0
    return filterFunctions === 0 ? referring : [...referring, { property, filterFunctions }]
  })
}

/** Elements that render their target, or inherit its children. The path of a textPath is only read. */
const drawsItsReference = new Set(['feImage', 'linearGradient', 'pattern', 'radialGradient', 'use'])
/** Computed once per filled element, independent of the number of stops. */
const gradientParts = new Set(['linearGradient', 'radialGradient', 'stop'])

function ownWork({ name, attributes, embedded }: SvgElement): Work {
  return {
    elements: gradientParts.has(name) ? 0 : 1,
    shapes: shapeElements.has(name) ? 1 : 0,
    points: pointsIn(attributes.get('d') ?? attributes.get('points')) + (name === 'line' ? 2 : 0),
    filterRuns: filterPrimitives.has(name) ? 1 : 0,
    pixels: embedded?.pixels ?? 0,
    referenceDepth: 0,
  }
}

/** An upper bound: in its shortest form a path has one number per point. */
const pointsIn = (path = '') => path.match(/\d+|[a-z]/gi)?.length ?? 0

/** Anchored at a word boundary: otherwise every character of a long word would be tried as a start. */
const functionsIn = (value: string) =>
  [...value.matchAll(/(?<![a-z-])([a-z-]+)\(/gi)].map(([, name = '']) => name.toLowerCase())

function add(work: Work, other: Work, times = 1): void {
  for (const total of totals) work[total] += other[total] * times
  work.referenceDepth = Math.max(work.referenceDepth, other.referenceDepth)
}

/** Checked at each element, so that no total exceeds the product of two limits. */
function assertWithinLimits(work: Work): void {
  if (work.elements > maxDrawnElements) {
    throw overLimit(`the SVG draws more than ${maxDrawnElements} elements when its references are followed`)
  }
  if (work.filterRuns > maxFilterRuns) throw overLimit(`the SVG runs more than ${maxFilterRuns} filter primitives`)
  if (work.pixels > maxDrawnPixels) {
    throw overLimit(`the pictures in the SVG have more than ${maxDrawnPixels / 1e6} megapixels together`)
  }
}

function assertDepthWithinLimit(referenceDepth: number): void {
  if (referenceDepth > maxReferenceDepth) throw overLimit('references in the SVG are nested too deeply')
}
