// The database view's collections and documents, as the server has them. What is looked at stands in the address.
import type { Document } from '../../contract/db-browser.ts'
import type { Client } from '../../contract/client.ts'
import { limits } from '../../contract/limits.ts'
import { whileUnlocked } from './database-lock.ts'
import { createStore, useStore } from './store.ts'

export interface Collections {
  status: 'loading' | 'ready' | 'failed'
  names: readonly string[]
  /** These cannot be deleted, and keep no versions. */
  system: readonly string[]
}

export interface DocumentPage {
  status: 'loading' | 'ready' | 'failed'
  /** Whose documents these are, and which page. */
  collection: string
  page: number
  rows: readonly Document[]
  total: number
  totalPages: number
}

const noCollections: Collections = { status: 'loading', names: [], system: [] }
const noDocuments: DocumentPage = { status: 'loading', collection: '', page: 1, rows: [], total: 0, totalPages: 0 }
const collections = createStore(noCollections)
const documents = createStore(noDocuments)
export const useCollections = () => useStore(collections)
export const useDocumentPage = () => useStore(documents)

/** Counts the loads: an older reply changes nothing. */
let collectionLoads = 0
let documentLoads = 0

/** Nothing of what was read stays. */
export function forgetDatabase(): void {
  collectionLoads++
  documentLoads++
  collections.set(noCollections)
  documents.set(noDocuments)
}

/** @throws what stopped it, which the list then is marked with; nothing where a newer load has taken its place */
export async function loadCollections(): Promise<void> {
  const mine = ++collectionLoads
  try {
    const { collections: names, system } = await call((client, headers) => client.listCollections({ headers }))
    if (mine === collectionLoads) collections.set({ status: 'ready', names, system })
  } catch (error) {
    if (mine !== collectionLoads) return
    collections.set({ ...collections.get(), status: 'failed' })
    throw error
  }
}

/** @param page from 1 @throws as loadCollections */
export async function loadDocuments(collection: string, page: number): Promise<void> {
  const mine = ++documentLoads
  const before = documents.get()
  // Rows of the same collection stay until the others are there.
  const kept = before.collection === collection ? before : noDocuments
  documents.set({ ...kept, status: 'loading', collection, page })
  const limit = limits.documents.defaultLimit
  const query = { limit: String(limit), skip: String((page - 1) * limit) }
  try {
    const reply = await call((client, headers) =>
      client.listDocuments({ params: { name: collection }, query, headers }),
    )
    if (mine !== documentLoads) return
    const { documents: rows, total, totalPages } = reply
    documents.set({ status: 'ready', collection, page, rows, total, totalPages })
  } catch (error) {
    if (mine !== documentLoads) return
    documents.set({ ...documents.get(), status: 'failed' })
    throw error
  }
}

export async function deleteCollection(name: string): Promise<void> {
  await call((client, headers) => client.deleteCollection({ params: { name }, headers }))
  collectionLoads++
  const { names, system } = collections.get()
  collections.set({ status: 'ready', names: names.filter((other) => other !== name), system })
}

/** @returns how many were there */
export async function deleteDocuments(collection: string, ids: readonly string[]): Promise<number> {
  const params = { name: collection }
  const { deleted } = await call((client, headers) =>
    client.deleteDocuments({ params, body: { ids: [...ids] }, headers }),
  )
  return deleted
}

export async function fetchDocument(collection: string, id: string): Promise<Document> {
  const params = { name: collection, id }
  return (await call((client, headers) => client.getDocument({ params, headers }))).document
}

/**
 * @param fields the edited ones, without _id, createdAt and __v
 * @param version the `__v` that was read; undefined: whatever it is by now
 * @throws {ApiError} document_changed: another version is there
 */
export async function updateDocument(
  collection: string,
  id: string,
  fields: Record<string, unknown>,
  version: number | undefined,
): Promise<Document> {
  const params = { name: collection, id }
  const match = version === undefined ? {} : { 'if-match': String(version) }
  const { document } = await call((client, headers) =>
    client.updateDocument({ params, body: fields, headers: { ...headers, ...match } }),
  )
  const shown = documents.get()
  const withChange = (row: Document) => (row._id === id ? document : row)
  if (shown.collection === collection) documents.set({ ...shown, rows: shown.rows.map(withChange) })
  return document
}

const call = <T>(work: (client: Client, headers: { 'x-db-token': string }) => Promise<T>): Promise<T> =>
  whileUnlocked(async (headers) => work((await import('./http.ts')).client, headers))
