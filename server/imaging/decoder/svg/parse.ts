// The text of an SVG as a tree of allowed elements. Strict XML; no document type is ever read.

import { SaxesParser, type SaxesTagNS } from 'saxes'
import { broken, ImageRefused, overLimit, unsupported } from '../../refusal.ts'
import { elements, needsReference, textElements } from './allowed.ts'
import { readAttributes } from './attributes.ts'
import { maxAttributes, maxDepth, maxElements, maxEmbeddedPictures } from './bounds.ts'
import { readStyleSheet, type Rule, writeStyleSheet } from './css.ts'
import type { SvgElement } from './element.ts'
import { svgNamespace } from './namespaces.ts'
import { checkEncoding } from './text.ts'

export interface Parsed {
  root: SvgElement
  /** Of all style sheets, in their order. */
  rules: Rule[]
}

/** What is not on the lists is left out with all below it, and counts against the bounds all the same. */
export function parseSvg(text: string): Parsed {
  if (!/^\s*</.test(text)) throw unsupported('this is not an SVG')
  const reader = new Reader()
  // @NOTE Without a handler for errors saxes throws at the first one.
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

/** The W3C's own, which nobody needs to read; entities and other declarations come in an internal subset. */
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
  private pictures = 0

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
    // No renderer here has an extension, so none would draw it; `switch` goes on to the next child.
    if ('requiredExtensions' in tag.attributes) return undefined
    if (name === 'style' && !isPlainSheet(tag)) return undefined
    const checked = readAttributes(name, Object.values(tag.attributes))
    if (!checked || (needsReference.has(name) && !checked.attributes.has('xlink:href'))) return undefined
    const { attributes, embedded } = checked
    if (embedded && ++this.pictures > maxEmbeddedPictures) {
      throw overLimit(`the SVG holds more than ${maxEmbeddedPictures} pictures`)
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

/** CSS for every medium; a sheet for print or of another language does not apply. */
function isPlainSheet({ attributes }: SaxesTagNS): boolean {
  const type = attributes['type']?.value.trim() ?? ''
  const media = attributes['media']?.value.trim() ?? ''
  return /^(?:text\/css)?$/i.test(type) && /^(?:all|screen)?$/i.test(media)
}
