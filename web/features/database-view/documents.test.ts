import { afterEach, expect, test, vi } from 'vitest'

const client = vi.hoisted(() => ({ listCollections: vi.fn(), listDocuments: vi.fn(), deleteCollection: vi.fn() }))
vi.mock('../../model/http.ts', () => ({ client }))
const { clearDatabaseCache, deleteCollection, loadCollections, loadDocuments } = await import('./documents.ts')
const { queryClient } = await import('../../model/query-client.ts')

const collections = (...names: string[]) => ({ collections: names, system: [] })
const documents = (id: string) => ({ documents: [{ _id: id }], total: 1, totalPages: 1 })
const cachedNames = () => queryClient.getQueryData<{ names: string[] }>(['database', 'collections'])?.names
const cachedRows = (collection: string) =>
  queryClient.getQueryData<{ rows: { _id: string }[] }>(['database', 'documents', collection])?.rows

afterEach(() => {
  clearDatabaseCache()
  queryClient.clear()
  vi.resetAllMocks()
})

test('a collection that was left shows no rows of the earlier visit', async () => {
  client.listDocuments.mockImplementation(async ({ params }: { params: { name: string } }) => documents(params.name))
  await loadDocuments('a', 1)
  expect(cachedRows('a')).toEqual([{ _id: 'a' }])
  await loadDocuments('b', 1)
  expect(cachedRows('b')).toEqual([{ _id: 'b' }])
  client.listDocuments.mockReturnValue(new Promise(() => {}))
  void loadDocuments('a', 1)
  expect(cachedRows('a')).toBeUndefined()
})

test('the rows of a page stay while another page of the collection loads', async () => {
  client.listDocuments.mockResolvedValueOnce(documents('first')).mockReturnValue(new Promise(() => {}))
  await loadDocuments('a', 1)
  void loadDocuments('a', 2)
  expect(cachedRows('a')).toEqual([{ _id: 'first' }])
})

test('the documents of a deleted collection are removed', async () => {
  client.listCollections.mockResolvedValue(collections('a', 'b'))
  client.listDocuments.mockResolvedValue(documents('first'))
  await Promise.all([loadCollections(), loadDocuments('a', 1)])
  await deleteCollection('a')
  expect(cachedNames()).toEqual(['b'])
  expect(cachedRows('a')).toBeUndefined()
  expect(client.listCollections).toHaveBeenCalledOnce()
})

test('a deletion while the collections load starts the load again', async () => {
  client.listCollections.mockResolvedValueOnce(collections('a', 'b'))
  await loadCollections()
  let respond = (_: object) => {}
  client.listCollections.mockReturnValueOnce(new Promise((resolve) => (respond = resolve)))
  const refreshed = loadCollections()
  client.listCollections.mockResolvedValueOnce(collections('b', 'c'))
  await deleteCollection('a')
  expect(cachedNames()).toEqual(['b'])
  respond(collections('a', 'b', 'c'))
  await refreshed
  await vi.waitFor(() => expect(cachedNames()).toEqual(['b', 'c']))
})
