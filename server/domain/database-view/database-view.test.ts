// The database browser over HTTP: who may what, and what the documents of a collection do.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseView, systemCollectionNames } from '../../../contract/endpoints/database-view.ts'
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import { type RouteName, routes } from '../../../contract/plain/routes.ts'
import { type ApiResponse, startTestApp, type TestApp } from '../../testing/app.ts'
import { fieldsOf } from '../../testing/image-columns.ts'
import { jpeg } from '../../testing/test-images.ts'
import { nextBatch, sweepCollections } from './collections.ts'
import { insertDocuments } from './insert-documents.ts'

interface Visitor {
  token: string
  id: string
  email: string
  dbToken: string
}

const pin = '4711'
let app: TestApp
let user: Visitor
let admin: Visitor
beforeAll(async () => {
  app = await startTestApp({ DB_VIEW_PIN: pin })
  user = await newVisitor()
  admin = await newVisitor(true)
})
afterAll(() => app.stop())

async function newVisitor(isAdmin = false, of = app): Promise<Visitor> {
  const account = await of.newUser()
  if (isAdmin) await of.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', account.id).execute()
  // A changed role may end sessions.
  const { body } = await of.call('POST', '/api/login', { body: { email: account.email, password: 'secret-1' } })
  return { ...account, token: body.token, dbToken: await unlock(body.token, of) }
}

async function unlock(token: string, of = app): Promise<string> {
  const { status, body } = await of.call('POST', '/db/unlock', { token, body: { pin } })
  if (status !== 200) throw new Error(`The PIN was refused: ${JSON.stringify(body)}`)
  return body.token
}

type Who = Pick<Visitor, 'token' | 'dbToken'>
const call = (who: Who, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  app.call(method, path, { token: who.token, body, headers: { 'x-db-token': who.dbToken, ...headers } })

const at = (name: string, id?: string) =>
  `/db/collections/${encodeURIComponent(name)}${id === undefined ? '' : `/documents/${encodeURIComponent(id)}`}`
const get = (who: Who, name: string, id?: string) => call(who, 'GET', at(name, id))
const add = (who: Who, name: string, body: unknown) => call(who, 'POST', `${at(name)}/documents`, body)
const patch = (who: Who, name: string, id: string, body: unknown, version?: string) =>
  call(who, 'PATCH', at(name, id), body, version === undefined ? {} : { 'if-match': version })
const remove = (who: Who, name: string, ids: unknown) => call(who, 'DELETE', `${at(name)}/documents`, { ids })
const code = ({ status, body }: ApiResponse) => [status, body.code]

/** With the password: some tests move the clock by days, and the login counts for minutes only. */
const newKey = (who: Who, name?: string) =>
  app.call('POST', '/api/api-keys', { token: who.token, body: { name, currentPassword: 'secret-1' } })

let names = 0
/** A fresh collection with these documents. */
async function collection(...documents: object[]): Promise<string> {
  const name = `c${names++}`
  if (documents.length > 0) expect((await add(user, name, documents)).status).toBe(201)
  return name
}

describe('access to the database browser', () => {
  const gated = (Object.keys(databaseView) as (keyof typeof databaseView)[]).filter((name) => name !== 'unlockDatabase')
  const callOf = (name: RouteName, token?: string, dbToken?: string) => {
    const [method = '', path = ''] = routes[name].split(' ')
    const bodies: Partial<Record<RouteName, unknown>> = {
      createDocuments: {},
      updateDocument: {},
      deleteDocuments: { ids: ['x'] },
    }
    return app.call(method, path.replace('{name}', 'guarded').replace('{id}', 'x'), {
      token,
      body: bodies[name],
      headers: dbToken === undefined ? {} : { 'x-db-token': dbToken },
    })
  }

  it('has all endpoints under /db', () => {
    for (const name of Object.keys(databaseView) as RouteName[]) expect(routes[name]).toMatch(/^[A-Z]+ \/db\//)
  })

  it.each(gated)('%s requires the PIN', async (name) => {
    const expired = await newVisitor()
    const locked = await newVisitor()
    await app.call('POST', '/db/lock', { token: locked.token, headers: { 'x-db-token': locked.dbToken } })
    const loggedOut = await newVisitor()
    await app.call('POST', '/api/logout', { token: loggedOut.token })
    const key = (await newKey(admin)).body.key

    expect(code(await callOf(name))).toEqual([401, 'authentication_required'])
    expect(code(await callOf(name, undefined, user.dbToken))).toEqual([401, 'authentication_required'])
    expect(code(await callOf(name, user.token))).toEqual([401, 'database_locked'])
    expect(code(await callOf(name, admin.token))).toEqual([401, 'database_locked'])
    expect(code(await callOf(name, user.token, ''))).toEqual([401, 'database_locked'])
    expect(code(await callOf(name, user.token, 'x'.repeat(43)))).toEqual([401, 'database_locked'])
    expect(code(await callOf(name, user.token, admin.dbToken))).toEqual([401, 'database_locked'])
    expect(code(await callOf(name, admin.token, user.dbToken))).toEqual([401, 'database_locked'])
    expect(code(await callOf(name, locked.token, locked.dbToken))).toEqual([401, 'database_locked'])
    expect(code(await callOf(name, loggedOut.token, loggedOut.dbToken))).toEqual([401, 'invalid_token'])
    expect(code(await callOf(name, key, admin.dbToken))).toEqual([403, 'api_key_not_enough'])

    const otherSession = await app.call('POST', '/api/login', { body: { email: user.email, password: 'secret-1' } })
    expect(code(await callOf(name, otherSession.body.token, user.dbToken))).toEqual([401, 'database_locked'])

    app.moveClock(limits.pin.unlockMs)
    expect(code(await callOf(name, expired.token, expired.dbToken))).toEqual([401, 'database_locked'])
    user.dbToken = await unlock(user.token)
    admin.dbToken = await unlock(admin.token)
  })

  it('unlocks for exactly 15 minutes', async () => {
    const visitor = await newVisitor()
    app.moveClock(limits.pin.unlockMs - 60_000)
    expect((await call(visitor, 'GET', '/db/collections')).status).toBe(200)
    app.moveClock(60_000)
    expect((await call(visitor, 'GET', '/db/collections')).status).toBe(401)
    user.dbToken = await unlock(user.token)
    admin.dbToken = await unlock(admin.token)
  })

  it('is locked for every tab of the session', async () => {
    const visitor = await newVisitor()
    const second = { ...visitor, dbToken: await unlock(visitor.token) }
    expect((await call(second, 'POST', '/db/lock')).status).toBe(200)
    expect((await call(visitor, 'GET', '/db/collections')).status).toBe(401)
  })

  it.each([
    [{ pin: '0000' }, 403, 'wrong_pin'],
    [{ pin: '123' }, 400, 'invalid_input'],
    [{ pin: '12345' }, 400, 'invalid_input'],
    [{ pin: '12a4' }, 400, 'invalid_input'],
    [{ pin: '١٢٣٤' }, 400, 'invalid_input'],
    [{ pin: 4711 }, 400, 'invalid_input'],
    [{ pin: ['4711'] }, 400, 'invalid_input'],
    [{}, 400, 'invalid_input'],
    [{ pin, more: 1 }, 400, 'invalid_input'],
  ])('is not unlocked with %j', async (body, status, failure) => {
    const { token } = await app.newUser()
    const answer = await app.call('POST', '/db/unlock', { token, body })
    expect(code(answer)).toEqual([status, failure])
    if (status === 403) expect(answer.body.error).toBe('Incorrect PIN. Please try again.')
  })

  it('requires a login to unlock, not an API key', async () => {
    expect(code(await app.call('POST', '/db/unlock', { body: { pin } }))).toEqual([401, 'authentication_required'])
    const key = (await newKey(admin)).body.key
    expect(code(await app.call('POST', '/db/unlock', { token: key, body: { pin } }))).toEqual([
      403,
      'api_key_not_enough',
    ])
  })

  it('stores no token in plain text', async () => {
    const rows = JSON.stringify(await app.deps.db.selectFrom('database_unlocks').selectAll().execute())
    expect(rows).not.toContain(user.dbToken)
    expect(JSON.stringify(app.logged)).not.toContain(user.dbToken)
  })

  it('restricts the browser to admins with DB_VIEW_ROLE=admin', async () => {
    const strict = await startTestApp({ DB_VIEW_PIN: pin, DB_VIEW_ROLE: 'admin' })
    try {
      const { token } = await strict.newUser()
      expect(code(await strict.call('POST', '/db/unlock', { token, body: { pin } }))).toEqual([403, 'forbidden'])
      expect(code(await strict.call('GET', '/db/collections', { token }))).toEqual([403, 'forbidden'])
      const adminLogin = await newVisitor(true, strict)
      const headers = { 'x-db-token': adminLogin.dbToken }
      expect((await strict.call('GET', '/db/collections', { token: adminLogin.token, headers })).status).toBe(200)
    } finally {
      await strict.stop()
    }
  })
})

describe('collections', () => {
  it('are listed by name, the system ones first and for admins only', async () => {
    const name = await collection({})
    const seen = (await call(user, 'GET', '/db/collections')).body
    expect(seen.collections).toContain(name)
    expect(seen.collections).toEqual(seen.collections.toSorted())
    expect(seen.system).toEqual([])
    for (const system of systemCollectionNames) expect(seen.collections).not.toContain(system)
    const all = (await call(admin, 'GET', '/db/collections')).body
    expect(all.system).toEqual([...systemCollectionNames])
    expect(all.collections).toEqual([...all.system, ...seen.collections])
  })

  it('are deleted completely, and can be created again', async () => {
    const name = await collection({ _id: 'a' }, { _id: 'b' })
    expect(await call(user, 'DELETE', at(name))).toMatchObject({ status: 200, body: { success: true } })
    expect(code(await get(user, name))).toEqual([404, 'collection_not_found'])
    expect(code(await get(user, name, 'a'))).toEqual([404, 'collection_not_found'])
    expect(code(await call(user, 'DELETE', at(name)))).toEqual([404, 'collection_not_found'])
    expect((await add(user, name, { _id: 'a', again: true })).status).toBe(201)
    expect((await get(user, name)).body).toMatchObject({ total: 1, documents: [{ _id: 'a', again: true }] })
  })

  it('are deleted in batches when they are large', async () => {
    const name = 'large'
    for (let n = 0; n < 11; n++)
      await insertDocuments(
        app.deps,
        name,
        Array.from({ length: 1000 }, () => ({ n })),
      )
    const left = async () => {
      const counted = app.deps.db.selectFrom('documents').select((select) => select.fn.countAll<number>().as('count'))
      return (await counted.where('body', '=', '{"n":10}').executeTakeFirstOrThrow()).count
    }
    expect((await call(user, 'DELETE', at(name))).status).toBe(200)
    expect(code(await get(user, name))).toEqual([404, 'collection_not_found'])
    expect(await left()).toBe(1000)
    await Promise.all([sweepCollections(app.deps), sweepCollections(app.deps)])
    expect(await left()).toBe(0)
    expect(await app.deps.db.selectFrom('collections').select('id').where('name', 'is', null).execute()).toEqual([])
  })

  it.each([
    ['more when they left quickly', 50, 5, 100],
    ['never more than a thousand', 1000, 5, 1000],
    ['as many when it took as long as it may', 400, 45, 400],
    ['half when it took too long', 400, 90, 200],
    ['never less than ten', 15, 5000, 10],
  ])('adapt the batch size: %s', (_, size, tookMs, next) => expect(nextBatch(size, tookMs)).toBe(next))

  it.each([
    ['spaces inside', 'my best cars'],
    ['an emoji', '🦊'],
    ['SQL', `"; drop table documents; --`],
    ['a slash', 'a/b'],
    ['per cent', '100%25'],
    ['a name of JavaScript', '__proto__'],
    ['another', 'constructor'],
    ['markup', '<b>x</b>'],
    ['64 characters', 'x'.repeat(64)],
  ])('may be named with %s', async (_, name) => {
    expect((await add(user, name, { _id: 'a', n: 1 })).status).toBe(201)
    expect((await get(user, name)).body).toMatchObject({ total: 1 })
    expect((await get(user, name, 'a')).body.document).toMatchObject({ n: 1 })
    expect((await call(user, 'GET', '/db/collections')).body.collections).toContain(name)
    expect((await call(user, 'DELETE', at(name))).status).toBe(200)
  })

  it.each([
    ['65 characters', 'x'.repeat(65)],
    ['a line end', 'a\nb'],
    ['NUL', 'a\0'],
    ['a space at its end', 'a '],
    ['nothing but a space', ' '],
  ])('may not be named with %s', async (_, name) => {
    for (const answer of [await add(user, name, {}), await get(user, name), await call(user, 'DELETE', at(name))]) {
      expect(code(answer)).toEqual([400, 'invalid_input'])
    }
  })

  it('are limited to a thousand', async () => {
    await app.deps.db
      .insertInto('collections')
      .values(
        Array.from({ length: 1000 }, (_, n) => ({
          id: `full${n}`,
          name: `full${n}`,
          documents: 0,
          bytes: 0,
          next_position: 0,
          created_at: 0,
        })),
      )
      .execute()
    expect(code(await add(user, 'one too many', {}))).toEqual([400, 'invalid_input'])
    await app.deps.db.deleteFrom('collections').where('id', 'like', 'full%').execute()
    expect(code(await get(user, 'one too many'))).toEqual([404, 'collection_not_found'])
  })
})

describe('pages', () => {
  it('list documents in insertion order, ten per page, with totals', async () => {
    const name = await collection(...Array.from({ length: 25 }, (_, n) => ({ n })))
    const page = async (query: string) => {
      const { status, body } = await call(user, 'GET', `${at(name)}${query}`)
      const { documents, ...figures } = body
      return [status, documents?.map((document: { n: number }) => document.n), figures]
    }
    const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n)
    const figures = { total: 25, limit: 10, totalPages: 3 }
    expect(await page('')).toEqual([200, range(0, 10), { page: 1, ...figures }])
    expect(await page('?limit=10&skip=10')).toEqual([200, range(10, 20), { page: 2, ...figures }])
    expect(await page('?limit=10&skip=20')).toEqual([200, range(20, 25), { page: 3, ...figures }])
    expect(await page('?skip=25')).toEqual([200, [], { page: 3, ...figures }])
    expect(await page('?skip=1000000')).toEqual([200, [], { page: 100_001, ...figures }])
    expect(await page('?limit=100')).toEqual([200, range(0, 25), { page: 1, total: 25, limit: 100, totalPages: 1 }])

    // With gaps.
    const { body } = await call(user, 'GET', `${at(name)}?limit=5`)
    const ids = body.documents.map((document: { _id: string }) => document._id)
    expect((await remove(user, name, [...ids, 'nobody'])).body).toEqual({ deleted: 5 })
    expect(await page('?limit=10&skip=10')).toEqual([
      200,
      range(15, 25),
      { page: 2, total: 20, limit: 10, totalPages: 2 },
    ])
    expect((await remove(user, name, ids)).body).toEqual({ deleted: 0 })
    await add(user, name, { n: 25 })
    expect(await page('?limit=1&skip=20')).toEqual([200, [25], { page: 21, total: 21, limit: 1, totalPages: 21 }])
  })

  it('are the same from either end with gaps in the positions', async () => {
    const name = await collection(...Array.from({ length: 40 }, (_, n) => ({ _id: `d${n}` })))
    await remove(user, name, ['d0', 'd3', 'd4', 'd17', 'd38', 'd39'])
    const list = async (query: string) => (await call(user, 'GET', `${at(name)}?${query}`)).body.documents
    const all = await list('limit=100')
    expect(all).toHaveLength(34)
    for (let skip = 0; skip < 36; skip++) expect(await list(`limit=7&skip=${skip}`)).toEqual(all.slice(skip, skip + 7))
  })

  it('of a collection whose documents are all deleted are empty', async () => {
    const name = await collection({ _id: 'a' })
    await remove(user, name, ['a'])
    expect((await get(user, name)).body).toEqual({ documents: [], page: 1, total: 0, limit: 10, totalPages: 0 })
  })

  it.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=x',
    'limit=1.5',
    'limit=',
    'skip=-1',
    'skip=1e3',
    'skip=1000001',
    'skip=9999999999',
    'sort=1',
  ])('are not listed with %s', async (query) => {
    const name = await collection({})
    expect(code(await call(user, 'GET', `${at(name)}?${query}`))).toEqual([400, 'invalid_input'])
  })

  it('are not listed when they would exceed 16 MB', async () => {
    const name = await collection()
    for (let n = 0; n < 17; n++) expect((await add(user, name, { text: 'x'.repeat(1_000_000) })).status).toBe(201)
    expect((await call(user, 'GET', `${at(name)}?limit=16`)).status).toBe(200)
    const heavy = await call(user, 'GET', `${at(name)}?limit=17`)
    expect(heavy).toMatchObject({ status: 400, body: { error: expect.stringContaining('limit: ') } })
  })

  it.each([
    [
      'documents_position',
      `select position from documents where collection_id = 'x' order by position limit 1 offset 9`,
    ],
    ['images_newest', 'select id from images order by created_at desc, id desc limit 10 offset 9'],
  ])('are read through the index %s alone', async (index, query) => {
    const plan = await app.deps.db.connection().execute(async (db) => {
      const ask = async (text: string) =>
        (await sql.raw<object>(text).execute(db)).rows.flatMap(Object.values).join(' ')
      if (app.deps.config.DATABASE_URL === undefined) return ask(`explain query plan ${query}`)
      // So few rows are read whole; what a million would do is shown without that choice.
      await ask('set enable_seqscan = off')
      await ask('set enable_bitmapscan = off')
      const text = await ask(`explain ${query}`)
      await ask('reset all')
      return text
    })
    expect(plan).toMatch(new RegExp(`(COVERING INDEX|Index Only Scan (Backward )?using) ${index}`))
  })
})

describe('documents', () => {
  it('are added with a given or a generated id, one or many at once', async () => {
    const name = await collection()
    const one = await add(user, name, { make: 'Trabant' })
    expect(one).toMatchObject({ status: 201, body: { inserted: 1, ids: [expect.stringMatching(/^[\w-]{22}$/)] } })
    const many = await add(user, name, [
      { _id: 'b', createdAt: '2020-01-02T03:04:05Z', __v: 4, make: 'Wartburg' },
      { _id: { $oid: '65f0c0ffee0000000000beef' } },
    ])
    expect(many.body).toEqual({ inserted: 2, ids: ['b', '65f0c0ffee0000000000beef'] })
    expect((await get(user, name, 'b')).body).toEqual({
      document: { _id: 'b', createdAt: '2020-01-02T03:04:05.000Z', __v: 4, make: 'Wartburg' },
    })
    expect((await get(user, name, one.body.ids[0])).body.document).toMatchObject({ make: 'Trabant', __v: 0 })
  })

  it('are added either all or none', async () => {
    const name = await collection({ _id: 'a', n: 1 })
    expect(code(await add(user, name, [{ _id: 'b' }, { _id: 'a' }]))).toEqual([409, 'document_exists'])
    expect(code(await add(user, name, [{ _id: 'c' }, { _id: 'c' }]))).toEqual([409, 'document_exists'])
    expect(code(await add(user, name, [{ _id: 'd' }, { constructor: 1 }]))).toEqual([400, 'invalid_input'])
    expect((await get(user, name)).body).toMatchObject({ total: 1, documents: [{ _id: 'a', n: 1 }] })
    expect((await add(user, 'never made', [{ _id: 'x' }, { _id: 'x' }])).status).toBe(409)
    expect((await get(user, 'never made')).status).toBe(404)
  })

  it('are counted correctly during concurrent insertions and deletions', async () => {
    const name = await collection({ _id: 'first' })
    const ids = Array.from({ length: 20 }, (_, n) => `d${n}`)
    await Promise.all(ids.map((id) => add(user, name, { _id: id })))
    await Promise.all([
      ...ids.slice(0, 10).map((id) => remove(user, name, [id, 'first'])),
      ...ids.slice(0, 10).map((id) => add(user, name, { _id: `${id}x` })),
    ])
    const { body } = await call(user, 'GET', `${at(name)}?limit=100`)
    expect([body.total, body.documents.length]).toEqual([20, 20])
  })

  it('that already exist can be skipped on import', async () => {
    const name = await collection({ _id: 'a', n: 1 })
    const result = await insertDocuments(app.deps, name, [{ _id: 'a', n: 2 }, { _id: 'b' }], undefined, 'skip')
    expect(result).toEqual({ inserted: 1, ids: ['b'] })
    const { body } = await call(user, 'GET', `${at(name)}?skip=1`)
    expect([body.total, body.documents.length]).toEqual([2, 1])
    expect((await get(user, name, 'a')).body.document.n).toBe(1)
    await expect(insertDocuments(app.deps, 'users', [{}])).rejects.toMatchObject({ code: 'system_collection' })
    await expect(insertDocuments(app.deps, 'a\nb', [{}])).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(insertDocuments(app.deps, name, [])).rejects.toMatchObject({ code: 'invalid_input' })
    expect((await insertDocuments(app.deps, name, [{ _id: 'nul', text: 'a\0b' }])).inserted).toBe(1)
    expect((await get(user, name, 'nul')).body.document.text).toBe('a\0b')
  })

  const odd: [string, unknown][] = [
    ['markup', '<script>alert(1)</script><img src=x onerror=alert(1)>'],
    ['an emoji name', { '🦊': { '👩‍👩‍👧': 'ok' } }],
    ['32 levels', JSON.parse(`${'{"a":'.repeat(31)}1${'}'.repeat(31)}`)],
    ['a text of nearly 1 MB', 'x'.repeat(1_000_000)],
    ['half a character', '\ud800'],
    ['numbers', [0, -1, 1.5, 1e308, 5e-324, 9007199254740991]],
    ['what MongoDB takes for operators', { $gt: '', 'a.b': 1 }],
    ['SQL', "'; drop table documents; --"],
    ['empty things', ['', {}, [], null, false, 0]],
    ['names of JavaScript', { toString: 1, hasOwnProperty: 2, valueOf: 3 }],
  ]
  it.each(odd)('preserve %s', async (_, value) => {
    const name = await collection()
    const { body } = await add(user, name, { value })
    const { document } = (await get(user, name, body.ids[0])).body
    expect(document.value).toEqual(value)
    const again = await patch(user, name, body.ids[0], { value, more: 'x' })
    expect(again).toMatchObject({ status: 200, body: { document: { value, more: 'x', __v: 1 } } })
  })

  const json = [null, true, 0, -1.5, 1e21, '', 'text', '\ud83d', [], [[]], {}, { a: [{}] }]
  it('of any other JSON are refused without a 5xx response', async () => {
    const name = await collection({ _id: 'a', n: 1 })
    const seen = new Set<number>()
    for (const value of json) {
      const text = JSON.stringify(value)
      const answers = await Promise.all([
        add(user, name, text),
        add(user, name, [value]),
        patch(user, name, 'a', text),
        patch(user, name, 'a', { n: value }),
        patch(user, name, 'a', { _id: value }),
        add(user, name, { _id: value, createdAt: '2020-01-01' }),
        add(user, name, { createdAt: value }),
        add(user, name, { __v: value }),
        remove(user, name, value),
        remove(user, name, [value]),
        call(user, 'DELETE', `${at(name)}/documents`, text),
        app.call('POST', '/db/unlock', { token: admin.token, body: { pin: value } }),
        app.call('POST', '/db/unlock', { token: admin.token, body: text }),
        patch(admin, 'users', user.id, { name: value }),
        patch(admin, 'users', user.id, { role: value }),
        patch(admin, 'users', user.id, { status: value }),
        patch(admin, 'users', user.id, { email: value }),
        patch(admin, 'images', 'nobody', { expires_at: value }),
      ])
      for (const { status } of answers) seen.add(status)
    }
    expect([...seen].filter((status) => ![200, 201, 400, 404, 409].includes(status))).toEqual([])
  })

  const deep = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`
  it.each([
    ['__proto__', '{"__proto__":{"polluted":1}}', 400],
    ['a hidden __proto__', '{"a":{"\\u005f_proto__":1}}', 400],
    ['constructor', '{"constructor":{"prototype":{"polluted":1}}}', 400],
    ['constructor alone', '{"a":[{"constructor":1}]}', 400],
    ['prototype', '{"prototype":1}', 400],
    ['a name of 65 characters', `{"${'x'.repeat(65)}":1}`, 400],
    ['40 levels', deep(40), 400],
    ['half a million levels', deep(500_000), 400],
    ['NUL', '{"a":"\\u0000"}', 400],
    ['1e400', '{"a":1e400}', 400],
    ['half JSON', '{"a":', 400],
    ['more than 1 MB', `{"a":"${'x'.repeat(limits.documents.maxBytes)}"}`, 413],
    ['a list of too many', JSON.stringify(Array(1001).fill({})), 400],
    ['an empty list', '[]', 400],
  ])('refuse %s', async (_, body, status) => {
    const name = await collection({ _id: 'a' })
    expect((await add(user, name, body)).status).toBe(status)
    expect((await patch(user, name, 'a', body)).status).toBe(status)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    expect((await get(user, name)).body).toMatchObject({ total: 1, documents: [{ __v: 0 }] })
  })

  it('with 30,000 levels are refused by other endpoints too', async () => {
    const answer = await app.call('POST', '/api/login', { body: deep(30_000) })
    expect(answer.status).toBe(400)
  })

  it('are updated field by field', async () => {
    const name = await collection({ _id: 'a', kept: [1], completed: false, priority: 'low' })
    const { body } = await patch(user, name, 'a', { completed: true, added: { x: null } })
    expect(body.document).toEqual({
      _id: 'a',
      kept: [1],
      completed: true,
      priority: 'low',
      added: { x: null },
      createdAt: expect.any(String),
      __v: 1,
    })
    expect((await get(user, name, 'a')).body.document).toEqual(body.document)
  })

  it.each(['_id', 'createdAt', '__v', '$set', 'a.b'])('preserve their %s', async (key) => {
    const name = await collection({ _id: 'a' })
    expect(code(await patch(user, name, 'a', { [key]: 1 }))).toEqual([400, 'invalid_input'])
    expect((await get(user, name, 'a')).body.document.__v).toBe(0)
  })

  it('accept the whole document with one field edited, whatever the other fields are', async () => {
    const name = await collection({ _id: 'a', 'a.b': 1, nested: { $set: 2 }, n: 1 })
    expect((await patch(user, name, 'a', { 'a.b': 1, nested: { $set: 2 }, n: 2 })).status).toBe(200)
    expect((await patch(user, name, 'a', { 'a.b': 2 })).status).toBe(400)
  })

  it('cannot exceed 1 MB by patches', async () => {
    const name = await collection({ _id: 'a', one: 'x'.repeat(600_000) })
    expect(code(await patch(user, name, 'a', { two: 'x'.repeat(600_000) }))).toEqual([413, 'body_too_large'])
    expect((await get(user, name, 'a')).body.document).toMatchObject({ __v: 0 })
  })

  it('are not updated with a stale If-Match', async () => {
    const name = await collection({ _id: 'a', n: 0 })
    expect((await patch(user, name, 'a', { n: 1 }, '0')).body.document).toMatchObject({ n: 1, __v: 1 })
    expect(code(await patch(user, name, 'a', { n: 2 }, '0'))).toEqual([409, 'document_changed'])
    expect((await patch(user, name, 'a', { n: 2 }, '"1"')).status).toBe(200)
    expect((await patch(user, name, 'a', { n: 3 }, 'W/"2"')).status).toBe(200)
    expect((await patch(user, name, 'a', { n: 4 }, '*')).status).toBe(200)
    expect(code(await patch(user, name, 'a', { n: 5 }, '999999999'))).toEqual([409, 'document_changed'])
    for (const wrong of ['x', '-1', '"1', '1e3', '9'.repeat(10), '"1", "2"']) {
      const answer = await patch(user, name, 'a', { n: 6 }, wrong)
      expect([wrong, answer.status]).toEqual([wrong, 400])
    }
    expect(code(await patch(user, name, 'nobody', { n: 1 }, '0'))).toEqual([404, 'document_not_found'])
  })

  it('lose no field in concurrent patches, and of two with the same If-Match one succeeds', async () => {
    const name = await collection({ _id: 'a' })
    await Promise.all(Array.from({ length: 10 }, (_, n) => patch(user, name, 'a', { [`f${n}`]: n })))
    const { document } = (await get(user, name, 'a')).body
    expect(Object.keys(document)).toHaveLength(13)
    expect(document.__v).toBe(10)
    const both = await Promise.all([1, 2].map((n) => patch(user, name, 'a', { n }, '10')))
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]))
  })

  it('that do not exist respond with 404', async () => {
    const name = await collection({ _id: 'a' })
    for (const answer of [await get(user, name, 'b'), await patch(user, name, 'b', { n: 1 })]) {
      expect(answer).toMatchObject({ status: 404, body: { error: 'Document not found', code: 'document_not_found' } })
    }
    for (const answer of [
      await get(user, 'no such', 'b'),
      await patch(user, 'no such', 'b', { n: 1 }),
      await remove(user, 'no such', ['b']),
    ]) {
      expect(code(answer)).toEqual([404, 'collection_not_found'])
    }
  })

  it.each([[[]], [Array(101).fill('a')], [['']], [[1]], ['a'], [null], [['x'.repeat(201)]], [undefined]])(
    'are not deleted by ids %j',
    async (ids) => {
      const name = await collection({ _id: 'a' })
      expect(code(await remove(user, name, ids))).toEqual([400, 'invalid_input'])
      expect((await get(user, name)).body.total).toBe(1)
    },
  )

  it('with unusual ids are found by id', async () => {
    const ids = ['a/b', '🦊', '%2F', "'", '__proto__', ' ', 'x'.repeat(200), '?', '#', '\\']
    const name = await collection(...ids.map((_id) => ({ _id })))
    for (const id of ids) expect((await get(user, name, id)).body.document._id).toBe(id)
    expect((await remove(user, name, ids)).body).toEqual({ deleted: ids.length })
  })
})

describe('system collections', () => {
  const known = systemCollectionNames

  it.each(systemCollectionNames)('do not exist for users: %s', async (name) => {
    const answers = [
      await get(user, name),
      await get(user, name, user.id),
      await patch(user, name, user.id, { role: 'admin' }),
      await remove(user, name, [admin.id]),
      await add(user, name, {}),
      await call(user, 'DELETE', at(name)),
    ]
    expect(answers.map(code)).toEqual(Array(6).fill([404, 'collection_not_found']))
    const missing = await get(user, 'no such collection')
    expect(answers.map(({ body }) => body)).toEqual(Array(6).fill(missing.body))
  })

  it.each(known)('cannot be deleted: %s', async (name) => {
    const answer = await call(admin, 'DELETE', at(name))
    expect(answer).toMatchObject({
      status: 403,
      body: { error: `${name} is a system collection: it cannot be deleted`, code: 'system_collection' },
    })
    expect(code(await add(admin, name, {}))).toEqual([403, 'system_collection'])
  })

  it('show the rows of the tables, newest first, without secrets', async () => {
    const key = (await newKey(user, 'CI')).body
    const image = await app.guestImage(await jpeg(40, 30), 'fox.jpg')
    const replies: string[] = []
    const list = async (name: string) => {
      const { status, body } = await call(admin, 'GET', `${at(name)}?limit=100`)
      expect(status).toBe(200)
      replies.push(JSON.stringify(body))
      for (const document of body.documents) {
        expect(document).toMatchObject({ _id: expect.any(String), createdAt: expect.any(String) })
        const one = await get(admin, name, document._id)
        expect(one.body.document).toEqual(document)
        replies.push(JSON.stringify(one.body))
      }
      const times = body.documents.map(({ createdAt }: { createdAt: string }) => createdAt)
      expect(times).toEqual(times.toSorted().toReversed())
      return body
    }
    const users = await list('users')
    expect(users.total).toBe((await app.deps.db.selectFrom('users').select('id').execute()).length)
    expect(users.documents.find(({ _id }: { _id: string }) => _id === user.id)).toMatchObject({
      email: user.email,
      role: 'user',
      status: 'Active',
    })
    const images = await list('images')
    expect(images).toMatchObject({ total: 1, documents: [{ _id: image.id, original_name: 'fox.jpg' }] })
    expect(Object.keys(images.documents[0]).toSorted()).toEqual([...fieldsOf('databaseView'), 'is_guest'].toSorted())
    const keys = await list('apikeys')
    expect(keys.documents.find(({ _id }: { _id: string }) => _id === key.id)).toMatchObject({
      name: 'CI',
      lastUsed: null,
    })
    await list('contactmessages')
    await list('backups')

    const { db } = app.deps
    const secrets = [
      ...(await db.selectFrom('users').select('password_hash').execute()).map((row) => row.password_hash),
      ...(await db.selectFrom('api_keys').select('key_hash').execute()).map((row) => row.key_hash),
      ...(await db.selectFrom('images').select('guest_token_hash').execute()).flatMap(
        (row) => row.guest_token_hash ?? [],
      ),
      key.key,
      image.delete_token,
    ]
    expect(secrets.length).toBeGreaterThan(4)
    const all = replies.join('\n')
    for (const secret of secrets) {
      expect(all).not.toContain(secret)
      expect(all).not.toContain(secret.slice(0, 30))
    }
    expect(all).not.toMatch(/(?<!address_)hash|argon/i)
  })

  it('are paginated', async () => {
    const { body } = await call(admin, 'GET', `${at('users')}?limit=1&skip=1`)
    expect(body).toMatchObject({ page: 2, limit: 1, totalPages: body.total })
    expect(body.documents).toHaveLength(1)
  })

  it('change users by the rules of accounts', async () => {
    const target = await newVisitor()
    const before = (await get(admin, 'users', target.id)).body.document
    const { _id, createdAt, ...fields } = before
    const changed = await patch(admin, 'users', target.id, { ...fields, name: 'Renamed', firstName: 'Ada' })
    expect(changed).toMatchObject({
      status: 200,
      body: { document: { name: 'Renamed', firstName: 'Ada', email: target.email } },
    })
    expect((await app.call('GET', '/api/me', { token: target.token })).body.user.name).toBe('Renamed')

    expect((await patch(admin, 'users', target.id, { status: 'Inactive' })).status).toBe(200)
    expect((await app.call('GET', '/api/me', { token: target.token })).status).toBe(401)
    const loggedInEarlier = await newVisitor(true)
    app.moveClock(accountLimits.recentLoginMs + 1)
    expect(code(await patch(loggedInEarlier, 'users', target.id, { role: 'admin' }))).toEqual([
      403,
      'password_required',
    ])
    const loggedInNow = await newVisitor(true)
    expect((await patch(loggedInNow, 'users', target.id, { role: 'admin' })).body.document.role).toBe('admin')
    expect(code(await patch(admin, 'users', admin.id, { role: 'user' }))).toEqual([403, 'own_account'])
    expect(code(await patch(admin, 'users', 'nobody', { name: 'x' }))).toEqual([404, 'document_not_found'])
    expect(code(await patch(admin, 'users', target.id, { name: 'y' }, '0'))).toEqual([400, 'invalid_input'])
  })

  it.each([
    [{ email: 'other@example.com' }],
    [{ password_hash: 'x' }],
    [{ password: 'new-secret' }],
    [{ created_at: 0 }],
    [{ role: 'root' }],
    [{ status: 'active' }],
    [{ name: '' }],
    [{ name: 'x'.repeat(101) }],
    [{ name: { $gt: '' } }],
    [{ _id: 'x' }],
    [{ 'role.x': 'admin' }],
    [{ toString: 1 }],
  ])('do not change a user by %j', async (fields) => {
    expect(code(await patch(admin, 'users', user.id, fields))).toEqual([400, 'invalid_input'])
  })

  it('delete users by the rules of accounts, all or none', async () => {
    const [one, two] = [await app.newUser(), await app.newUser()]
    expect(code(await remove(admin, 'users', [one.id, admin.id]))).toEqual([403, 'own_account'])
    expect((await get(admin, 'users', one.id)).status).toBe(200)
    expect((await remove(admin, 'users', [one.id, two.id, one.id, 'nobody'])).body).toEqual({ deleted: 2 })
    expect((await app.call('GET', '/api/me', { token: one.token })).status).toBe(401)
  })

  it('change images within bounds', async () => {
    const image = await app.guestImage(await jpeg(40, 30))
    const soon = new Date(app.deps.now() + dayMs).toISOString()
    const { status, body } = await patch(admin, 'images', image.id, {
      original_name: '../ne\u202Ew.jpg',
      expires_at: soon,
    })
    expect([status, body.document.original_name, body.document.expires_at]).toEqual([200, '_new.jpg', soon])
    for (const expires_at of [
      0,
      'soon',
      new Date(app.deps.now() - 1).toISOString(),
      new Date(app.deps.now() + 366 * dayMs).toISOString(),
    ]) {
      expect(code(await patch(admin, 'images', image.id, { expires_at }))).toEqual([400, 'invalid_input'])
    }
    for (const frozen of [{ file_name: 'x' }, { owner_id: user.id }, { width: 1 }, { guest_token_hash: 'x' }]) {
      expect(code(await patch(admin, 'images', image.id, frozen))).toEqual([400, 'invalid_input'])
    }
  })

  it('delete images with their bytes', async () => {
    const image = await app.guestImage(await jpeg(40, 30))
    expect(await app.files('originals')).toContain(image.id)
    expect((await remove(admin, 'images', [image.id, 'nobody'])).body).toEqual({ deleted: 1 })
    expect((await app.request(image.url)).status).toBe(410)
    expect(await app.files('originals')).not.toContain(image.id)
  })

  it('rename and delete API keys', async () => {
    const { id, key } = (await newKey(user)).body
    expect((await patch(admin, 'apikeys', id, { name: 'Renamed' })).body.document.name).toBe('Renamed')
    expect((await patch(admin, 'apikeys', id, { key_hash: 'x' })).status).toBe(400)
    expect((await app.call('GET', '/api/images', { token: key })).status).toBe(200)
    expect((await remove(admin, 'apikeys', [id, 'nobody'])).body).toEqual({ deleted: 1 })
    expect((await app.call('GET', '/api/images', { token: key })).status).toBe(401)
    const told = app.logged.filter((line) => line['key'] === id && line['by'] === admin.id)
    expect(told).toMatchObject([
      { msg: 'API key renamed', user: user.id },
      { msg: 'API key deleted', user: user.id },
    ])
  })

  it.each([
    ['apikeys', { prefix: 'ik_xxxxx' }, 'prefix: cannot be changed here'],
    ['apikeys', { name: '' }, 'name: '],
    ['apikeys', { name: 5 }, 'name: '],
    ['apikeys', { user_id: 'someone' }, 'user_id: cannot be changed here'],
    ['contactmessages', { sent_at: null, subject: 'x' }, 'subject: cannot be changed here'],
    ['contactmessages', { more: 1 }, 'more: cannot be changed here'],
    ['backups', { progress: 100 }, 'progress: cannot be changed here'],
  ])('%s name the invalid field of %j, and accept themselves unchanged', async (name, fields, message) => {
    const { db } = app.deps
    const message1 = {
      id: 'odd',
      name: 'A',
      email: 'a@example.com',
      subject: 'S',
      message: 'M',
      created_at: 1,
      sent_at: null,
    }
    const backup = {
      status: 'failed',
      taken_by: 'server',
      place: 'disk',
      bytes: 0,
      progress: 7,
      error: null,
      seen_at: 1,
    } as const
    await db.insertInto('contact_messages').values(message1).execute()
    await db
      .insertInto('backups')
      .values({ id: 'odd', created_at: 1, ...backup })
      .execute()
    const key = (await newKey(user, 'Odd')).body
    const id = name === 'apikeys' ? key.id : 'odd'
    const before = (await get(admin, name, id)).body.document
    const refused = await patch(admin, name, id, fields)
    expect(refused).toMatchObject({ status: 400, body: { error: expect.stringContaining(message) } })
    const { _id, createdAt, ...same } = before
    expect(await patch(admin, name, id, same)).toMatchObject({ status: 200, body: { document: before } })
    expect((await remove(admin, name, [id])).body).toEqual({ deleted: 1 })
    expect(code(await patch(admin, name, id, same))).toEqual([404, 'document_not_found'])
    await db.deleteFrom('contact_messages').execute()
    await db.deleteFrom('backups').execute()
    await db.deleteFrom('api_keys').where('id', '=', key.id).execute()
  })

  it('are paginated from either end after insertions and deletions', async () => {
    const rows = Array.from({ length: 23 }, (_, n) => ({ id: `p${n}`, created_at: n < 5 ? 1 : n }))
    const rest = { name: 'A', email: 'a@example.com', subject: 'S', message: 'M', sent_at: null }
    await app.deps.db
      .insertInto('contact_messages')
      .values(rows.map((row) => ({ ...row, ...rest })))
      .execute()
    const list = async (query: string) => (await call(admin, 'GET', `${at('contactmessages')}?${query}`)).body
    const all: { _id: string }[] = (await list('limit=100')).documents
    expect(all).toHaveLength(23)
    for (const limit of [4, 10])
      for (let skip = 0; skip < 26; skip++)
        expect((await list(`limit=${limit}&skip=${skip}`)).documents).toEqual(all.slice(skip, skip + limit))
    await app.deps.db.deleteFrom('contact_messages').execute()
  })

  it('preserve messages as written', async () => {
    const message = {
      id: 'm1',
      name: 'A',
      email: 'a@example.com',
      subject: 'S',
      message: 'M',
      created_at: 1,
      sent_at: null,
    }
    await app.deps.db.insertInto('contact_messages').values(message).execute()
    expect((await get(admin, 'contactmessages', 'm1')).body.document).toMatchObject({ subject: 'S', sent_at: null })
    expect((await patch(admin, 'contactmessages', 'm1', { message: 'other' })).status).toBe(400)
    expect((await remove(admin, 'contactmessages', ['m1'])).body).toEqual({ deleted: 1 })
  })

  it('delete backups that have ended', async () => {
    const row = {
      taken_by: 'server',
      place: 'disk',
      bytes: 0,
      progress: 0,
      error: null,
      created_at: 1,
      seen_at: app.deps.now(),
    } as const
    const rows = [
      { id: 'b1', status: 'failed', ...row },
      { id: 'b2', status: 'running', ...row },
    ] as const
    await app.deps.db
      .insertInto('backups')
      .values([...rows])
      .execute()
    expect((await get(admin, 'backups', 'b1')).body.document).toMatchObject({ status: 'failed', size: 0 })
    expect((await patch(admin, 'backups', 'b1', { status: 'completed' })).status).toBe(400)
    expect(code(await remove(admin, 'backups', ['b1', 'b2']))).toEqual([409, 'backup_running'])
    expect((await remove(admin, 'backups', ['b1', 'nobody'])).body).toEqual({ deleted: 1 })
    await app.deps.db.deleteFrom('backups').execute()
  })

  it('are not accessible after the admin role is removed', async () => {
    const former = await newVisitor(true)
    expect((await get(former, 'users')).status).toBe(200)
    await app.deps.db.updateTable('users').set({ role: 'user' }).where('id', '=', former.id).execute()
    expect((await get(former, 'users')).status).toBe(404)
  })
})
