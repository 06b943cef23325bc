import { Trash2 } from 'lucide-react'
import { blocklists } from '../../../texts/admin/blocklist-messages.ts'
import { CardRow, CardTable } from '../../../ui/card-table.tsx'
import { RowButton } from '../row-button.tsx'
import type { BlockKind } from './block-kinds.tsx'

interface Props<Row> {
  kind: BlockKind<Row>
  rows: readonly Row[]
  selection: { keys: ReadonlySet<string>; toggle: (key: string) => void }
  onRemove: (key: string) => void
}

export const BlockTable = <Row,>({ kind, rows, selection, onRemove }: Props<Row>) => (
  <CardTable label={kind.texts.title} columns={kind.columns} actions={blocklists.actions}>
    {rows.map((row) => {
      const [key, name] = [kind.keyOf(row), kind.nameOf(row)]
      return (
        <CardRow
          key={key}
          head={
            <span className="flex min-w-0 items-center gap-2">
              <input
                type="checkbox"
                className="row-check"
                aria-label={blocklists.select(name)}
                checked={selection.keys.has(key)}
                onChange={() => selection.toggle(key)}
              />
              {kind.head(row)}
            </span>
          }
          actions={
            <RowButton
              icon={Trash2}
              text={blocklists.remove}
              name={blocklists.removeNamed(name)}
              isDanger
              onPress={() => onRemove(key)}
            />
          }
        >
          {kind.cells(row)}
        </CardRow>
      )
    })}
  </CardTable>
)
