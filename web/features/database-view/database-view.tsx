// The database view: the collections, the documents of one collection, and one document.
import { Database, CircleAlert, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { clearDatabaseCache, useCollections, useDocumentPage } from './documents.ts'
import { useMedia } from '../../ui/use-media.ts'
import { hideErrorBanner, hideErrorBannerOf, useErrorBanner } from './error-banner.ts'
import { DocumentPanel } from './document/document-panel.tsx'
import { Documents } from './table/documents.tsx'
import { loadCollectionsOrReport, loadDocumentsOrReport } from './load-or-report.ts'
import { PanelFrame } from './document/panel-frame.tsx'
import { Reload } from './reload.tsx'
import { Sidebar } from './collections/sidebar.tsx'
import { useDatabaseAddress } from './use-database-address.ts'
import { database } from '../../texts/database-view/database-messages.ts'
import { Splitter } from './splitter.tsx'
import './database.css'
import { Loading } from '../../ui/loading.tsx'

/** Between the selection of a collection and the request for its documents. */
const selectDelayMs = 10

export function DatabaseView() {
  const { collection, page, documentId, openDocument } = useDatabaseAddress()
  const isSheet = !useMedia('(min-width: 1024px)')
  const isMissing = useIsMissing(collection)
  const { status, names } = useCollections()
  useReading(collection, page)

  const hasDocument = collection !== undefined && !isMissing && documentId !== undefined
  const close = () => openDocument(undefined)
  const columns = useRef<HTMLDivElement>(null)
  return (
    <div ref={columns} className="db-columns">
      <Sidebar selected={isMissing ? undefined : collection} />
      <Splitter column="sidebar" label={database.sidebarWidth} around={columns} />
      <div className="db-main">
        <ErrorBanner />
        {collection === undefined || isMissing ? (
          <NoSelection status={names.length > 0 ? 'ready' : status} />
        ) : (
          <Documents key={collection} collection={collection} />
        )}
      </div>
      {hasDocument && (
        <>
          <Splitter column="panel" label={database.panelWidth} around={columns} />
          <PanelFrame isSheet={isSheet} onClose={close}>
            <DocumentPanel
              key={JSON.stringify([collection, documentId])}
              collection={collection}
              id={documentId}
              onSaved={() => void loadDocumentsOrReport(collection, page)}
              onClose={close}
            />
          </PanelFrame>
        </>
      )}
    </div>
  )
}

/** Loads what the address names, and clears the data when the view is left or locked. */
function useReading(collection: string | undefined, page: number): void {
  const { go } = useDatabaseAddress()
  const shown = useDocumentPage()

  useEffect(() => {
    void loadCollectionsOrReport()
    return () => {
      clearDatabaseCache()
      hideErrorBanner()
    }
  }, [])

  useEffect(() => {
    if (collection === undefined) return undefined
    const timer = setTimeout(() => void loadDocumentsOrReport(collection, page), selectDelayMs)
    return () => {
      clearTimeout(timer)
      hideErrorBannerOf({ collection, page })
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

/** Nothing can be selected before there are collections. On a phone, the place of their select says why there are none. */
function NoSelection({ status }: { status: ReturnType<typeof useCollections>['status'] }) {
  const hasList = useMedia('(min-width: 720px)')
  if (status === 'loading') return <Loading text={database.loading} />
  if (status === 'failed')
    return hasList && <Reload title={database.notLoaded.collections} load={loadCollectionsOrReport} isBar={false} />
  return (
    <div className="db-empty">
      <Database className="size-10 text-text-3" aria-hidden />
      <h2 className="text-h2">{database.noSelectionTitle}</h2>
      <p className="text-text-2">{database.noSelectionText}</p>
    </div>
  )
}

function ErrorBanner() {
  const text = useErrorBanner()
  if (text === undefined) return null
  return (
    <div
      role="alert"
      className="mb-4 flex items-start gap-3 rounded-card bg-danger-soft py-2 pr-2 pl-4 text-danger-text"
    >
      <CircleAlert className="mt-2 size-5 shrink-0" aria-hidden />
      <p className="min-w-0 flex-1 py-1.5 font-medium wrap-anywhere">{text}</p>
      <button type="button" className="btn-icon text-danger-text" onClick={hideErrorBanner}>
        <X className="size-4" aria-hidden />
        <span className="sr-only">{database.dismiss}</span>
      </button>
    </div>
  )
}
