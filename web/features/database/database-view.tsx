// The database view: the collections, the documents of one collection, and one document.
import { useEffect } from 'react'
import { forgetDatabase, useCollections, useDocumentPage } from '../../data/documents.ts'
import { useMedia } from '../../ui/media.ts'
import { hideFailure, hideFailureOf } from './banner.ts'
import { Columns } from './columns.tsx'
import { DocumentPanel } from './document/document-panel.tsx'
import { Documents } from './table/documents.tsx'
import { ErrorBanner } from './error-banner.tsx'
import { readCollections, readDocuments } from './load.ts'
import { NoSelection } from './no-selection.tsx'
import { PanelFrame } from './document/panel-frame.tsx'
import { Sidebar } from './collections/sidebar.tsx'
import { useDatabaseAddress } from './use-database-address.ts'
import './database.css'

/** Between the selection of a collection and the request for its documents. */
const selectDelayMs = 10

export function DatabaseView() {
  const { collection, page, documentId, openDocument } = useDatabaseAddress()
  const isSheet = !useMedia('(min-width: 1024px)')
  const isMissing = useIsMissing(collection)
  useReading(collection, page)

  const hasDocument = collection !== undefined && !isMissing && documentId !== undefined
  const close = () => openDocument(undefined)
  return (
    <Columns
      sidebar={<Sidebar selected={isMissing ? undefined : collection} />}
      panel={
        hasDocument && (
          <PanelFrame isSheet={isSheet} onClose={close}>
            <DocumentPanel
              key={JSON.stringify([collection, documentId])}
              collection={collection}
              id={documentId}
              onSaved={() => void readDocuments(collection, page)}
              onClose={close}
            />
          </PanelFrame>
        )
      }
    >
      <ErrorBanner />
      {collection === undefined || isMissing ? <NoSelection /> : <Documents key={collection} collection={collection} />}
    </Columns>
  )
}

/** Loads what the address names, and clears the data when the view is left or locked. */
function useReading(collection: string | undefined, page: number): void {
  const { go } = useDatabaseAddress()
  const shown = useDocumentPage()

  useEffect(() => {
    void readCollections()
    return () => {
      forgetDatabase()
      hideFailure()
    }
  }, [])

  useEffect(() => {
    if (collection === undefined) return undefined
    const timer = setTimeout(() => void readDocuments(collection, page), selectDelayMs)
    return () => {
      clearTimeout(timer)
      hideFailureOf({ collection, page })
    }
  }, [collection, page])

  // A page beyond the last one, from an old link or after a deletion.
  const { status, totalPages } = shown
  const isBehind = status === 'ready' && shown.collection === collection && shown.page === page && page > totalPages
  useEffect(() => {
    if (isBehind && page > 1) go({ page: Math.max(totalPages, 1) }, { replace: true })
  }, [isBehind, totalPages]) // oxlint-disable-line react-hooks/exhaustive-deps -- once for each response
}

/** The collection is neither in the list nor readable: an old link, or deleted by another user. */
function useIsMissing(collection: string | undefined): boolean {
  const { status, names } = useCollections()
  const shown = useDocumentPage()
  return (
    collection !== undefined &&
    status === 'ready' &&
    !names.includes(collection) &&
    shown.collection === collection &&
    shown.status === 'failed'
  )
}
