import { expect, test } from 'vitest'
import { catalogue } from 'virtual:api-catalogue'
import { languages } from '../../../../contract/derive/samples/languages.ts'
import { highlight, highlightLines, type CodeLanguage } from './highlight.ts'
import { highlightingOf } from './sample-language.ts'

/** Each token with a kind as `kind:text`. */
const kinds = (code: string, language: CodeLanguage) =>
  highlight(code, language)
    .filter(([, kind]) => kind !== undefined && kind !== 'punctuation')
    .map(([text, kind]) => `${kind}:${text}`)

test.each<[CodeLanguage, string, string[]]>([
  [
    'json',
    '{"a": "b", "c\\"": [1.5e-3, true, null]}',
    ['function:"a"', 'string:"b"', 'function:"c\\""', 'constant:1.5e-3', 'constant:true', 'constant:null'],
  ],
  ['json', '"half\n1', ['string:"half', 'constant:1']],
  [
    'shell',
    `curl -X POST 'a "b" -c' \\\n  -H "d"`,
    ['keyword:curl', 'attribute:-X', 'constant:POST', `string:'a "b" -c'`, 'attribute:-H', 'string:"d"'],
  ],
  [
    'javascript',
    "const a = await fetch('x') // if",
    ['keyword:const', 'keyword:await', 'function:fetch', "string:'x'", 'comment:// if'],
  ],
  ['python', 'import requests  # get', ['keyword:import', 'comment:# get']],
  ['php', "<?php\n$a = curl_init('x');", ['keyword:<?php', 'attribute:$a', 'function:curl_init', "string:'x'"]],
  [
    'csharp',
    'var a = new Uri("x"); // y',
    ['keyword:var', 'keyword:new', 'function:Uri', 'string:"x"', 'comment:// y'],
  ],
  ['text', 'const "a"', []],
])('%s: %s', (language, code, expected) => {
  expect(kinds(code, language)).toEqual(expected)
})

test('preserves every character of every sample in every language', () => {
  for (const endpoint of catalogue) {
    for (const { id, write } of languages) {
      const code = write(endpoint, { base: 'http://localhost' })
      const lines = highlightLines(code, highlightingOf[id]).map((line) => line.map(([text]) => text).join(''))
      expect(lines.join('\n')).toBe(code)
    }
  }
})

test.each(['"', '"\\', '{', ' ', 'a('])('four times the length of %j costs about four times the work', (part) => {
  /** Of CPU, which another process does not take. */
  const costMs = (length: number) => {
    const code = part.repeat(length / part.length)
    const runs = [0, 1, 2].map(() => {
      const start = process.cpuUsage()
      for (const language of ['json', 'shell', 'javascript', 'python', 'php', 'csharp'] as const)
        highlight(code, language)
      const { user, system } = process.cpuUsage(start)
      return (user + system) / 1000
    })
    return Math.min(...runs)
  }
  // Linear work grows by 4, quadratic by 16. Below 20 ms the measurement is noise.
  expect(costMs(60_000) / Math.max(costMs(15_000), 20)).toBeLessThan(10)
})
