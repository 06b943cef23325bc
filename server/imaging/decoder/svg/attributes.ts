// The attributes of one element: known names, values by the grammar of their kind, and references only within the document.

import type { SaxesAttributeNS } from 'saxes'
import {
  animatable,
  animationElements,
  type AttributeKind,
  attributes,
  references,
  referringProperties,
} from './allowed.ts'
import { nameCharacters, sanitizeCssValue } from './css-value.ts'
import { readDeclarations, writeDeclarations } from './css.ts'
import { type EmbeddedImage, xlinkNamespace, xmlNamespace } from './element.ts'
import { readEmbedded } from './embedded.ts'

export interface CheckedAttributes {
  attributes: Map<string, string>
  embedded?: EmbeddedImage
}

/** Undefined when the element must be removed: an animation of an attribute that may not be animated. */
export function readAttributes(element: string, source: readonly SaxesAttributeNS[]): CheckedAttributes | undefined {
  const kept = new Map<string, string>()
  for (const { uri, local, value } of source) {
    const checked = uri === '' ? readAttribute(local, value) : uri === xmlNamespace && readXmlAttribute(local, value)
    if (checked) kept.set(uri === xmlNamespace ? `xml:${local}` : local, checked)
  }
  if (animationElements.has(element) && element !== 'animateMotion' && !kept.has('attributeName')) return undefined
  const reference = readReference(element, source)
  if (typeof reference === 'string') kept.set('xlink:href', reference)
  else if (reference) kept.set('xlink:href', reference.href)
  return { attributes: kept, ...(typeof reference === 'object' && { embedded: reference }) }
}

function readAttribute(name: string, value: string): string | undefined {
  if (name === 'style') return writeDeclarations(readDeclarations(value))
  const kind = attributes.get(name)
  return kind && readers[kind](value, name)
}

const matching = (grammar: RegExp) => (value: string) => (grammar.test(value) ? value : undefined)

const plain = matching(/^[a-z0-9\s.,%+-]*$/i)
const name = matching(new RegExp(`^[${nameCharacters}]+$`, 'u'))
/** Offsets and the begin or end of another animation; no events (SMIL 3.0, 5.4.1). */
const moment = /^(?:indefinite|(?:[\w-]+\.(?:begin|end))?(?:[+-]?[\d.:]+(?:h|min|s|ms)?)?)$/

function readTiming(value: string): string | undefined {
  const moments = value.split(';').map((one) => one.replace(/\s+/g, ''))
  return moments.every((one) => moment.test(one)) ? moments.join(';') : undefined
}

const readers: Record<AttributeKind, (value: string, name: string) => string | undefined> = {
  css: (value, property) => sanitizeCssValue(value, { allowUrlReferences: referringProperties.has(property) }),
  transform: (value) => sanitizeCssValue(value, { allowUrlReferences: false, allowSpaceBeforeParen: true }),
  plain,
  name,
  names: (value) =>
    value
      .split(/\s+/)
      .filter((one) => name(one))
      .join(' '),
  list: matching(/^[\d\s.,;e+-]*$/i),
  timing: readTiming,
  target: (value) => (animatable.has(value.trim()) ? value.trim() : undefined),
  animated: readAnimated,
}

/** The values of an animation, or the numbers of a filter primitive. */
function readAnimated(value: string): string | undefined {
  const parts = value
    .split(';')
    .map(
      (part) =>
        plain(part)?.trim() ?? sanitizeCssValue(part, { allowUrlReferences: false, allowSpaceBeforeParen: true }),
    )
  return parts.includes(undefined) ? undefined : parts.join(';')
}

function readXmlAttribute(local: string, value: string): string | undefined {
  if (local === 'space') return value === 'preserve' || value === 'default' ? value : undefined
  return local === 'lang' && /^[\w-]{1,35}$/.test(value) ? value : undefined
}

/** `href` takes precedence over `xlink:href` (SVG 2). */
function readReference(element: string, source: readonly SaxesAttributeNS[]): string | EmbeddedImage | undefined {
  const allowed = references[element]
  if (!allowed) return undefined
  const named = (namespace: string) => source.find(({ uri, local }) => local === 'href' && uri === namespace)
  const value = (named('') ?? named(xlinkNamespace))?.value.trim()
  if (!value) return undefined
  if (value.startsWith('#')) return allowed !== 'picture' && name(value.slice(1)) ? value : undefined
  return allowed === 'element' ? undefined : readEmbedded(value)
}
