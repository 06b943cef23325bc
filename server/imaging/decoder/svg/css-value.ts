// The value of a CSS property, parsed token by token and serialized again. Also for presentation attributes, which browsers
// parse with the same grammar.
// @NOTE Safety depends on what is written, not on how the source is parsed: balanced brackets, strings of words only,
// functions of one list, url(#id) only, and no backslash, comment, `@`, `{`, `}`, `;` or `<`.

import { cssFunctions } from './allowed.ts'

/** Characters of an id or a class. Not `%`: browsers decode it in references, so #%61 would be an alias of #a. */
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
  /** url(#id) is allowed. */
  allowUrlReferences: boolean
  /** SVG transform lists allow a space before the parenthesis; in CSS that would not be a function. */
  allowSpaceBeforeParen?: boolean
}

/** The serialized value, or undefined when a part of it is not known to be harmless. */
export function sanitizeCssValue(
  source: string,
  { allowUrlReferences, allowSpaceBeforeParen = false }: Permissions,
): string | undefined {
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
      if (!allowUrlReferences) return undefined
      written.push(`url(#${id})`)
    } else if (opened !== undefined) {
      if (!cssFunctions.has(opened.toLowerCase()) || (gap !== '' && !allowSpaceBeforeParen)) return undefined
      written.push(`${opened}(`)
      depth++
    } else if (bracket === ')') {
      written.push(')')
      if (--depth < 0) return undefined
    } else if (bracket === '(') {
      // A group in calc(). After an identifier it would become a function call.
      if (!/[\s(,*/+-]$/.test(written.at(-1) ?? '')) return undefined
      written.push('(')
      depth++
    } else written.push(word ?? sign ?? '')
  }
  return depth === 0 ? written.join('').trim() : undefined
}

/** The ids that a serialized value refers to. */
export const referencesIn = (written: string): string[] =>
  [...written.matchAll(/url\(#([^)]+)\)/g)].map(([, id = '']) => id)
