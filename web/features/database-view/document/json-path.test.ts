import { describe, expect, it } from 'vitest'
import { codePath, pathText, sizeOf, valueAt, type JsonPath } from './json-path.ts'

describe('a path', () => {
  it.each<[JsonPath, string, string]>([
    [[], '', ''],
    [['address'], 'address', 'address'],
    [['address', 'geo', 0], 'address > geo > 0', 'address.geo[0]'],
    [['a.b', '', 'say "hi"'], 'a.b > "" > say "hi"', '["a.b"][""]["say \\"hi\\""]'],
    [['0', '__proto__'], '0 > __proto__', '["0"].__proto__'],
  ])('%j is displayed as %s and written as %s', (path, text, code) => {
    expect(pathText(path)).toBe(text)
    expect(codePath(path)).toBe(code)
  })
})

describe('the value at a path', () => {
  const document: unknown = JSON.parse('{"a":{"b":[1,{"":null}]},"text":"abc","__proto__":{"x":1}}')

  it.each<[JsonPath, unknown]>([
    [[], document],
    [['a', 'b', 0], 1],
    [['a', 'b', 1, ''], null],
    [['__proto__', 'x'], 1],
    [['a', '__proto__'], undefined],
    [['a', 'constructor'], undefined],
    [['text', 0], undefined],
    [['text', 'length'], undefined],
    [['a', 'b', 2], undefined],
    [['gone', 'further'], undefined],
  ])('%j', (path, value) => expect(valueAt(document, path)).toEqual(value))
})

it('counts keys and items', () => {
  expect(sizeOf({ a: 1, b: 2 })).toBe(2)
  expect(sizeOf([1, 2, 3])).toBe(3)
})
