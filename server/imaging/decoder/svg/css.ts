// Style attributes and style sheets: declarations of known properties and plain selectors. All at-rules are removed:
// @import and @font-face load resources, and the others do not apply to a still image.

import { overLimit } from '../../refusal.ts'
import { properties, referringProperties } from './allowed.ts'
import { maxRules } from './bounds.ts'
import { sanitizeCssValue } from './css-value.ts'

export interface Declaration {
  property: string
  value: string
}

export interface Rule {
  selectors: string[]
  declarations: Declaration[]
}

/** In source order, with duplicates: `fill:#f00;fill:color(display-p3 1 0 0)` is a fallback followed by a preferred value. */
export function readDeclarations(source: string): Declaration[] {
  return split(withoutComments(source), ';').flatMap((part) => {
    const colon = part.indexOf(':')
    const declaration = colon > 0 && readDeclaration(part.slice(0, colon).trim(), part.slice(colon + 1))
    return declaration ? [declaration] : []
  })
}

export const writeDeclarations = (declarations: Declaration[]): string =>
  declarations.map(({ property, value }) => `${property}:${value}`).join(';')

function readDeclaration(name: string, source: string): Declaration | undefined {
  const isVariable = /^--[a-z][\w-]*$/i.test(name)
  const property = isVariable ? name : name.toLowerCase()
  if (!isVariable && !properties.has(property)) return undefined
  const mark = source.lastIndexOf('!')
  const isImportant =
    mark >= 0 &&
    source
      .slice(mark + 1)
      .trim()
      .toLowerCase() === 'important'
  const value = sanitizeCssValue(isImportant ? source.slice(0, mark) : source, {
    allowUrlReferences: referringProperties.has(property),
  })
  return value ? { property, value: isImportant ? `${value}!important` : value } : undefined
}

export function readStyleSheet(source: string): Rule[] {
  const rules: Rule[] = []
  let seen = 0
  for (const { prelude, block } of rulesIn(withoutComments(source))) {
    if (++seen > maxRules) throw overLimit(`a style sheet of the SVG has more than ${maxRules} rules`)
    const selectors = split(prelude, ',').map((selector) => selector.trim().replace(/\s+/g, ' '))
    const known = selectors.filter((selector) => isSelector(selector))
    // The size of the image is written on its root only (size.ts); a rule could override it.
    const declarations = readDeclarations(block).filter(({ property }) => property !== 'width' && property !== 'height')
    if (known.length > 0 && declarations.length > 0) rules.push({ selectors: known, declarations })
  }
  return rules
}

export const writeStyleSheet = (rules: Rule[]): string =>
  rules.map(({ selectors, declarations }) => `${selectors.join(',')}{${writeDeclarations(declarations)}}`).join('\n')

/** Longer than any legitimate selector, and short enough to be scanned repeatedly. */
const maxSelectorLength = 1000

const selectorPart =
  /\s*[>+~]\s*|[\p{L}\p{M}\p{N}\s_.#*:-]|\[[a-z][a-z-]*(?:[~|^$*]?=(?:"[\w .:#-]*"|'[\w .:#-]*'|[\w-]+))?\]|(?<open>\()|(?<close>\))|(?<comma>,)/iuy

/** Requires closed quotes and balanced brackets, so that text after the selector cannot become a part of it. */
function isSelector(selector: string): boolean {
  if (selector.length > maxSelectorLength) return false
  let depth = 0
  selectorPart.lastIndex = 0
  while (selectorPart.lastIndex < selector.length) {
    const groups = selectorPart.exec(selector)?.groups
    if (!groups) return false
    if (groups['open']) depth++
    if (groups['close'] && --depth < 0) return false
    if (groups['comma'] && depth === 0) return false
  }
  return depth === 0 && selector !== ''
}

/** The plain rules of a sheet. A nested block is removed with its rule, an at-rule with its block or semicolon. */
function* rulesIn(source: string): Generator<{ prelude: string; block: string }> {
  const end = /[;{]/g
  const start = /\S|$/g
  for (let found = end.exec(source), at = 0; found; found = end.exec(source)) {
    // Once for all following semicolons: each would scan the same white space again.
    start.lastIndex = at
    at = start.exec(source)?.index ?? at
    const prelude = source.slice(at, found.index).trim()
    if (found[0] === ';' && !prelude.startsWith('@')) continue // a stray semicolon invalidates the rule that follows it
    at = found.index + 1
    if (found[0] === '{') {
      const close = blockEnd(source, found.index)
      const block = source.slice(at, close)
      if (!prelude.startsWith('@') && !block.includes('{')) yield { prelude, block }
      at = close + 1
    }
    end.lastIndex = at
  }
}

function blockEnd(source: string, open: number): number {
  const brace = /[{}]/g
  brace.lastIndex = open
  for (let depth = 0, found = brace.exec(source); found; found = brace.exec(source)) {
    depth += found[0] === '{' ? 1 : -1
    if (depth === 0) return found.index
  }
  return source.length
}

/** A comment separates tokens. An unclosed comment removes the rest. */
const withoutComments = (source: string) => source.replace(/\/\*[^]*?(?:\*\/|$)/g, ' ')

/** Splits at separators outside brackets and strings. */
function split(source: string, separator: ',' | ';'): string[] {
  const parts: string[] = []
  let start = 0
  let depth = 0
  for (const { 0: found, index } of source.matchAll(/"[^"]*"|'[^']*'|[()[\],;]/g)) {
    if (found === '(' || found === '[') depth++
    else if (found === ')' || found === ']') depth--
    else if (found === separator && depth <= 0) {
      parts.push(source.slice(start, index))
      start = index + 1
    }
  }
  return [...parts, source.slice(start)]
}
