// Tags through the API: on upload, on one image, on many, and in the list of an account; and the terms of a query.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { dayMs, limits } from '../../../../contract/plain/limits.ts'
import { splitTags } from '../../../db/image-tags.ts'
import * as albums from '../../../testing/albums.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { jpeg, png } from '../../../testing/test-images.ts'

let app: TestApp
let token: string
let ownerId: string
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  const user = await app.newUser()
  token = user.token
  ownerId = user.id
})

const newImage = (tags: string[] = [], name?: string) =>
  albums.newImage(app, {
    token,
    ...(tags.length > 0 && { fields: { tags: tags.join(',') } }),
    ...(name !== undefined && { name }),
  })
const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  app.call(method, path, { token, ...(body && { body }) })
const tagsOfAccount = async () =>
  (await call('GET', '/api/tags')).body.map(({ name, images }: { name: string; images: number }) => [name, images])
const found = async (q: string) =>
  (await call('GET', `/api/images?q=${encodeURIComponent(q)}`)).body.map(({ id }: { id: string }) => id).toSorted()

/** What the column of an image says is what its rows say. */
async function expectConsistent(): Promise<void> {
  const images = await app.deps.db.selectFrom('images').select(['id', 'tags', 'owner_id']).execute()
  const rows = await app.deps.db.selectFrom('image_tags').selectAll().execute()
  for (const { id, tags, owner_id } of images) {
    const own = rows.filter((row) => row.image_id === id)
    expect(own.map(({ tag }) => tag).toSorted()).toEqual(splitTags(tags).toSorted())
    for (const row of own) expect(row.owner_id).toBe(owner_id)
  }
}

it('an upload has its tags in their normal form, and lists, image and own data show them', async () => {
  const id = await newImage([' Travel / Italy', 'SEA', 'sea', ''])
  expect((await call('GET', `/api/images/${id}`)).body.tags).toEqual(['sea', 'travel/italy'])
  expect((await call('GET', '/api/images')).body[0].tags).toEqual(['sea', 'travel/italy'])
  expect(await tagsOfAccount()).toEqual([
    ['sea', 1],
    ['travel/italy', 1],
  ])
  await expectConsistent()
})

it.each([
  ['too many', Array.from({ length: limits.tags.maxPerImage + 1 }, (_, at) => `t${at}`).join(',')],
  ['a long one', 'x'.repeat(limits.tags.maxLength + 1)],
  ['a deep one', 'a/b/c/d/e/f/g/h/i'],
])('an upload with %s is refused', async (_, tags) => {
  const { status, body } = await app.upload(await jpeg(), { token, fields: { tags } })
  expect([status, body.code]).toEqual([400, 'invalid_input'])
})

it("'tags_need_account': a guest's image has none", async () => {
  const sent = await app.upload(await jpeg(), { fields: { tags: 'a' } })
  expect([sent.status, sent.body.code]).toEqual([403, 'tags_need_account'])
  const image = await app.guestImage(await jpeg())
  const changed = await app.call('PATCH', `/api/images/${image.id}`, {
    guestToken: image.delete_token,
    body: { tags: ['a'] },
  })
  expect([changed.status, changed.body.code]).toEqual([403, 'tags_need_account'])
})

it('PATCH replaces the tags of an image, and leaves them when it names none', async () => {
  const id = await newImage(['a', 'b'])
  expect((await call('PATCH', `/api/images/${id}`, { tags: ['B', 'c/d'] })).body.tags).toEqual(['b', 'c/d'])
  expect((await call('PATCH', `/api/images/${id}`, { title: 'A title' })).body.tags).toEqual(['b', 'c/d'])
  await expectConsistent()
  expect((await call('PATCH', `/api/images/${id}`, { tags: [] })).body.tags).toEqual([])
  expect(await tagsOfAccount()).toEqual([])
  await expectConsistent()
})

it('tags are added to several images and removed, and the response can undo it', async () => {
  const ids = [await newImage(['a']), await newImage(['b']), await newImage()]
  const stranger = await app.newUser()
  const other = (await app.upload(await jpeg(), { token: stranger.token })).body.id
  const { body } = await call('POST', '/api/tags/images', {
    ids: [...ids, other, 'none'],
    add: ['new', 'a'],
    remove: ['b'],
  })
  expect(body.images.map((image: { tags: string[] }) => image.tags)).toEqual([
    ['a', 'new'],
    ['a', 'new'],
    ['a', 'new'],
  ])
  await expectConsistent()
  for (const { id, added, removed } of body.images)
    await call('POST', '/api/tags/images', { ids: [id], add: removed, remove: added })
  expect(await tagsOfAccount()).toEqual([
    ['a', 1],
    ['b', 1],
  ])
  await expectConsistent()
})

it("'too_many_tags': then nothing is changed", async () => {
  const many = Array.from({ length: limits.tags.maxPerImage }, (_, at) => `t${at}`)
  const ids = [await newImage(), await newImage()]
  await call('PATCH', `/api/images/${ids[1]}`, { tags: many })
  const refused = await call('POST', '/api/tags/images', { ids, add: ['more'] })
  expect([refused.status, refused.body.code]).toEqual([409, 'too_many_tags'])
  expect((await call('GET', `/api/images/${ids[0]}`)).body.tags).toEqual([])
})

describe('the list of tags', () => {
  it('is sorted by name or use, found by a part, paged, and leaves out what is deleted', async () => {
    const gone = await newImage(['a', 'only'])
    for (const tags of [['a', 'b'], ['b', 'c/a'], ['b']]) await newImage(tags)
    await call('DELETE', `/api/images/${gone}?trash=1`)
    const namesOf = async (query: string) =>
      (await call('GET', `/api/tags?${query}`)).body.map(({ name }: { name: string }) => name)
    expect(await namesOf('')).toEqual(['a', 'b', 'c/a'])
    expect(await namesOf('sort=images')).toEqual(['b', 'a', 'c/a'])
    expect(await namesOf('q=A')).toEqual(['a', 'c/a'])
    for (const sort of ['name', 'images']) {
      const first = await call('GET', `/api/tags?limit=2&sort=${sort}`)
      const [, next = ''] = /<[^>]*?(\/api[^>]*)>/.exec(first.headers.get('link') ?? '') ?? []
      const rest = await call('GET', next)
      expect([...first.body, ...rest.body].map(({ name }) => name)).toEqual(await namesOf(`sort=${sort}`))
      expect(first.headers.get('x-total-count')).toBe('3')
    }
  })

  it('keeps a colour, which a rename takes along', async () => {
    await newImage(['trip/sea', 'trip'])
    expect((await call('PATCH', '/api/tags', { tag: 'trip', colour: 'teal' })).body.images).toBe(0)
    await call('PATCH', '/api/tags', { tag: 'trip/sea', colour: 'red' })
    await call('PATCH', '/api/tags', { tag: 'trip', new_name: 'Journey' })
    expect((await call('GET', '/api/tags')).body).toEqual([
      { name: 'journey', images: 1, colour: 'teal' },
      { name: 'journey/sea', images: 1, colour: 'red' },
    ])
    await call('PATCH', '/api/tags', { tag: 'journey', colour: null })
    expect((await call('GET', '/api/tags')).body[0].colour).toBeNull()
    await expectConsistent()
  })

  it("'tag_exists': two tags become one when it is asked for", async () => {
    const [one, both] = [await newImage(['a/x']), await newImage(['a/x', 'b/x', 'ab'])]
    const refused = await call('PATCH', '/api/tags', { tag: 'a', new_name: 'b' })
    expect([refused.status, refused.body.code]).toEqual([409, 'tag_exists'])
    expect((await call('PATCH', '/api/tags', { tag: 'a', new_name: 'b', merge: true })).body.images).toBe(2)
    expect((await call('GET', `/api/images/${one}`)).body.tags).toEqual(['b/x'])
    expect((await call('GET', `/api/images/${both}`)).body.tags).toEqual(['ab', 'b/x'])
    await expectConsistent()
  })

  it.each([
    [{ tag: 'a', new_name: 'a/b' }, 400, 'invalid_input'],
    [{ tag: 'a', new_name: '1/2/3/4/5/6/7/8' }, 400, 'invalid_input'],
    [{ tag: 'none', new_name: 'b' }, 404, 'tag_not_found'],
    [{ tag: 'a', colour: 'ultraviolet' }, 400, 'invalid_input'],
    [{ tag: '/' }, 400, 'invalid_input'],
  ])('%j is refused', async (body, status, code) => {
    await newImage(['a/b'])
    const refused = await call('PATCH', '/api/tags', body)
    expect([refused.status, refused.body.code]).toEqual([status, code])
  })

  it('loses a tag with those below it, and only the own ones', async () => {
    const stranger = await app.newUser()
    await app.upload(await jpeg(), { token: stranger.token, fields: { tags: 'a' } })
    const id = await newImage(['a', 'a/b', 'ab', 'a b'])
    expect((await call('DELETE', '/api/tags', { tag: 'a' })).body.images).toBe(1)
    expect((await call('GET', `/api/images/${id}`)).body.tags).toEqual(['a b', 'ab'])
    expect((await app.call('GET', '/api/tags', { token: stranger.token })).body).toHaveLength(1)
    expect((await call('DELETE', '/api/tags', { tag: 'a' })).body.code).toBe('tag_not_found')
    await expectConsistent()
  })
})

describe('a query', () => {
  it('finds by tags, words, types, sizes, times and views, and by what is excluded', async () => {
    const sea = await newImage(['travel/sea'], 'red boat.jpg')
    const town = await newImage(['travel', 'town'], 'blue boat.jpg')
    const plain = (await app.upload(await png(30, 30), { token, name: 'plain.png' })).body.id as string
    const { db } = app.deps
    await db
      .updateTable('images')
      .set({ views: 50, bytes: 3_000_000, created_at: Date.UTC(2020, 5, 1) })
      .where('id', '=', sea)
      .execute()
    await db
      .updateTable('images')
      .set({ expires_at: app.deps.now() + 3 * dayMs })
      .where('id', '=', town)
      .execute()
    const expected: [string, string[]][] = [
      ['tag:travel', [sea, town]],
      ['tag:TRAVEL/SEA', [sea]],
      ['tag:trav', []],
      ['-tag:travel', [plain]],
      ['tag:none', [plain]],
      ['-tag:none', [sea, town]],
      ['boat', [sea, town]],
      ['boat tag:town', [town]],
      ['boat -"red boat"', [town]],
      ['type:png', [plain]],
      ['-type:png,gif', [sea, town]],
      ['size:>2mb', [sea]],
      ['size:<=2mb', [town, plain]],
      ['before:2021', [sea]],
      ['after:2020-06-01 before:2020-06-02', [sea]],
      ['after:7d', [town, plain]],
      ['views:>=50', [sea]],
      ['expires:<7d', [town]],
      ['-expires:<7d', [sea, plain]],
      ['"red boat" tag:travel size:>1mb views:>1 before:2d', [sea]],
    ]
    for (const [q, ids] of expected) expect([q, await found(q)]).toEqual([q, ids.toSorted()])
    // The same in a list so long that an index finds them.
    await db.updateTable('users').set({ image_count: 1_000_000 }).where('id', '=', ownerId).execute()
    for (const [q, ids] of expected) expect([q, await found(q)]).toEqual([q, ids.toSorted()])
    const outline = await call('GET', '/api/images/outline?q=tag:travel')
    expect(outline.body.ratios).toHaveLength(2)
  })

  it.each([
    ['tag:', "q: 'tag:' at character 1"],
    ['boat size:big', "q: 'size:big' at character 6"],
    ['x'.repeat(101), 'at most 100 characters of text'],
  ])('%j is refused by its term', async (q, message) => {
    for (const path of ['/api/images', '/api/images/outline']) {
      const { status, body } = await call('GET', `${path}?q=${encodeURIComponent(q)}`)
      expect([status, body.code]).toEqual([400, 'invalid_input'])
      expect(JSON.stringify(body)).toContain(message)
    }
  })

  it.each(['\0', 'tag:\0a', '%', '_', '\\', "tag:'; drop table images --"])(
    '%j is a query like any other',
    async (q) => {
      expect((await call('GET', `/api/images?q=${encodeURIComponent(q)}`)).status).toBeLessThan(500)
    },
  )
})

it('an account that is deleted leaves no tags that a list would find', async () => {
  const id = await newImage(['a'])
  await call('PATCH', '/api/tags', { tag: 'a', colour: 'red' })
  await app.deps.db.updateTable('images').set({ owner_id: null }).where('id', '=', id).execute()
  await sql`delete from users where id = ${ownerId}`.execute(app.deps.db)
  expect(await app.deps.db.selectFrom('tags').select('name').where('owner_id', '=', ownerId).execute()).toEqual([])
})

it('an index finds the images of a tag in a long list, and PostgreSQL orders tags by their characters', async () => {
  await newImage(['a/b', 'a-b', 'a b'])
  const isPostgres = inject('postgresUrl') !== undefined
  const range = sql<{
    tag: string
  }>`select tag from image_tags where owner_id = ${ownerId} and tag > 'a/' and tag < 'a0'`
  expect((await range.execute(app.deps.db)).rows).toEqual([{ tag: 'a/b' }])
  if (isPostgres) return
  const plan = await sql<{ detail: string }>`explain query plan select image_id from image_tags
    where owner_id = ${ownerId} and tag = 'a'`.execute(app.deps.db)
  expect(plan.rows[0]?.detail).toContain('image_tags_owner')
})
