import { useId, type ReactNode, type RefObject } from 'react'
import { setDatabaseMode, useDatabaseMode, type DatabaseMode } from '../database-mode.ts'
import { useOnline } from '../../../model/online.ts'
import { database } from '../../../texts/database-view/database-messages.ts'
import { documentsTable as text } from '../../../texts/database-view/database-table-messages.ts'

interface Props {
  collection: string
  /** Undefined: not known yet. */
  total: number | undefined
  selected: number
  heading: RefObject<HTMLHeadingElement | null>
  onDelete: () => void
  onClear: () => void
  /** Additional buttons. */
  children: ReactNode
}

export function DocumentsHead({ collection, total, selected, heading, onDelete, onClear, children }: Props) {
  const isOnline = useOnline()
  const reasonId = useId()
  return (
    <div className="dt-head">
      <div className="mr-auto flex min-w-0 items-baseline gap-2">
        <h2 ref={heading} tabIndex={-1} title={collection} className="truncate text-h3">
          <bdi>{collection}</bdi>
        </h2>
        {total !== undefined && (
          <p className="text-dense whitespace-nowrap text-text-2 tabular-nums">{text.documents(total)}</p>
        )}
      </div>
      <div className="dt-selection">
        <p role="status" className={selected > 0 ? 'dt-selected' : 'sr-only'}>
          {selected > 0 && text.selected(selected)}
        </p>
        {selected > 0 && (
          <>
            <button
              type="button"
              className="btn btn-danger btn-sm"
              disabled={!isOnline}
              aria-describedby={isOnline ? undefined : reasonId}
              onClick={onDelete}
            >
              {text.deleteSelected}
            </button>
            <button type="button" className="btn btn-quiet btn-sm" onClick={onClear}>
              {text.clear}
            </button>
          </>
        )}
      </div>
      <div className="dt-view">
        {children}
        <ModeToggle />
      </div>
      {selected > 0 && !isOnline && (
        <p id={reasonId} className="w-full text-meta md:text-right text-danger-text">
          {database.offline}
        </p>
      )}
    </div>
  )
}

const modes: readonly DatabaseMode[] = ['json', 'gui']

/** The display mode of table and panel. */
function ModeToggle() {
  const mode = useDatabaseMode()
  return (
    <div className="segments dt-modes" role="group" aria-label={text.mode}>
      {modes.map((of) => (
        <button
          key={of}
          type="button"
          className="segment dt-segment"
          aria-pressed={mode === of}
          onClick={() => setDatabaseMode(of)}
        >
          {text.modes[of]}
        </button>
      ))}
    </div>
  )
}
