import { useInfiniteQuery } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { moderationLimits } from '../../../../contract/plain/moderation-limits.ts'
import { useOnline } from '../../../model/online.ts'
import { queryClient } from '../../../model/query-client.ts'
import { pagesOf } from '../../../model/row-list.ts'
import { blocklists } from '../../../texts/admin/blocklist-messages.ts'
import { common } from '../../../texts/messages.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import { ListPanel } from '../../../ui/list-panel/list-panel.tsx'
import { EmptyList, NoMatch, Skeletons } from '../../../ui/list-panel/list-states.tsx'
import { focusTitle } from '../../../ui/list-panel/row-focus.ts'
import { SelectionBar } from '../../../ui/list-panel/selection-bar.tsx'
import { useSelection } from '../../../ui/list-panel/use-selection.ts'
import { useActionOutcome } from '../use-action-outcome.ts'
import { AddDialog } from './add-dialog.tsx'
import type { BlockKind } from './block-kinds.tsx'
import { BlockTable } from './block-table.tsx'

interface Props<Row> {
  kind: BlockKind<Row>
  q: string
  onSearch: (q: string) => void
}

export function Blocklist<Row>({ kind, q, onSearch }: Props<Row>) {
  const { texts } = kind
  const list = pagesOf(useInfiniteQuery(kind.list(q), queryClient))
  const { outcome, attempt } = useActionOutcome()
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
        texts={texts}
        list={list}
        count={q === '' ? texts.count : texts.found}
        action={
          <button type="button" className="btn btn-primary" disabled={!isOnline} onClick={() => setAdding(true)}>
            <Plus className="size-4.5" aria-hidden />
            {blocklists.add}
          </button>
        }
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
        outcome={outcome}
        skeletons={<Skeletons count={3} className="h-13" />}
        empty={
          q === '' ? (
            <EmptyList icon={kind.icon} title={texts.noneYet} text={texts.noneYetText} />
          ) : (
            <NoMatch icon={kind.icon} title={texts.none} clear={blocklists.clear} onClear={() => onSearch('')} />
          )
        }
        rowHead="tbody th input"
      >
        <BlockTable
          kind={kind}
          rows={list.rows}
          isOff={!isOnline}
          selection={selection}
          onRemove={(key) => setAsked([key])}
        />
      </ListPanel>
      <SelectionBar label={blocklists.selected} selection={selection}>
        <button
          type="button"
          className="btn btn-quiet btn-sm text-danger-text coarse:h-11"
          disabled={!isOnline}
          onClick={() => setAsked(selection.selected.map(kind.keyOf))}
        >
          <Trash2 className="size-4" aria-hidden />
          {blocklists.remove}
        </button>
      </SelectionBar>
      {isAdding && <AddDialog kind={kind} attempt={attempt} onClose={() => setAdding(false)} />}
      {asked !== undefined && (
        <ConfirmDialog
          title={texts.removeTitle(asked.length)}
          confirm={blocklists.remove}
          busy={blocklists.removing}
          cancel={common.cancel}
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
