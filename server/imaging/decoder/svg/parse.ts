// Parses an SVG into a tree of allowed elements. Strict XML; a document type is never read.

import { SaxesParser, type SaxesTagNS } from 'saxes'
import { broken, ImageRefused, overLimit, unsupported } from '../../refusal.ts'
import { elements, needsReference, textElements } from './allowed.ts'
import { readAttributes } from './attributes.ts'
import { maxAttributes, maxDepth, maxElements, maxEmbeddedImages } from './bounds.ts'
import { readStyleSheet, type Rule, writeStyleSheet } from './css.ts'
import { type SvgElement, svgNamespace } from './element.ts'
import { checkEncoding } from './text.ts'

export interface Parsed {
  root: SvgElement
  /** The rules of all style sheets in order. */
  rules: Rule[]
}

/** An element that is not on the allow-list is removed with its descendants, which still count against the limits. */
export function parseSvg(text: string): Parsed {
  if (!/^\s*</.test(text)) throw unsupported('this is not an SVG')
  const reader = new Reader()
  // @NOTE Without an error handler saxes throws at the first error.
  const parser = new SaxesParser({ xmlns: true, forceXMLVersion: true, defaultXMLVersion: '1.0' })
  parser.on('xmldecl', ({ encoding }) => checkEncoding(encoding, text))
  parser.on('doctype', checkDoctype)
  parser.on('opentagstart', () => reader.start())
  parser.on('attribute', () => reader.attribute())
  parser.on('opentag', (tag) => reader.open(tag))
  parser.on('text', (part) => reader.text(part))
  parser.on('cdata', (part) => reader.text(part))
  parser.on('closetag', () => reader.close())
  try {
    parser.write(text).close()
  } catch (error) {
    if (error instanceof ImageRefused) throw error
    const place = `line ${parser.line}`
    throw new ImageRefused('broken', `the SVG is not well-formed XML (${place})`, { cause: error })
  }
  if (!reader.root) throw broken('the SVG is empty')
  return { root: reader.root, rules: reader.rules }
}

/** The W3C's public identifiers, which carry no content; entities and other declarations need an internal subset. */
function checkDoctype(doctype: string): void {
  if (!/^\s*svg\b/.test(doctype)) throw unsupported('the document type is not SVG')
  if (doctype.includes('[')) throw unsupported('an SVG with declarations of its own (<!ENTITY ...) is not accepted')
  const isW3c =
    /^\s*svg\s*(?:PUBLIC\s+["']-\/\/W3C\/\/DTD SVG [\w. ]+\/\/EN["']\s+["']https?:\/\/www\.w3\.org\/[\w./-]+["']\s*)?$/
  if (!isW3c.test(doctype)) throw unsupported('the document type is not that of the W3C for SVG')
}

interface Open {
  element: SvgElement
  takesText: boolean
}

class Reader {
  root: SvgElement | undefined
  readonly rules: Rule[] = []
  private readonly path: Open[] = []
  private skippedDepth = 0
  private elements = 0
  private attributes = 0
  private images = 0

  start(): void {
    if (++this.elements > maxElements) throw overLimit(`the SVG has more than ${maxElements} elements`)
    if (this.path.length + this.skippedDepth >= maxDepth) throw overLimit(`the SVG is nested deeper than ${maxDepth}`)
    this.attributes = 0
  }

  attribute(): void {
    if (++this.attributes > maxAttributes)
      throw overLimit(`an element of the SVG has more than ${maxAttributes} attributes`)
  }

  open(tag: SaxesTagNS): void {
    if (this.path.length === 0 && (tag.uri !== svgNamespace || tag.local !== 'svg')) {
      throw unsupported(
        tag.local === 'svg' ? `the SVG lacks its namespace (xmlns="${svgNamespace}")` : 'this is not an SVG',
      )
    }
    const element = this.skippedDepth === 0 ? this.read(tag) : undefined
    if (!element) {
      this.skippedDepth++
      return
    }
    const parent = this.path.at(-1)
    const isPassing = element.name === 'a' || element.name === 'switch'
    const takesText =
      textElements.has(element.name) || element.name === 'style' || (isPassing && parent?.takesText === true)
    this.path.push({ element, takesText })
    if (!parent) this.root = element
    else if (element.name !== 'style') parent.element.children.push(element)
  }

  text(part: string): void {
    const open = this.path.at(-1)
    if (this.skippedDepth === 0 && open?.takesText) open.element.children.push(part)
  }

  close(): void {
    if (this.skippedDepth > 0) {
      this.skippedDepth--
      return
    }
    const closed = this.path.pop()?.element
    if (closed?.name === 'style') this.addStyleSheet(closed)
  }

  private read(tag: SaxesTagNS): SvgElement | undefined {
    const { uri, local: name } = tag
    if (uri !== svgNamespace || !elements.has(name)) return undefined
    // No renderer here supports extensions, so the element would not be rendered; `switch` continues with the next child.
    if ('requiredExtensions' in tag.attributes) return undefined
    if (name === 'style' && !isPlainSheet(tag)) return undefined
    const checked = readAttributes(name, Object.values(tag.attributes))
    if (!checked || (needsReference.has(name) && !checked.attributes.has('xlink:href'))) return undefined
    const { attributes, embedded } = checked
    if (embedded && ++this.images > maxEmbeddedImages) {
      throw overLimit(`the SVG holds more than ${maxEmbeddedImages} pictures`)
    }
    return { name, attributes, children: [], ...(embedded && { embedded }) }
  }

  private addStyleSheet(style: SvgElement): void {
    const rules = readStyleSheet(style.children.filter((part) => typeof part === 'string').join(''))
    if (rules.length === 0) return
    this.rules.push(...rules)
    this.path
      .at(-1)
      ?.element.children.push({ name: 'style', attributes: new Map(), children: [writeStyleSheet(rules)] })
  }
}

/** True for CSS of every medium; a print style sheet or another language does not apply. */
function isPlainSheet({ attributes }: SaxesTagNS): boolean {
  const type = attributes['type']?.value.trim() ?? ''
  const media = attributes['media']?.value.trim() ?? ''
  return /^(?:text\/css)?$/i.test(type) && /^(?:all|screen)?$/i.test(media)
}
