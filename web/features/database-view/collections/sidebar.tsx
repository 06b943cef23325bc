import { clsx } from 'clsx'
import { RefreshCw, ChevronDown, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { useCollections } from '../documents.ts'
import { database } from '../../../texts/database-view/database-messages.ts'
import { useMedia } from '../../../ui/use-media.ts'
import { Tooltip } from '../../../ui/tooltip.tsx'
import { hideErrorBanner } from '../error-banner.ts'
import { CollectionList } from './collection-list.tsx'
import { DeleteCollectionDialog } from './delete-collection-dialog.tsx'
import { loadCollectionsOrReport, loadDocumentsOrReport } from '../load-or-report.ts'
import { useDatabaseAddress } from '../use-database-address.ts'
import { Reload } from '../reload.tsx'

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

interface Props {
  selected: string | undefined
  onDelete: (name: string) => void
}

/** The collections as a select, for screens without space for the list. */
function CollectionSelect({ selected, onDelete }: Props) {
  const { status, names, system } = useCollections()
  const { openCollection } = useDatabaseAddress()
  if (names.length === 0 && status === 'loading') return <div className="skeleton h-10" />
  if (names.length === 0 && status === 'failed')
    return <Reload title={database.notLoaded.collections} load={loadCollectionsOrReport} isBar />
  if (names.length === 0 && status === 'ready')
    return (
      <p role="status" className="text-dense text-text-2">
        {database.noCollections}
      </p>
    )
  // The selected collection can be newer than the loaded list.
  const options = selected === undefined || names.includes(selected) ? names : [selected, ...names]
  return (
    <div className="flex items-center gap-2">
      <span className="select min-w-0 flex-1">
        <select
          aria-label={database.collection}
          value={selected ?? ''}
          onChange={({ target }) => openCollection(target.value || undefined)}
        >
          <option value="">{database.choose}</option>
          {options.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <ChevronDown className="size-4" aria-hidden />
      </span>
      {selected !== undefined && !system.includes(selected) && (
        <button
          type="button"
          className="btn-icon btn-icon-danger"
          aria-label={database.deleteNamed(selected)}
          onClick={() => onDelete(selected)}
        >
          <Trash2 className="size-4.5" aria-hidden />
        </button>
      )}
    </div>
  )
}
