// The documents of the selected collection: heading, selection, table, pagination. The database view loads them.
import { Database } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { limits } from '../../../../contract/plain/limits.ts'
import { useColumnPrefs } from '../database-columns.ts'
import { useDatabaseMode, setDatabaseMode } from '../database-mode.ts'
import { useDocumentPage } from '../documents.ts'
import { database } from '../../../texts/database-view/database-messages.ts'
import { documentsTable as text, pagination } from '../../../texts/database-view/database-table-messages.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { DeleteDocumentsDialog } from './delete-documents-dialog.tsx'
import { DocumentTable } from './document-table.tsx'
import { DocumentsHead } from './documents-head.tsx'
import { requestEdit } from '../document/edit-request.ts'
import { loadDocumentsOrReport } from '../load-or-report.ts'
import { Pagination } from './pagination.tsx'
import { columnsOf, shownColumns } from './table-columns.ts'
import { Reload } from '../reload.tsx'
import { useDatabaseAddress } from '../use-database-address.ts'
import { useDeleteDocuments } from './use-delete-documents.ts'
import { useColumnResizing } from './use-column-resizing.ts'
import { useDocumentSelection } from './use-document-selection.ts'
import { areShortcutsOn } from '../../../model/shortcut-prefs.ts'
import { useDocumentKeys } from '../../../ui/use-document-keys.ts'
import './documents.css'

const none: never[] = []

/** Mounted per collection: the selection belongs to one collection. */
export function Documents({ collection }: { collection: string }) {
  const { page, documentId, openPage, openDocument } = useDatabaseAddress()
  const shown = useShown(collection, page)
  const { rows, total, totalPages } = shown
  const mode = useDatabaseMode()
  const [heading, table] = [useRef<HTMLHeadingElement>(null), useRef<HTMLTableElement>(null)]

  const prefs = useColumnPrefs(collection)
  const allColumns = useMemo(() => columnsOf(rows), [rows])
  const columns = useMemo(() => shownColumns(allColumns, prefs), [allColumns, prefs])
  const resizing = useColumnResizing({ collection, prefs, table, columns })

  const selecting = useDocumentSelection(rows)
  const deleteSelected = useDeleteDocuments(collection, total, selecting)
  const [isAsking, setAsking] = useState(false)
  /** Takes the focus when the buttons of the selection disappear. */
  const focusHeading = () => heading.current?.focus()
  useViewKeys({ page, totalPages, onPage: openPage })

  return (
    <div className="dt">
      <DocumentsHead
        collection={collection}
        total={shown.isKnown ? total : undefined}
        selected={selecting.selection.size}
        heading={heading}
        onDelete={() => setAsking(true)}
        onClear={() => {
          selecting.clear()
          focusHeading()
        }}
      >
        {rows.length > 0 && (
          <ColumnsMenu {...{ collection, prefs, shown: columns }} columns={allColumns} onStep={resizing.step} />
        )}
      </DocumentsHead>
      <div className="dt-room" data-full={totalPages > 1}>
        {rows.length > 0 && (
          <DocumentTable
            {...{ collection, rows, columns, mode, selecting, table }}
            widths={resizing.widths}
            openId={documentId}
            isBusy={shown.isBusy}
            onOpen={openDocument}
            onEdit={(id) => {
              requestEdit(id)
              openDocument(id)
            }}
            onResize={resizing.onPointerDown}
          />
        )}
        {rows.length === 0 && shown.isEmpty && <Empty />}
        {rows.length === 0 && shown.isBusy && <Skeleton />}
      </div>
      {shown.hasFailed && (
        <Reload
          title={database.notLoaded.documents}
          load={() => loadDocumentsOrReport(collection, page)}
          isBar={rows.length > 0}
        />
      )}
      <Pagination page={page} total={totalPages} onPage={openPage} />
      <p role="status" className="sr-only">
        {!shown.isBusy && totalPages > 1 && pagination.at(page, totalPages)}
      </p>
      {isAsking && (
        <DeleteDocumentsDialog
          collection={collection}
          selection={selecting.selection}
          onDelete={deleteSelected}
          onClose={() => {
            setAsking(false)
            if (selecting.selection.size === 0) focusHeading()
          }}
        />
      )}
    </div>
  )
}

/** The page of the collection; until a requested page arrives, the previous one. */
function useShown(collection: string, page: number) {
  const read = useDocumentPage()
  const isOurs = read.collection === collection
  const isBehind = read.totalPages > 0 && page > read.totalPages
  const isBusy = !isOurs || read.page !== page || read.status === 'loading' || isBehind
  const hasFailed = !isBusy && read.status === 'failed'
  return {
    rows: isOurs ? read.rows : none,
    total: isOurs ? read.total : 0,
    totalPages: isOurs ? read.totalPages : 0,
    isBusy,
    hasFailed,
    isEmpty: !isBusy && !hasFailed && read.total === 0,
    /** The number of documents. */
    isKnown: isOurs && (read.status === 'ready' || read.total > 0),
  }
}

const Empty = () => (
  <div className="dt-empty">
    <Database className="size-8 text-text-3" aria-hidden />
    <p>{text.empty}</p>
  </div>
)

const Skeleton = () => (
  <div className="dt-region" aria-busy="true">
    <p role="status" className="sr-only">
      {text.loading}
    </p>
    {Array.from({ length: limits.documents.defaultLimit + 1 }, (_, at) => (
      <div key={at} className="dt-blank" aria-hidden>
        <span className="skeleton size-4" />
        <span className="skeleton h-3.5 w-24" />
        <span className="skeleton h-3.5 flex-1" />
      </div>
    ))}
  </div>
)

interface Options {
  page: number
  totalPages: number
  onPage: (page: number) => void
}

const typed = 'input:not([type=checkbox]), textarea, select, [contenteditable]'

/** Keys of the whole view, except while typing. */
function useViewKeys({ page, totalPages, onPage }: Options): void {
  const mode = useDatabaseMode()

  useDocumentKeys((event) => {
    if (event.defaultPrevented || event.isComposing || !areShortcutsOn() || isElsewhere(event.target)) return
    if (!isAlone(event)) return
    const to = page + ({ '[': -1, ']': 1 }[event.key] ?? 0)
    if (to !== page && to >= 1 && to <= totalPages && !isCovered('dialog')) onPage(to)
    if (event.key.toLowerCase() === 'j') setDatabaseMode(mode === 'json' ? 'gui' : 'json')
  })
}

/** The sheet of a document shows values like the table does; the pagination is behind it. */
const isElsewhere = (target: EventTarget | null) =>
  isCovered('dialog:not(.db-sheet)') || (target instanceof Element && target.closest(typed) !== null)

const isCovered = (by: string) => document.querySelector(`${by}[open]`) !== null

/** Many keyboards type brackets with AltGr or Option. */
const isAlone = (event: KeyboardEvent) =>
  event.getModifierState('AltGraph') ||
  (!event.ctrlKey && !event.metaKey && (!event.altKey || event.key === '[' || event.key === ']'))
