// Loads from the server and shows a failure in the banner.
import { loadCollections, loadDocuments } from '../../data/documents.ts'
import { database } from '../../texts/database-messages.ts'
import { hideFailure, showFailure } from './error-banner.ts'

export const readCollections = () =>
  loadCollections().catch((error: unknown) => showFailure(error, database.collectionsFailed, database.network))

/** Retries after a failure and clears its banner. */
export function retryDocuments(collection: string, page: number): void {
  hideFailure()
  void readDocuments(collection, page)
}

/** Also used to reload what is on screen. @param page starts at 1 */
export const readDocuments = (collection: string, page: number) =>
  loadDocuments(collection, page).catch((error: unknown) =>
    showFailure(error, database.documentsFailed(collection), database.network),
  )
