// Loads from the server and shows a failure in the banner.
import { loadCollections, loadDocuments } from './documents.ts'
import { database } from '../../texts/database-view/database-messages.ts'
import { showErrorBanner } from './error-banner.ts'

export const loadCollectionsOrReport = () =>
  loadCollections().catch((error: unknown) => showErrorBanner(error, database.collectionsFailed, database.network))

/** Also used to reload what is on screen. @param page starts at 1 */
export const loadDocumentsOrReport = (collection: string, page: number) =>
  loadDocuments(collection, page).catch((error: unknown) =>
    showErrorBanner(error, database.documentsFailed(collection), database.network),
  )
