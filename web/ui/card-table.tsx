// oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- as in the tables that use them
// Parts of a table that becomes cards on narrow screens.
import type { ReactNode } from 'react'

interface HeadersProps {
  names: readonly string[]
  /** Names of the columns whose cells hold numbers. */
  numbers?: readonly string[]
  /** Of the column with buttons, for screen readers only. */
  actions?: string
}

export function ColumnHeaders({ names, numbers = [], actions }: HeadersProps) {
  return (
    <thead role="rowgroup">
      <tr role="row">
        {names.map((name) => (
          <th key={name} role="columnheader" scope="col" data-number={numbers.includes(name)}>
            {name}
          </th>
        ))}
        {actions !== undefined && (
          <th role="columnheader" scope="col">
            <span className="sr-only">{actions}</span>
          </th>
        )}
      </tr>
    </thead>
  )
}

interface CellProps {
  /** Of its column: cards have no column headers. */
  label: string
  /** Takes the whole width of a card. */
  isWide?: boolean
  isNumber?: boolean
  children: ReactNode
}

export function Cell({ label, isWide = false, isNumber = false, children }: CellProps) {
  return (
    <td role="cell" data-wide={isWide} data-number={isNumber}>
      <span className="card-table-label" aria-hidden>
        {label}
      </span>
      {children}
    </td>
  )
}
