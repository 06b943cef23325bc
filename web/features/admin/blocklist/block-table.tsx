// oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- as in the other tables of the admin page
import { Trash2 } from 'lucide-react'
import { blocklists } from '../../../texts/admin/blocklist-messages.ts'
import { TooltipArea } from '../../../ui/tooltip.tsx'
import { ColumnHeaders } from '../../../ui/card-table.tsx'
import { RowButton } from '../row-button.tsx'
import type { BlockKind } from './block-kinds.tsx'

interface Props<Row> {
  kind: BlockKind<Row>
  rows: readonly Row[]
  isOff: boolean
  selection: ReadonlySet<string>
  onSelect: (selection: ReadonlySet<string>) => void
  onRemove: (key: string) => void
}

/** A table on wide screens, cards on narrow ones. */
export function BlockTable<Row>({ kind, rows, isOff, selection, onSelect, onRemove }: Props<Row>) {
  function toggle(key: string): void {
    const next = new Set(selection)
    if (!next.delete(key)) next.add(key)
    onSelect(next)
  }

  return (
    <div className="admin-table-box">
      <TooltipArea>
        <table role="table" className="admin-table" aria-label={kind.texts.title}>
          <ColumnHeaders names={kind.columns} actions={blocklists.actions} />
          <tbody role="rowgroup">
            {rows.map((row) => {
              const [key, name] = [kind.keyOf(row), kind.nameOf(row)]
              return (
                <tr key={key} role="row">
                  <th role="rowheader" scope="row" className="admin-table-name">
                    <span className="block-name">
                      <input
                        type="checkbox"
                        className="row-check"
                        aria-label={blocklists.select(name)}
                        checked={selection.has(key)}
                        onChange={() => toggle(key)}
                      />
                      {kind.head(row)}
                    </span>
                  </th>
                  {kind.cells(row)}
                  <td role="cell" className="admin-table-actions">
                    <RowButton
                      icon={Trash2}
                      text={blocklists.remove}
                      name={blocklists.removeNamed(name)}
                      isDanger
                      isOff={isOff}
                      onPress={() => onRemove(key)}
                    />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </TooltipArea>
    </div>
  )
}
