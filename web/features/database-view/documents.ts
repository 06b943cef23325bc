// The collections and documents of the database view. The address names the collection and document on screen.
import { CancelledError, queryOptions, skipToken, useQuery, type QueryExecuteOptions } from '@tanstack/react-query'
import type { Document } from '../../../contract/endpoints/database-view.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { whileUnlocked } from './database-lock.ts'
import { client } from '../../model/http.ts'
import { queryClient, updateCached } from '../../model/query-client.ts'
import { createStore, useStore } from '../../model/store.ts'

export interface Collections {
  status: 'loading' | 'ready' | 'failed'
  names: readonly string[]
  /** These cannot be deleted and have no versions. */
  system: readonly string[]
}

export interface DocumentPage {
  status: 'loading' | 'ready' | 'failed'
  /** Which page of which collection was requested last. */
  collection: string
  page: number
  /** Of the page that was loaded last: they stay while another page of the collection loads. */
  rows: readonly Document[]
  total: number
  totalPages: number
}

type Page = Pick<DocumentPage, 'rows' | 'total' | 'totalPages'>

const collectionList = queryOptions({
  queryKey: ['database', 'collections'],
  queryFn: async () => {
    const { collections: names, system } = await whileUnlocked((headers) => client.listCollections({ headers }))
    return { names, system }
  },
})
const documentsKey = (collection: string) => ['database', 'documents', collection]

const none: readonly never[] = []
const nothing: Page = { rows: none, total: 0, totalPages: 0 }
/** The page that was requested last. */
const requested = createStore({ collection: '', page: 1 })

export function useCollections(): Collections {
  const { data, status } = useQuery({ ...collectionList, enabled: false }, queryClient)
  return { names: none, system: none, ...data, status: statusNames[status] }
}

export function useDocumentPage(): DocumentPage {
  const { collection, page } = useStore(requested)
  const {
    data = nothing,
    status,
    isFetching,
  } = useQuery<Page>({ queryKey: documentsKey(collection), queryFn: skipToken }, queryClient)
  return { ...data, collection, page, status: isFetching ? 'loading' : statusNames[status] }
}

const statusNames = { pending: 'loading', success: 'ready', error: 'failed' } as const

/** Removes everything that was loaded. */
export function clearDatabaseCache(): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey: ['database'] })) query.reset()
  requested.set(requested.initial)
}

/** @throws what the request failed with; nothing when a newer load has replaced it */
export const loadCollections = () => load(collectionList)

/** @param page from 1 @throws as loadCollections */
export function loadDocuments(collection: string, page: number): Promise<void> {
  const left = requested.get().collection
  requested.set({ collection, page })
  void queryClient.cancelQueries({ queryKey: ['database', 'documents'] })
  if (left !== collection) queryClient.removeQueries({ queryKey: documentsKey(left) })
  const limit = limits.documents.defaultLimit
  const query = { limit: String(limit), skip: String((page - 1) * limit) }
  return load({
    queryKey: documentsKey(collection),
    queryFn: async (): Promise<Page> => {
      const { documents, total, totalPages } = await whileUnlocked((headers) =>
        client.listDocuments({ params: { name: collection }, query, headers }),
      )
      return { rows: documents, total, totalPages }
    },
    // The document panel compares the arrays to see that a load has ended, also with equal rows.
    structuralSharing: false,
  })
}

async function load<T, K extends readonly unknown[]>(query: QueryExecuteOptions<T, Error, T, T, K>): Promise<void> {
  void queryClient.cancelQueries({ queryKey: query.queryKey })
  try {
    await queryClient.query(query)
  } catch (error) {
    if (!(error instanceof CancelledError)) throw error
  }
}

export async function deleteCollection(name: string): Promise<void> {
  await whileUnlocked((headers) => client.deleteCollection({ params: { name }, headers }))
  const isLoading = queryClient.isFetching(collectionList) > 0
  updateCached(collectionList, ({ names, system }) => ({ names: names.filter((other) => other !== name), system }))
  // updateCached has cancelled this load. The collection is deleted also when the list cannot be loaded.
  if (isLoading) void loadCollections().catch(() => {})
  if (requested.get().collection === name) requested.set(requested.initial)
  void queryClient.cancelQueries({ queryKey: documentsKey(name) })
  queryClient.removeQueries({ queryKey: documentsKey(name) })
}

/** @returns how many were deleted */
export async function deleteDocuments(collection: string, ids: readonly string[]): Promise<number> {
  const params = { name: collection }
  const { deleted } = await whileUnlocked((headers) =>
    client.deleteDocuments({ params, body: { ids: [...ids] }, headers }),
  )
  return deleted
}

export async function fetchDocument(collection: string, id: string): Promise<Document> {
  const params = { name: collection, id }
  return (await whileUnlocked((headers) => client.getDocument({ params, headers }))).document
}

/**
 * @param fields the edited ones, without _id, createdAt and __v
 * @param version the `__v` that was edited; undefined replaces any version
 * @throws {ApiError} document_changed: the stored version is another one
 */
export async function updateDocument(
  collection: string,
  id: string,
  fields: Record<string, unknown>,
  version: number | undefined,
): Promise<Document> {
  const params = { name: collection, id }
  const match = version === undefined ? {} : { 'if-match': String(version) }
  const { document } = await whileUnlocked((headers) =>
    client.updateDocument({ params, body: fields, headers: { ...headers, ...match } }),
  )
  const withChange = (row: Document) => (row._id === id ? document : row)
  queryClient.setQueryData<Page>(
    documentsKey(collection),
    (page) => page && { ...page, rows: page.rows.map(withChange) },
  )
  return document
}
