import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseImageQuery, queryOperators } from '../contract/plain/image-query.ts'

test('the page about searching names every operator, and its examples are queries', () => {
  const page = readFileSync(new URL('../docs/search.md', import.meta.url), 'utf8')
  const heads = [...page.matchAll(/^- (`.*?`): /gm)].map(([, head = '']) => head)
  const examples = heads.flatMap((head) => [...head.matchAll(/`([^`]+)`/g)].map(([, example = '']) => example))
  for (const example of examples) expect([example, parseImageQuery(example).problem]).toEqual([example, undefined])
  for (const name of Object.keys(queryOperators))
    expect(examples.some((example) => example.startsWith(`${name}:`))).toBe(true)
})
