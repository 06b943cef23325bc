// Documents that come by the API are bounded together, and stop before the disk is full.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { limits } from '../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { onFullDisk } from '../../testing/full-disk.ts'
import { insertDocuments } from './insert-documents.ts'
import { sweepCollections } from './collections.ts'

let app: TestApp
let token: string
let dbToken: string
beforeAll(async () => {
  app = await startTestApp({ DB_VIEW_PIN: '4711' })
  token = (await app.newUser()).token
  dbToken = (await app.call('POST', '/db/unlock', { token, body: { pin: '4711' } })).body.token
})
afterAll(() => app.stop())

const call = (method: string, path: string, body?: unknown) =>
  app.call(method, `/db/collections/plants${path}`, { token, body, headers: { 'x-db-token': dbToken } })
const countedBytes = async () => {
  const rows = await app.deps.db.selectFrom('collections').select('bytes').where('name', '=', 'plants').execute()
  return rows.map(({ bytes }) => bytes)
}
const storedBytes = async () => {
  const rows = await app.deps.db.selectFrom('documents').select('bytes').execute()
  return rows.reduce((sum, { bytes }) => sum + bytes, 0)
}
const setBytes = (bytes: number) =>
  app.deps.db.updateTable('collections').set({ bytes }).where('name', '=', 'plants').execute()

beforeEach(async () => {
  await call('DELETE', '')
  await sweepCollections(app.deps)
  await call('POST', '/documents', [{ _id: 'fern', name: 'Fern' }, { _id: 'moss' }])
})

it('the bytes of a collection are counted with each change', async () => {
  const expectCounted = async () => expect(await countedBytes()).toEqual([await storedBytes()])
  await expectCounted()
  await call('PATCH', '/documents/fern', { name: 'Royal fern 🌿' })
  await expectCounted()
  await call('PATCH', '/documents/fern', { name: '' })
  await expectCounted()
  await call('DELETE', '/documents', { ids: ['fern', 'none'] })
  await expectCounted()
  await insertDocuments(app.deps, 'plants', [{ _id: 'moss', n: 1 }, { _id: 'oak' }], undefined, 'skip')
  await expectCounted()
  await call('DELETE', '')
  expect(await countedBytes()).toEqual([])
})

it('documents are neither added nor enlarged at the limit of all collections; they can be reduced and deleted', async () => {
  const { maxTotalBytes: maxBytes } = limits.documents
  await setBytes(maxBytes)
  const full = { status: 507, body: { code: 'documents_full', error: expect.stringContaining(String(maxBytes)) } }
  expect(await call('POST', '/documents', { name: 'Oak' })).toMatchObject(full)
  expect(await call('PATCH', '/documents/fern', { name: 'Royal fern' })).toMatchObject(full)
  expect((await call('GET', '/documents/fern')).body.document).toMatchObject({ name: 'Fern', __v: 0 })
  expect((await call('PATCH', '/documents/fern', { name: 'F' })).status).toBe(200)
  expect((await call('DELETE', '/documents', { ids: ['fern'] })).status).toBe(200)
  expect((await call('POST', '/documents', { name: 'Oak' })).status).toBe(201)
})

it('the command import is not limited: the operator decides', async () => {
  await setBytes(limits.documents.maxTotalBytes)
  expect(await insertDocuments(app.deps, 'plants', [{ _id: 'oak' }])).toEqual({ inserted: 1, ids: ['oak'] })
})

it('documents are neither added nor enlarged when the disk reserve is reached', async () => {
  await onFullDisk(async () => {
    const full = { status: 507, body: { code: 'storage_full' } }
    expect(await call('POST', '/documents', { name: 'Oak' })).toMatchObject(full)
    expect(await call('PATCH', '/documents/fern', { name: 'Royal fern' })).toMatchObject(full)
    expect((await call('PATCH', '/documents/fern', { name: 'F' })).status).toBe(200)
    expect((await call('DELETE', '/documents', { ids: ['fern'] })).status).toBe(200)
  })
  expect((await call('POST', '/documents', { name: 'Oak' })).status).toBe(201)
})
