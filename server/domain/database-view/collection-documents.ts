// Document endpoints, for generic and system collections.
import type { Document } from '../../../contract/endpoints/database-view.ts'
import { limits } from '../../../contract/plain/limits.ts'
import type { Deps } from '../shared/deps.ts'
import type { DocumentSource, JsonObject } from '../shared/document-source.ts'
import { Failure } from '../shared/failure.ts'
import { assertDocumentSpace } from './document-space.ts'
import { type CollectionRequest, documentsOf, assertNotSystem } from './collections.ts'
import { assertSafePatch } from './document-rules.ts'
import { insertDocuments } from './insert-documents.ts'
import { unlocked } from './database-unlock.ts'

type DocumentRequest = CollectionRequest & { params: { id: string } }

/** @throws {Failure} database_locked, collection_not_found */
export const listDocuments = unlocked(
  async (
    deps,
    { caller, params, query }: CollectionRequest & { query: { limit?: number | undefined; skip?: number | undefined } },
  ) => {
    const { limit = limits.documents.defaultLimit, skip = 0 } = query
    const source = await documentsOf(deps, caller, params.name)
    const { documents, total } = await source.page(deps, { limit, skip })
    return { documents, page: Math.floor(skip / limit) + 1, total, limit, totalPages: Math.ceil(total / limit) }
  },
)

/** @throws {Failure} database_locked, collection_not_found, document_not_found */
export const getDocument = unlocked(async (deps, { caller, params }: DocumentRequest) => {
  const source = await documentsOf(deps, caller, params.name)
  return { document: await findDocument(deps, source, params.id) }
})

/**
 * @throws {Failure} system_collection, document_exists, invalid_input, body_too_large, documents_full,
 * storage_full
 */
export const createDocuments = unlocked(
  async (deps, { caller, address, params, body }: CollectionRequest & { body: JsonObject | JsonObject[] }) => {
    assertNotSystem(deps, caller, params.name, 'documents cannot be added to it here')
    await assertDocumentSpace(deps, deps.db)
    return insertDocuments(deps, params.name, Array.isArray(body) ? body : [body], { actor: caller, address })
  },
)

/**
 * @throws {Failure} document_not_found, document_changed, invalid_input, body_too_large,
 * documents_full, storage_full
 */
export const updateDocument = unlocked(
  async (
    deps,
    {
      caller,
      address,
      params,
      headers,
      body,
    }: DocumentRequest & { headers: { 'if-match'?: number | undefined }; body: JsonObject },
  ) => {
    assertSafePatch(body)
    const source = await documentsOf(deps, caller, params.name)
    await source.update(deps, { caller, address, id: params.id, fields: body, version: headers['if-match'] })
    return { document: await findDocument(deps, source, params.id) }
  },
)

/** @throws {Failure} collection_not_found, and by the rules of a system collection */
export const deleteDocuments = unlocked(
  async (deps, { caller, address, params, body }: CollectionRequest & { body: { ids: string[] } }) => {
    const source = await documentsOf(deps, caller, params.name)
    return { deleted: await source.remove(deps, { caller, address, ids: body.ids }) }
  },
)

/** @throws {Failure} document_not_found */
async function findDocument(deps: Deps, source: DocumentSource<Deps>, id: string): Promise<Document> {
  const document = await source.find(deps, id)
  if (!document) throw new Failure('document_not_found')
  return document
}
