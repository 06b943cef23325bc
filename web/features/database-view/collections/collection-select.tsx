import { ChevronDown, Trash2 } from 'lucide-react'
import { useCollections } from '../documents.ts'
import { database } from '../../../texts/database-view/database-messages.ts'
import { loadCollectionsOrReport } from '../load-or-report.ts'
import { Reload } from '../reload.tsx'
import { useDatabaseAddress } from '../use-database-address.ts'

interface Props {
  selected: string | undefined
  onDelete: (name: string) => void
}

/** The collections as a select, for screens without space for the list. */
export function CollectionSelect({ selected, onDelete }: Props) {
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
