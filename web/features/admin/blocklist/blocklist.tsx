import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { moderationLimits } from '../../../../contract/plain/moderation-limits.ts'
import { useOnline } from '../../../model/online.ts'
import { usePages } from '../../../model/row-list.ts'
import { blocklists } from '../../../texts/admin/blocklist-messages.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import { ListPanel } from '../../../ui/list-panel/list-panel.tsx'
import { focusTitle } from '../../../ui/list-panel/row-focus.ts'
import { SelectionBar } from '../../../ui/list-panel/selection-bar.tsx'
import { useSelection } from '../../../ui/list-panel/use-selection.ts'
import { SmallButton } from '../../../ui/small-button.tsx'
import { AddButton } from '../add-button.tsx'
import { useActionOutcome } from '../use-action-outcome.ts'
import { AddBlocksDialog } from './add-blocks-dialog.tsx'
import type { BlockKind } from './block-kinds.tsx'
import { CardRow, CardTable } from '../../../ui/card-table.tsx'
import { RowButton } from '../row-button.tsx'

interface Props<Row> {
  kind: BlockKind<Row>
  q: string
  onSearch: (q: string) => void
}

export function Blocklist<Row>({ kind, q, onSearch }: Props<Row>) {
  const { texts } = kind
  const list = usePages(kind.list(q))
  const { outcome, showDone, attempt } = useActionOutcome()
  const selection = useSelection(list.rows, kind.keyOf)
  const [isAdding, setAdding] = useState(false)
  const [asked, setAsked] = useState<readonly string[]>()
  const isOnline = useOnline()

  const remove = (keys: readonly string[]) =>
    attempt(async () => {
      const removed = await kind.remove(keys)
      selection.clear()
      // The button that opened the dialog is removed with its row.
      focusTitle('blocks')
      return texts.removed(removed)
    }, texts.removeFailed)

  return (
    <>
      <ListPanel
        id="blocks"
        icon={kind.icon}
        texts={{ ...texts, clear: blocklists.clear }}
        list={list}
        action={<AddButton text={blocklists.add} onPress={() => setAdding(true)} />}
        filters={
          <SearchField
            className="toolbar-search"
            label={texts.search}
            maxLength={moderationLimits.maxSearchLength}
            text={q}
            onSearch={(text) => {
              selection.clear()
              onSearch(text)
            }}
          />
        }
        onClear={q === '' ? undefined : () => onSearch('')}
        outcome={outcome}
        rowHead="tbody th input"
      >
        <BlockTable kind={kind} rows={list.rows} selection={selection} onRemove={(key) => setAsked([key])} />
      </ListPanel>
      <SelectionBar label={blocklists.selected} selection={selection}>
        <SmallButton
          icon={Trash2}
          text={blocklists.remove}
          isDanger
          isOff={!isOnline}
          onPress={() => setAsked(selection.selected.map(kind.keyOf))}
        />
      </SelectionBar>
      {isAdding && <AddBlocksDialog kind={kind} onDone={showDone} onClose={() => setAdding(false)} />}
      {asked !== undefined && (
        <ConfirmDialog
          title={texts.removeTitle(asked.length)}
          confirm={blocklists.remove}
          busy={blocklists.removing}
          isDanger
          onConfirm={() => remove(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>{texts.removeText}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

interface TableProps<Row> {
  kind: BlockKind<Row>
  rows: readonly Row[]
  selection: { keys: ReadonlySet<string>; toggle: (key: string) => void }
  onRemove: (key: string) => void
}

const BlockTable = <Row,>({ kind, rows, selection, onRemove }: TableProps<Row>) => (
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
