// The value of a CSS property, read token by token and written anew. Also for presentation attributes, which browsers
// read by the same grammar.
// @NOTE Safety lies in what is written, not in how the source is read: balanced brackets, strings without anything but
// words, functions of one list, url(#id) alone, and no backslash, comment, `@`, `{`, `}`, `;` or `<`.

import { cssFunctions } from './allowed.ts'

/** Characters of an id or a class. Not `%`: browsers decode it in references, so #%61 would be another way to say #a. */
export const nameCharacters = String.raw`\p{L}\p{M}\p{N}_.:\/+=~|$!-`

const token = new RegExp(
  [
    String.raw`(?<space>\s+)`,
    String.raw`(?<string>"[\p{L}\p{M}\p{N}\s_.,:+&#%\/-]*"|'[\p{L}\p{M}\p{N}\s_.,:+&#%\/-]*')`,
    String.raw`url\(\s*(?<quote>["']?)#(?<id>[${nameCharacters}]+)\k<quote>\s*\)`,
    String.raw`(?<opened>[a-z][a-z0-9-]*)(?<gap>\s*)\(`,
    String.raw`(?<word>(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?:%|[a-z]+)?)|#[a-z0-9_-]+|-{0,2}[\p{L}_][\p{L}\p{M}\p{N}_-]*)`,
    String.raw`(?<bracket>[()])`,
    String.raw`(?<sign>,|\/(?!\*)|\*(?!\/)|[+-])`,
  ].join('|'),
  'iuy',
)

interface Permissions {
  /** url(#id) may stand here. */
  mayRefer: boolean
  /** SVG's own transform lists may have a space before the bracket; in CSS it would be no function. */
  mayGap?: boolean
}

/** The value as it may be written, or undefined when any part of it is not known to be harmless. */
export function readValue(source: string, { mayRefer, mayGap = false }: Permissions): string | undefined {
  const written: string[] = []
  let depth = 0
  token.lastIndex = 0
  while (token.lastIndex < source.length) {
    const found = token.exec(source)
    if (!found?.groups) return undefined
    const { space, string, id, opened, gap, word, bracket, sign } = found.groups
    if (space !== undefined) written.push(' ')
    else if (string !== undefined) written.push(`'${string.slice(1, -1)}'`)
    else if (id !== undefined) {
      if (!mayRefer) return undefined
      written.push(`url(#${id})`)
    } else if (opened !== undefined) {
      if (!cssFunctions.has(opened.toLowerCase()) || (gap !== '' && !mayGap)) return undefined
      written.push(`${opened}(`)
      depth++
    } else if (bracket === ')') {
      written.push(')')
      if (--depth < 0) return undefined
    } else if (bracket === '(') {
      // A group in calc(). Behind a word it would make a function of it.
      if (!/[\s(,*/+-]$/.test(written.at(-1) ?? '')) return undefined
      written.push('(')
      depth++
    } else written.push(word ?? sign ?? '')
  }
  return depth === 0 ? written.join('').trim() : undefined
}

/** The ids that a written value names. */
export const referencesIn = (written: string): string[] =>
  [...written.matchAll(/url\(#([^)]+)\)/g)].map(([, id = '']) => id)
