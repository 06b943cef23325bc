import { useEffect, useId, useRef, type CSSProperties, type PointerEvent, type RefObject, memo } from 'react'
import type { Document } from '../../../../contract/endpoints/database-view.ts'
import type { DatabaseMode } from '../database-mode.ts'
import { documentsTable as text } from '../../../texts/database-view/database-table-messages.ts'
import { pageSelectionState } from './document-selection.ts'
import { widthBounds } from './table-columns.ts'
import type { DocumentSelectionState } from './use-document-selection.ts'
import { useTableKeys } from './use-table-keys.ts'
import { Pencil } from 'lucide-react'
import { Cell } from './cell.tsx'

interface Props {
  collection: string
  rows: readonly Document[]
  /** The visible columns; `_id` is the first. */
  columns: readonly string[]
  /** In CSS pixels. Undefined: sized by content. */
  widths: ReadonlyMap<string, number>
  mode: DatabaseMode
  openId: string | undefined
  selecting: DocumentSelectionState
  /** Other rows are loading. */
  isBusy: boolean
  table: RefObject<HTMLTableElement | null>
  onOpen: (id: string) => void
  onEdit: (id: string) => void
  onResize: (event: PointerEvent<HTMLElement>, column: string) => void
}

export function DocumentTable(props: Props) {
  const { collection, rows, columns, widths, mode, openId, selecting, isBusy, table, onOpen, onEdit, onResize } = props
  const { stop, focusRow, handlers } = useTableKeys({ table, rows, selecting, onOpen, onEdit })
  const keysId = useId()
  useFocusBack(openId, () => focusRow(stop))
  const fields = columns.slice(1)

  return (
    <section className="dt-region" aria-label={text.region(collection)} aria-busy={isBusy}>
      <p id={keysId} className="sr-only">
        {text.keys}
      </p>
      <table
        ref={table}
        // The rows are focusable and handle keys, so a screen reader must pass keys through (role grid).
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
        role="grid"
        aria-label={collection}
        aria-describedby={keysId}
        aria-multiselectable="true"
        className="dt-table"
        {...(widths.size > 0 && { 'data-fixed': true, style: widthOf(columns, widths) })}
        {...handlers}
      >
        {widths.size > 0 && (
          <colgroup>
            <col className="dt-check-column" />
            {columns.map((name) => (
              <col key={name} style={{ width: widths.get(name) ?? widthBounds.start }} />
            ))}
          </colgroup>
        )}
        <thead>
          <tr>
            <td className="dt-check-cell">
              <SelectAll selected={pageSelectionState(selecting.selection, rows)} onToggle={selecting.togglePage} />
            </td>
            {columns.map((name, at) => (
              <th key={name} scope="col" data-column title={name} className={at === 0 ? 'dt-id-cell' : undefined}>
                <bdi>{name === '' ? text.noName : name}</bdi>
                <span className="dt-handle" aria-hidden onPointerDown={(event) => onResize(event, name)} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <DocumentRow
              // Keyed by position: the focus stays in its row when the page changes.
              key={at}
              row={row}
              at={at}
              columns={fields}
              mode={mode}
              isSelected={selecting.selection.has(row._id)}
              isOpen={row._id === openId}
              isStop={at === stop}
            />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function SelectAll({ selected, onToggle }: { selected: 'all' | 'some' | 'none'; onToggle: () => void }) {
  const ref = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (ref.current !== null) ref.current.indeterminate = selected === 'some'
  }, [selected])
  return (
    <label className="dt-check">
      <input ref={ref} type="checkbox" checked={selected === 'all'} onChange={onToggle} aria-label={text.selectAll} />
    </label>
  )
}

/** As wide as its columns: in a wider table they would share the remaining space. */
function widthOf(columns: readonly string[], widths: ReadonlyMap<string, number>): CSSProperties {
  const sum = columns.reduce((px, name) => px + (widths.get(name) ?? widthBounds.start), 0)
  return { width: `calc(${sum}px + var(--dt-check))` }
}

/** Returns the focus to the rows when the panel that had it closes. */
function useFocusBack(openId: string | undefined, focus: () => void): void {
  const before = useRef(openId)
  useEffect(() => {
    const hasClosed = before.current !== undefined && openId === undefined
    before.current = openId
    if (hasClosed && document.activeElement === document.body) focus()
  })
}

interface RowProps {
  row: Document
  /** Starts at 0. */
  at: number
  /** Without _id. */
  columns: readonly string[]
  mode: DatabaseMode
  isSelected: boolean
  /** True when the document is open in the panel. */
  isOpen: boolean
  /** The tab stop of the rows. */
  isStop: boolean
}

/** Mouse and key events are handled by the table. */
const DocumentRow = memo(function DocumentRow(props: RowProps) {
  const { row, at, columns, mode, isSelected, isOpen, isStop } = props
  const id = row._id
  return (
    <tr
      className="dt-row"
      data-at={at}
      tabIndex={isStop ? 0 : -1}
      aria-selected={isSelected}
      aria-current={isOpen ? 'true' : undefined}
    >
      <td className="dt-check-cell">
        <label className="dt-check">
          <input type="checkbox" checked={isSelected} readOnly tabIndex={-1} aria-label={text.select(id)} />
        </label>
      </td>
      <th scope="row" className="dt-id-cell">
        <span className="flex items-center justify-between gap-1">
          <Id id={id} />
          <button type="button" className="btn-icon btn-icon-sm dt-edit" tabIndex={-1} aria-label={text.edit(id)}>
            <Pencil className="size-4" aria-hidden />
          </button>
        </span>
      </th>
      {columns.map((field) => (
        <td key={field}>
          <Cell field={field} value={Object.hasOwn(row, field) ? row[field] : undefined} mode={mode} />
        </td>
      ))}
    </tr>
  )
})

const endLength = 4

/** Truncates in the middle: ids of one kind have the same start. */
const Id = ({ id }: { id: string }) => (
  <bdi className="dt-id" title={id}>
    <span className="truncate">{id.slice(0, -endLength)}</span>
    <span>{id.slice(-endLength)}</span>
  </bdi>
)
