// Unusual documents, ids and names can be listed, read, changed and deleted over HTTP.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'

const pin = '4711'
let app: TestApp
let token: string
let dbToken: string
beforeAll(async () => {
  app = await startTestApp({ DB_VIEW_PIN: pin })
  token = (await app.newUser()).token
  dbToken = (await app.call('POST', '/db/unlock', { token, body: { pin } })).body.token
})
afterAll(() => app.stop())

const call = (method: string, path: string, body?: unknown) =>
  app.call(method, `/db/collections${path}`, { token, body, headers: { 'x-db-token': dbToken } })
const at = (name: string) => `/${encodeURIComponent(name)}`
const one = (name: string, id: string) => `${at(name)}/documents/${encodeURIComponent(id)}`

/** The whole life of a document. */
async function live(name: string, _id: string, fields: object): Promise<void> {
  const before = { ...fields, _id, createdAt: expect.any(String), __v: 0 }
  expect(await call('POST', `${at(name)}/documents`, { _id, ...fields })).toMatchObject({
    status: 201,
    body: { ids: [_id] },
  })
  expect((await call('GET', '')).body.collections).toContain(name)
  expect((await call('GET', at(name))).body).toMatchObject({ total: 1, documents: [before] })
  expect((await call('GET', one(name, _id))).body.document).toEqual(before)
  const after = { ...before, edited: [1], __v: 1 }
  expect((await call('PATCH', one(name, _id), { ...fields, edited: [1] })).body.document).toEqual(after)
  expect((await call('GET', at(name))).body.documents).toEqual([after])
  expect((await call('DELETE', `${at(name)}/documents`, { ids: [_id] })).body).toEqual({ deleted: 1 })
  expect((await call('GET', one(name, _id))).status).toBe(404)
  expect((await call('DELETE', at(name))).body).toEqual({ success: true })
  expect((await call('GET', at(name))).status).toBe(404)
}

const nested = (levels: number): unknown => (levels === 0 ? 'deep' : { a: [nested(levels - 2)] })

describe('documents with', () => {
  const documents: [string, object][] = [
    ['a text of 1 MB', { text: 'x'.repeat(limits.documents.maxBytes - 200) }],
    ['a text of 1 MB of four-byte letters', { text: '🦊'.repeat(limits.documents.maxBytes / 4 - 100) }],
    ['32 levels', { a: nested(30) }],
    ['an empty name', { '': 1, nested: { '': { '': 2 } } }],
    ['dots and dollars in names', { 'a.b': 1, $x: 2, nested: [{ '$y.z': { $set: 1 } }] }],
    [
      'names of JavaScript',
      { toString: 1, hasOwnProperty: 2, valueOf: 3, toJSON: 4, length: 5, pipe: 6, ['th' + 'en']: 7 },
    ],
    ['names of the reply', { document: 1, documents: [], items: 2, nextCursor: 3, total: 4, id: 5, v: 6 }],
    ['names that look like numbers', { '0': 'a', '10': 'b', '-1': 'c', '1e3': 'd' }],
    ['markup', { '<b>': '<script>alert(1)</script>', text: '<img src=x onerror=alert(1)>' }],
    ['writing from right to left', { שלום: '\u202eabc\u202c', مرحبا: 'عالم' }],
    ['signs that control', { 'a\u0007b': '\u0001\u001b[31m\u007f', text: 'line\r\n\u2028\u2029\ufeff' }],
    ['emojis', { '👩‍👩‍👧‍👦': '🏳️‍🌈', '🦊': { '🐻': ['🐼'] } }],
    ['half a letter', { text: '\ud800', list: ['\udfff'] }],
    ['a name of 64 letters', { ['ä'.repeat(64)]: true }],
    ['letters with their accents apart', { 'e\u0301': 1, é: 2 }],
    ['nothing', {}],
  ]
  it.each(documents)('%s', async (title, fields) => live(`with ${title}`, 'id', fields))
})

describe('ids of', () => {
  const ids = [
    ...[
      '/',
      'a/b',
      '//',
      'a/../b',
      '../..',
      '%',
      '%2F',
      '%zz',
      '?',
      '?a=b&c',
      '#',
      ' ',
      ' a b ',
      '+',
      '&',
      '=',
      ';',
      ':',
      '\\',
    ],
    ...['.a', '...', '%2e%2e', '*', '(a)', '{id}', "'", '"', '`', '$&', '<b>', '|', '~', '@', '!', ','],
    ...['__proto__', 'constructor', 'toString', 'null', 'undefined', '0', '-1', 'documents', 'true'],
    ...[
      '🦊',
      '🦊'.repeat(100),
      'ä'.repeat(200),
      '日本語',
      'שלום',
      '\u202e',
      '\u200b',
      'e\u0301',
      "'; drop table documents; --",
    ],
  ]
  it('any script', async () => {
    expect(
      (
        await call(
          'POST',
          '/ids/documents',
          ids.map((_id) => ({ _id, own: _id })),
        )
      ).body.ids,
    ).toEqual(ids)
    const { documents } = (await call('GET', '/ids?limit=100')).body
    expect(documents.map(({ _id }: { _id: string }) => _id)).toEqual(ids)
    for (const id of ids) {
      expect((await call('GET', one('ids', id))).body.document).toMatchObject({ _id: id, own: id })
      const patched = await call('PATCH', one('ids', id), { edited: true })
      expect(patched.body.document).toMatchObject({ _id: id, own: id, edited: true, __v: 1 })
    }
    expect((await call('DELETE', '/ids/documents', { ids: ids.slice(1) })).body).toEqual({ deleted: ids.length - 1 })
    expect((await call('GET', '/ids')).body).toMatchObject({ total: 1, documents: [{ _id: ids[0] }] })
  })

  it.each(['.', '..', '', 'a\nb', 'x'.repeat(201), '\u2028', '\ud800'])('%j are refused', async (id) => {
    expect((await call('POST', '/ids/documents', { _id: id })).body).toMatchObject({
      code: 'invalid_input',
      error: expect.stringContaining('_id'),
    })
  })

  it('different case and accents are distinct', async () => {
    const many = ['a', 'A', 'ä', 'a\u0308', 'å', 'ß', 'ss', ' a', 'a ']
    expect(
      (
        await call(
          'POST',
          '/cases/documents',
          many.map((_id) => ({ _id })),
        )
      ).body.ids,
    ).toEqual(many)
    const { documents } = (await call('GET', '/cases')).body
    expect(documents.map(({ _id }: { _id: string }) => _id)).toEqual(many)
    expect((await call('DELETE', '/cases/documents', { ids: ['a', 'ä', 'a '] })).body).toEqual({ deleted: 3 })
    expect((await call('GET', '/cases')).body.total).toBe(6)
  })
})

describe('collections named', () => {
  const names = [
    ...[
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      'hasOwnProperty',
      'valueOf',
      'then',
      'length',
      'null',
      '0',
    ],
    ...[
      'a/b',
      '/',
      '%',
      '%2F',
      '%zz',
      '?',
      '#',
      'a b',
      '...',
      '*',
      '$&',
      '<img src=x onerror=alert(1)>',
      "it's",
      '"',
      '\\',
    ],
    ...['documents', 'collections', 'Users', 'users ​', '🦊'.repeat(32), 'ä'.repeat(64), 'שלום', '\u202eabc', '日本語'],
  ]
  it.each(names)('%s', async (name) => live(name, 'a/b', { n: 1 }))

  it.each(['.', '..'])('not %s, which an address swallows', async (name) => {
    for (const path of [`/${name}/documents`, `/%2e${name.slice(1).replace('.', '%2e')}/documents`]) {
      const { status } = await call('POST', path, {})
      expect([400, 404, 405]).toContain(status)
    }
  })
})
