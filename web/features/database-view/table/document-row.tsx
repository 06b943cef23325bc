import { Pencil } from 'lucide-react'
import { memo } from 'react'
import type { Document } from '../../../../contract/endpoints/database-view.ts'
import type { DatabaseMode } from '../database-mode.ts'
import { documentsTable as text } from '../../../texts/database-view/database-table-messages.ts'
import { Cell } from './cell.tsx'

interface Props {
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
export const DocumentRow = memo(function DocumentRow(props: Props) {
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
