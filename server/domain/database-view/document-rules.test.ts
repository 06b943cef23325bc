import { describe, expect, it } from 'vitest'
import { Failure } from '../shared/failure.ts'
import { readDocument, assertNoOperators, assertSafePatch, toBody } from './document-rules.ts'

const nested = (levels: number, open = '{"a":', close = '}') =>
  JSON.parse(`${open.repeat(levels)}1${close.repeat(levels)}`)

describe('readDocument', () => {
  it.each([
    ['a text', { _id: 'abc' }, 'abc'],
    ['an object id', { _id: { $oid: '65f0c0ffee0000000000beef' } }, '65f0c0ffee0000000000beef'],
    ['a number', { _id: 42 }, '42'],
    ['a long number', { _id: { $numberLong: '42' } }, '42'],
    ['an emoji', { _id: '🦊' }, '🦊'],
    ['nothing', {}, undefined],
    ['null', { _id: null }, undefined],
  ])('preserves an _id that is %s', (_, given, id) => {
    expect(readDocument(given).id).toBe(id)
  })

  it.each([
    ['empty', ''],
    ['too long', 'x'.repeat(201)],
    ['NUL', 'a\0b'],
    ['a line end', 'a\nb'],
    ['half a character', '\ud800'],
    ['a step up', '..'],
    ['a flag', true],
    ['an object', { a: 1 }],
    ['a list', ['a']],
  ])('refuses an _id that is %s', (_, id) => {
    expect(() => readDocument({ _id: id })).toThrow(/^_id: /)
  })

  it.each([
    ['2024-05-06T07:08:09.000Z', '2024-05-06T07:08:09.000Z'],
    [1_714_979_289_000, '2024-05-06T07:08:09.000Z'],
    [{ $date: '2024-05-06T07:08:09Z' }, '2024-05-06T07:08:09.000Z'],
    [{ $date: { $numberLong: '1714979289000' } }, '2024-05-06T07:08:09.000Z'],
    [{ $date: 1_714_979_289_000 }, '2024-05-06T07:08:09.000Z'],
  ])('reads createdAt %j', (createdAt, expected) => {
    expect(new Date(readDocument({ createdAt }).createdAt ?? 0).toISOString()).toBe(expected)
  })

  it.each(['yesterday', {}, [], true, { $date: 'never' }, 1e300])('refuses createdAt %j', (createdAt) => {
    expect(() => readDocument({ createdAt })).toThrow('createdAt: must be a date')
  })

  it.each([
    [0, 0],
    [7, 7],
    [{ $numberInt: '3' }, 3],
    [-1, 0],
    [1.5, 0],
    ['2', 0],
    [1e12, 0],
    [undefined, 0],
  ])('reads __v %j as %j', (given, version) => {
    expect(readDocument({ __v: given }).version).toBe(version)
  })

  it("converts MongoDB's extended JSON to plain values at any depth", () => {
    const { fields } = readDocument({
      owner: { $oid: '65f0' },
      tags: [{ $numberInt: '1' }, { $numberDouble: '1.5' }, { $numberLong: '9007199254740993' }],
      price: { $numberDecimal: '9.90' },
      deep: { at: { $date: { $numberLong: '0' } } },
      plain: { $oid: 'a', other: 1 },
      odd: { $date: 'never' },
    })
    expect(fields).toEqual({
      owner: '65f0',
      tags: [1, 1.5, '9007199254740993'],
      price: '9.90',
      deep: { at: '1970-01-01T00:00:00.000Z' },
      plain: { $oid: 'a', other: 1 },
      odd: { $date: 'never' },
    })
  })

  it.each([
    { $oid: 'hello' },
    { $oid: 'x'.repeat(900_000) },
    { $numberInt: 5 },
    { $numberDecimal: '9.90' },
    { $date: '2026-01-01T00:00:00.000Z' },
  ])('reads a document that looks like an extended JSON value as a document: %j', (given) => {
    expect(readDocument(given)).toEqual({ id: undefined, createdAt: undefined, version: 0, fields: given })
  })

  it('preserves names and strings of any kind', () => {
    const given = {
      '': 1,
      '🦊': '🦊',
      'a.b': { $set: 1 },
      html: '<script>alert(1)</script>',
      toString: 1,
      ['x'.repeat(64)]: null,
    }
    expect(readDocument(given).fields).toEqual(given)
  })

  it.each([
    ['__proto__', '{"__proto__":{"x":1}}'],
    ['constructor', '{"constructor":1}'],
    ['prototype', '{"a":[{"prototype":1}]}'],
    ['a name of 65 characters', `{"${'x'.repeat(65)}":1}`],
    ['a number that is none', '{"a":[1e400]}'],
    ['33 levels', JSON.stringify(nested(33))],
    ['half a million levels', `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`],
    ['a list', '[]'],
    ['a text', '"a"'],
    ['null', 'null'],
  ])('refuses %s', (_, json) => {
    expect(() => readDocument(JSON.parse(json))).toThrow(Failure)
  })

  it('accepts 32 levels', () => {
    expect(readDocument(nested(32)).fields).toEqual(nested(32))
  })
})

describe('a patch', () => {
  it.each(['_id', 'createdAt', '__v', '__proto__', 'constructor', 'prototype'])('cannot contain %s', (key) => {
    expect(() => assertSafePatch(JSON.parse(`{"${key}":1}`))).toThrow(Failure)
  })

  it.each([{ $set: 1 }, { 'a.b': 1 }, { a: { $inc: 1 } }, { a: [{ 'b.c': 1 }] }])('cannot set %j', (edited) => {
    expect(() => assertNoOperators(edited)).toThrow(Failure)
  })

  it('can set all other fields', () => {
    const fields = { a: '$5.00', b: { c: [1, null, 'x.y'] } }
    assertSafePatch(fields)
    assertNoOperators(fields)
  })
})

describe('toBody', () => {
  it('measures UTF-8 and refuses more than 1 MB', () => {
    expect(toBody({ a: 'ä' })).toEqual({ body: '{"a":"ä"}', bytes: 10 })
    expect(() => toBody({ a: 'ä'.repeat(524_288) })).toThrow('The body is larger than 1048576 bytes')
  })
})
