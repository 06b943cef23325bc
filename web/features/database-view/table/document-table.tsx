import { useEffect, useId, useRef, type CSSProperties, type PointerEvent, type RefObject } from 'react'
import type { Document } from '../../../../contract/endpoints/database-view.ts'
import type { DatabaseMode } from '../database-mode.ts'
import { documentsTable as text } from '../../../texts/database-view/database-table-messages.ts'
import { DocumentRow } from './document-row.tsx'
import { pageSelectionState } from './document-selection.ts'
import { widthBounds } from './table-columns.ts'
import type { DocumentSelectionState } from './use-document-selection.ts'
import { useTableKeys } from './use-table-keys.ts'

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
