// Serializes the tree as XML. The only place where the uploader's text becomes part of the file.

import { limits } from '../../../../contract/plain/limits.ts'
import { overLimit } from '../../refusal.ts'
import { type SvgElement, descendants, isElement, svgNamespace, xlinkNamespace } from './element.ts'

export function writeSvg(root: SvgElement): Buffer {
  const parts: string[] = []
  write(root, parts, namespacesOf(root))
  const svg = Buffer.from(`${parts.join('')}\n`)
  if (svg.length > limits.image.maxSvgBytes) throw overLimit('the SVG is too large')
  return svg
}

function namespacesOf(root: SvgElement): string {
  const needsXlink = descendants(root).some(({ attributes }) => attributes.has('xlink:href'))
  return ` xmlns="${svgNamespace}"${needsXlink ? ` xmlns:xlink="${xlinkNamespace}"` : ''}`
}

function write({ name, attributes, children }: SvgElement, parts: string[], namespaces = ''): void {
  parts.push(`<${name}${namespaces}`)
  for (const [key, value] of attributes) parts.push(` ${key}="${escapeAttribute(value)}"`)
  if (children.length === 0) {
    parts.push('/>')
    return
  }
  parts.push('>')
  for (const child of children) {
    if (isElement(child)) write(child, parts)
    else parts.push(escapeText(child))
  }
  parts.push(`</${name}>`)
}

const references: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}
const refer = (character: string) => references[character] ?? ''

const escapeText = (text: string) => text.replace(/[&<>\r]/g, refer)
/** White space that was a character reference would otherwise be normalized to a space. */
const escapeAttribute = (text: string) => text.replace(/[&<>"\t\n\r]/g, refer)
