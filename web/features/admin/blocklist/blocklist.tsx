import { useInfiniteQuery } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { moderationLimits } from '../../../../contract/plain/moderation-limits.ts'
import { useOnline } from '../../../model/online.ts'
import { queryClient } from '../../../model/query-client.ts'
import { users } from '../../../texts/admin/admin-messages.ts'
import { blocklists } from '../../../texts/admin/blocklist-messages.ts'
import { common } from '../../../texts/messages.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import { EmptyState, ListFallback, loadingStateOf, Skeletons } from '../loading-states.tsx'
import { MoreRows } from '../more-rows.tsx'
import { SelectionBar } from '../selection-bar.tsx'
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
  const { texts, keyOf } = kind
  const list = useInfiniteQuery(kind.list(q), queryClient)
  const { rows, total } = list.data ?? { rows: [], total: 0 }
  const { outcome, attempt } = useActionOutcome()
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set())
  const [isAdding, setAdding] = useState(false)
  const [asked, setAsked] = useState<readonly string[]>()
  const isOnline = useOnline()
  const title = useRef<HTMLHeadingElement>(null)
  const section = useRef<HTMLElement>(null)
  const selected = rows.map(keyOf).filter((key) => selection.has(key))

  const remove = (keys: readonly string[]) =>
    attempt(async () => {
      const removed = await kind.remove(keys)
      setSelection(new Set())
      // The button that opened the dialog is removed with its row.
      requestAnimationFrame(() => title.current?.focus())
      return texts.removed(removed)
    }, texts.removeFailed)

  const { isLoading, isReady } = loadingStateOf(list)
  const isFiltered = q !== ''
  return (
    <section ref={section} className="grid gap-4" aria-labelledby="blocks" aria-busy={isLoading}>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <div className="flex flex-wrap items-baseline gap-x-3">
            <h2 id="blocks" ref={title} tabIndex={-1} className="text-h2">
              {texts.title}
            </h2>
            <p role="status" className="text-dense text-text-2 tabular-nums">
              {isReady && (isFiltered ? texts.found(total) : texts.count(total))}
            </p>
          </div>
          <p className="mt-1 max-w-[68ch] text-dense text-text-2">{texts.text}</p>
        </div>
        <button type="button" className="btn btn-primary" disabled={!isOnline} onClick={() => setAdding(true)}>
          <Plus className="size-4.5" aria-hidden />
          {blocklists.add}
        </button>
      </div>
      <search aria-label={texts.searchLabel} className="users-search">
        <SearchField
          className="toolbar-search"
          label={texts.search}
          maxLength={moderationLimits.maxSearchLength}
          text={q}
          onSearch={(text) => {
            setSelection(new Set())
            onSearch(text)
          }}
        />
      </search>
      <p role="status" className="text-dense font-medium text-success-text wrap-anywhere empty:hidden">
        {outcome}
      </p>
      <ListFallback
        list={list}
        isEmpty={rows.length === 0}
        failed={texts.failed}
        skeletons={<Skeletons count={3} className="h-13" />}
      >
        <EmptyState
          icon={kind.icon}
          title={isFiltered ? texts.none : texts.noneYet}
          {...(isFiltered ? {} : { text: texts.noneYetText })}
        >
          {isFiltered && (
            <button type="button" className="btn btn-quiet mt-4" onClick={() => onSearch('')}>
              {blocklists.clear}
            </button>
          )}
        </EmptyState>
      </ListFallback>
      {rows.length > 0 && (
        <BlockTable
          kind={kind}
          rows={rows}
          isOff={!isOnline}
          selection={selection}
          onSelect={setSelection}
          onRemove={(key) => setAsked([key])}
        />
      )}
      <MoreRows
        list={list}
        failed={texts.moreFailed}
        shown={users.shown(rows.length, total)}
        // The focus moves to the first new row.
        onMore={() => section.current?.querySelectorAll<HTMLElement>('tbody th input')[rows.length]?.focus()}
      />
      {selected.length > 0 && (
        <SelectionBar
          label={blocklists.selected}
          count={selected.length}
          loaded={rows.length}
          onSelectAll={() => setSelection(new Set(rows.map(keyOf)))}
          onClear={() => setSelection(new Set())}
        >
          <button
            type="button"
            className="btn btn-quiet btn-sm text-danger-text coarse:h-11"
            disabled={!isOnline}
            onClick={() => setAsked(selected)}
          >
            <Trash2 className="size-4" aria-hidden />
            {blocklists.remove}
          </button>
        </SelectionBar>
      )}
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
    </section>
  )
}
