// Mutations of an SVG as text: tags, attributes, references, and drawings that demand too many
// resources.
import fc from 'fast-check'
import { anyOf, at, type MutationOf, place } from './byte-mutations.ts'

const fragments = [
  '<script>alert(1)</script>',
  '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>',
  '<image href="http://127.0.0.1:1/x.png" width="9" height="9"/>',
  '<image href="data:image/png;base64,iVBORw0KGgo=" width="9" height="9"/>',
  '<use href="#a"/>',
  '<g id="a"><use href="#a"/></g>',
  '<style>*{fill:url(#a)}@import "x";</style>',
  '<animate attributeName="href" values="javascript:alert(1)"/>',
  '<filter id="f"><feGaussianBlur stdDeviation="50"/><feTurbulence numOctaves="9"/></filter><rect width="99" height="99" filter="url(#f)"/>',
  '<text>&lt;&amp;&#0;&#x10FFFF;&nope;</text>',
  '<![CDATA[ ]]>',
  '<!-- -- -->',
  '<!DOCTYPE svg [<!ENTITY a "b">]>',
  '<?xml-stylesheet href="x"?>',
  '<svg><svg/></svg>',
  '</g>',
  '<g>',
  ']]>',
  '&a;',
  '&#xD800;',
  '\u202e',
  '\0',
]
const values = [
  '',
  '0',
  '-1',
  '1e9',
  '1e-9',
  'NaN',
  '100%',
  '99999999999999999999',
  'url(#a)',
  'url(http://127.0.0.1:1/)',
  'javascript:alert(1)',
  '#a',
  'none',
  'inherit',
  'M0 0L1e38 1e38',
  'matrix(1e9 0 0 1e9 0 0)',
  'rotate(45) scale(0)',
  '&quot;&lt;',
  '\\65 xpression(1)',
]
const names = [
  'href',
  'xlink:href',
  'style',
  'onload',
  'id',
  'class',
  'width',
  'viewBox',
  'transform',
  'd',
  'filter',
  'xmlns',
  '__proto__',
]

export const textMutations = {
  'text added': { at: place, text: fc.constantFrom(...fragments) },
  'value changed': { at: place, value: fc.constantFrom(...values) },
  'attribute added': {
    at: place,
    name: fc.constantFrom(...names),
    value: fc.constantFrom(...values),
  },
  nested: { at: place, depth: fc.integer({ min: 1, max: 150 }) },
  'element repeated': { at: place, times: fc.integer({ min: 1, max: 300 }) },
  'unicode added': { at: place, text: fc.string({ unit: 'binary', maxLength: 8 }) },
  'number changed': { at: place, value: fc.constantFrom(...values) },
}
export const textMutation = anyOf(textMutations)
export type TextMutation = MutationOf<typeof textMutations>

export function mutateText(file: Buffer, mutation: TextMutation): Buffer {
  const svg = file.toString('utf8')
  switch (mutation.do) {
    case 'text added':
    case 'unicode added':
      return splice(svg, matchAt(svg, /[<>]/g, mutation.at)?.index ?? 0, 0, mutation.text)
    case 'value changed':
      return replace(svg, matchAt(svg, /(["'])[^"']*\1/g, mutation.at), JSON.stringify(mutation.value))
    case 'number changed':
      return replace(svg, matchAt(svg, /-?\d+(\.\d+)?/g, mutation.at), mutation.value)
    case 'attribute added': {
      const tag = matchAt(svg, /<[a-zA-Z]+/g, mutation.at)
      return tag ? splice(svg, tag.index + tag[0].length, 0, ` ${mutation.name}="${mutation.value}"`) : file
    }
    case 'nested': {
      const tag = matchAt(svg, /<[a-zA-Z]+[^>]*\/>/g, mutation.at)
      return replace(svg, tag, `${'<g>'.repeat(mutation.depth)}${tag?.[0]}${'</g>'.repeat(mutation.depth)}`)
    }
    case 'element repeated': {
      const tag = matchAt(svg, /<[a-zA-Z]+[^>]*\/>/g, mutation.at)
      return replace(svg, tag, (tag?.[0] ?? '').repeat(mutation.times))
    }
  }
}

function matchAt(svg: string, pattern: RegExp, where: number) {
  const found = [...svg.matchAll(pattern)]
  return found[at(found.length, where)]
}

const replace = (svg: string, found: RegExpExecArray | undefined, text: string) =>
  found ? splice(svg, found.index, found[0].length, text) : Buffer.from(svg)
const splice = (svg: string, start: number, length: number, text: string) =>
  Buffer.from(svg.slice(0, start) + text + svg.slice(start + length))
