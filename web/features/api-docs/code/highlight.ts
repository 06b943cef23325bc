// Syntax highlighting at run time for JSON and the samples. One table per language, matched from left to right; text that no
// pattern matches stays plain. The classes are those of styles/code.css.

export type CodeLanguage = 'json' | 'shell' | 'javascript' | 'python' | 'php' | 'csharp' | 'text'
type Kind = 'comment' | 'keyword' | 'string' | 'function' | 'constant' | 'punctuation' | 'attribute'
export type Token = readonly [text: string, kind?: Kind]

/** An unclosed string ends at the end of the line: searching further for each quote would take quadratic time. */
const string = String.raw`"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?`
const number = String.raw`-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b`
const punctuation = String.raw`[{}()[\],;:]`
const call = String.raw`\b[A-Za-z_]\w*(?=\()`
const words = (list: string) => String.raw`\b(?:${list.replaceAll(' ', '|')})\b`

const rows: Record<CodeLanguage, [Kind, string][]> = {
  text: [],
  json: [
    ['function', String.raw`"(?:[^"\\\n]|\\.)*"(?=\s*:)`],
    ['string', String.raw`"(?:[^"\\\n]|\\.)*"?`],
    ['constant', `${number}|${words('true false null')}`],
    ['punctuation', punctuation],
  ],
  shell: [
    ['comment', String.raw`(?<=^|\n)#.*`],
    ['string', String.raw`"(?:[^"\\]|\\.)*"?|'[^']*'?`],
    ['keyword', words('curl')],
    ['attribute', String.raw`(?<=\s)--?[A-Za-z][\w-]*`],
    ['constant', words('GET POST PUT PATCH DELETE')],
    ['punctuation', String.raw`\\(?=\n)`],
  ],
  javascript: [
    ['comment', String.raw`\/\/.*`],
    ['string', `${string}|${'`(?:[^`\\\\]|\\\\.)*`?'}`],
    ['keyword', words('import from export const let function async await return if throw new typeof')],
    ['constant', `${number}|${words('true false null undefined')}`],
    ['function', call],
    ['punctuation', punctuation],
  ],
  python: [
    ['comment', '#.*'],
    ['string', `[frb]?(?:${string})`],
    ['keyword', words('import from as with def return if else for in raise not and or')],
    ['constant', `${number}|${words('True False None')}`],
    ['function', call],
    ['punctuation', punctuation],
  ],
  php: [
    ['comment', String.raw`\/\/.*`],
    ['keyword', String.raw`<\?php|${words('use new return if throw echo function true false null')}`],
    ['attribute', String.raw`\$\w+`],
    ['string', string],
    ['constant', String.raw`${number}|\bCURL\w+`],
    ['function', call],
    ['punctuation', punctuation],
  ],
  csharp: [
    ['comment', String.raw`\/\/.*`],
    ['string', String.raw`"""[\s\S]*?"""|[$@]?(?:${string})`],
    ['keyword', words('using var new await async return string class public static if throw')],
    ['constant', `${number}|${words('true false null')}`],
    ['function', call],
    ['punctuation', punctuation],
  ],
}

export function highlight(code: string, language: CodeLanguage): Token[] {
  const kinds = rows[language]
  if (kinds.length === 0) return [[code]]
  const found = code.matchAll(new RegExp(kinds.map(([, pattern]) => `(${pattern})`).join('|'), 'g'))
  const tokens: Token[] = []
  let end = 0
  for (const match of found) {
    if (match.index > end) tokens.push([code.slice(end, match.index)])
    tokens.push([match[0], kinds[match.slice(1).findIndex((group) => group !== undefined)]?.[0]])
    end = match.index + match[0].length
  }
  if (end < code.length) tokens.push([code.slice(end)])
  return tokens
}

/** The tokens of each line: a token that spans several lines is split. */
export function highlightLines(code: string, language: CodeLanguage): Token[][] {
  const lines: Token[][] = [[]]
  for (const [text, kind] of highlight(code, language)) {
    for (const [at, part] of text.split('\n').entries()) {
      if (at > 0) lines.push([])
      if (part !== '') lines.at(-1)?.push([part, kind])
    }
  }
  return lines
}
