// Reads from the server, and says above the content why it could not.
import { loadCollections, loadDocuments } from '../../data/documents.ts'
import { database } from '../../texts/database-messages.ts'
import { hideFailure, showFailure } from './banner.ts'

export const readCollections = () =>
  loadCollections().catch((error: unknown) => showFailure(error, database.collectionsFailed, database.network))

/** Once more, after a failure, which is not said any longer. */
export function retryDocuments(collection: string, page: number): void {
  hideFailure()
  void readDocuments(collection, page)
}

/** Also to read again what is on screen. @param page from 1 */
export const readDocuments = (collection: string, page: number) =>
  loadDocuments(collection, page).catch((error: unknown) =>
    showFailure(error, database.documentsFailed(collection), database.network),
  )
