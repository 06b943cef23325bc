import { clsx } from 'clsx'
import { RefreshCw } from 'lucide-react'
import { useRef, useState } from 'react'
import { useCollections } from '../documents.ts'
import { database } from '../../../texts/database-view/database-messages.ts'
import { useMedia } from '../../../ui/use-media.ts'
import { Tooltip } from '../../../ui/tooltip.tsx'
import { hideErrorBanner } from '../error-banner.ts'
import { CollectionList } from './collection-list.tsx'
import { CollectionSelect } from './collection-select.tsx'
import { DeleteCollectionDialog } from './delete-collection-dialog.tsx'
import { loadCollectionsOrReport, loadDocumentsOrReport } from '../load-or-report.ts'
import { useDatabaseAddress } from '../use-database-address.ts'

/** The list of collections with search, refresh and delete. */
export function Sidebar({ selected }: { selected: string | undefined }) {
  const { names, system } = useCollections()
  const { collection, go } = useDatabaseAddress()
  const [asked, setAsked] = useState<string>()
  const heading = useRef<HTMLHeadingElement>(null)
  const isList = useMedia('(min-width: 720px)')

  /** Stays on the selected collection if it still exists, else moves to the first one. */
  function onDeleted(deleted: string): void {
    const remaining = names.filter((name) => name !== deleted)
    if (collection !== undefined && remaining.includes(collection)) return
    go({ collection: remaining[0], page: 1, documentId: undefined }, { replace: true })
  }

  function close(): void {
    setAsked(undefined)
    // The button that opened the dialog was removed with its collection.
    if (document.activeElement === document.body) heading.current?.focus()
  }

  return (
    <div className="db-sidebar">
      <div className="db-sidebar-head">
        <h2 ref={heading} id="collections" tabIndex={-1} className="text-dense font-semibold text-text-2">
          {database.collections}
        </h2>
        <Refresh />
      </div>
      {isList ? (
        <CollectionList selected={selected} onDelete={setAsked} />
      ) : (
        <CollectionSelect selected={selected} onDelete={setAsked} />
      )}
      {asked !== undefined && !system.includes(asked) && (
        <DeleteCollectionDialog name={asked} onDeleted={() => onDeleted(asked)} onClose={close} />
      )}
    </div>
  )
}

/** Reloads the documents as well, since others may have changed them. */
function Refresh() {
  const { collection, page } = useDatabaseAddress()
  const [isBusy, setBusy] = useState(false)
  async function refresh(): Promise<void> {
    setBusy(true)
    hideErrorBanner()
    await Promise.all([loadCollectionsOrReport(), collection !== undefined && loadDocumentsOrReport(collection, page)])
    setBusy(false)
  }
  return (
    <Tooltip text={database.refresh}>
      <button
        type="button"
        className="btn-icon"
        aria-label={database.refresh}
        aria-disabled={isBusy}
        onClick={() => !isBusy && void refresh()}
      >
        <RefreshCw className={clsx('size-4', isBusy && 'spin')} aria-hidden />
      </button>
    </Tooltip>
  )
}
