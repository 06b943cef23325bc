// oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- where CSS lays a table out
// as cards, browsers drop its implicit roles, so they are explicit.
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import '../styles/card-table.css'

interface TableProps {
  label: string
  /** Names of the columns, that of the row heads first. */
  columns: readonly string[]
  /** Names of the columns whose cells hold numbers. */
  numbers?: readonly string[]
  /** Name of the column with buttons, for screen readers only. */
  actions?: string
  className?: string
  /** The rows. */
  children: ReactNode
}

/** Within a list panel: a table where that is wide, cards where it is narrow. */
export function CardTable({ label, columns, numbers = [], actions, className, children }: TableProps) {
  return (
    <div className="card-table-box">
      <table role="table" className={clsx('card-table', className)} aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((name) => (
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
        <tbody role="rowgroup">{children}</tbody>
      </table>
    </div>
  )
}

interface RowProps {
  head: ReactNode
  /** The buttons. */
  actions?: ReactNode
  /** The cells between head and buttons. */
  children: ReactNode
}

export const CardRow = ({ head, actions, children }: RowProps) => (
  <tr role="row">
    <th role="rowheader" scope="row" className="card-table-name" tabIndex={-1}>
      {head}
    </th>
    {children}
    {actions !== undefined && (
      <td role="cell" className="card-table-actions">
        {actions}
      </td>
    )}
  </tr>
)

interface CellProps {
  /** Of its column: cards have no column headers. */
  label: string
  /** Takes the whole width of a card. */
  isWide?: boolean
  isNumber?: boolean
  children: ReactNode
}

export const Cell = ({ label, isWide = false, isNumber = false, children }: CellProps) => (
  <td role="cell" data-wide={isWide} data-number={isNumber}>
    <span className="card-table-label" aria-hidden>
      {label}
    </span>
    {children}
  </td>
)
