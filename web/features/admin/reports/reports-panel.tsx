import { Check, Flag } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ReportCase } from '../../../../contract/endpoints/reports.ts'
import { useReports, type ReportAction, type ReportStatus } from './admin-reports.ts'
import { useOnline } from '../../../model/online.ts'
import { adminReports as texts, reportDecisions } from '../../../texts/admin/admin-reports-messages.ts'
import { Select } from '../../../ui/forms/select.tsx'
import { EmptyState, ListFallback, loadingStateOf, Skeletons } from '../loading-states.tsx'
import { MoreRows } from '../more-rows.tsx'
import { SelectionBar } from '../selection-bar.tsx'
import { useActionOutcome } from '../use-action-outcome.ts'
import { ReportCard } from './report-card.tsx'
import { ReportDecisionDialog } from './report-decision-dialog.tsx'
import './reports.css'

interface Props {
  status: ReportStatus
  onStatus: (status: ReportStatus) => void
}

/** Reported images: those to decide about, and the decisions. */
export function ReportsPanel({ status, onStatus }: Props) {
  const list = useReports(status)
  const { cases, total } = list.data ?? { cases: [], total: 0 }
  const { outcome, attempt } = useActionOutcome()
  const [asked, setAsked] = useState<{ cases: readonly ReportCase[]; at: number; action: ReportAction }>()
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set())
  const isOnline = useOnline()
  const section = useRef<HTMLElement>(null)
  const selected = cases.filter(({ id, decision }) => decision === null && selection.has(id))

  const titles = () => [...(section.current?.querySelectorAll<HTMLElement>('h3') ?? [])]

  /** After a decision its card is removed: focuses the one that took its place, else the title. */
  function focusAt(card: number): void {
    requestAnimationFrame(() => (titles()[card] ?? titles().at(-1) ?? section.current?.querySelector('h2'))?.focus())
  }

  function toggle(id: string): void {
    const next = new Set(selection)
    if (!next.delete(id)) next.add(id)
    setSelection(next)
  }

  const { isLoading, isReady } = loadingStateOf(list)
  return (
    <section ref={section} className="grid gap-4" aria-labelledby="reports" aria-busy={isLoading}>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h2 id="reports" tabIndex={-1} className="text-h2">
            {texts.title}
          </h2>
          <p role="status" className="text-dense text-text-2 tabular-nums">
            {isReady && texts.count[status](total)}
          </p>
        </div>
        <Select
          label={texts.status}
          value={status}
          options={[
            ['open', texts.statuses.open],
            ['decided', texts.statuses.decided],
          ]}
          onChange={onStatus}
        />
      </div>
      <p role="status" className="text-dense font-medium text-success-text empty:hidden">
        {outcome}
      </p>
      <ListFallback
        list={list}
        isEmpty={cases.length === 0}
        failed={texts.failed}
        skeletons={<Skeletons count={3} className="h-44" />}
      >
        <EmptyState icon={<Flag className="size-6.5" aria-hidden />} title={texts.none[status]} text={texts.noneText} />
      </ListFallback>
      {cases.length > 0 && (
        <ul className="grid gap-4" aria-label={texts.list}>
          {cases.map((reported, at) => (
            <ReportCard
              key={reported.id}
              reported={reported}
              isOff={!isOnline}
              isSelected={selection.has(reported.id)}
              onSelect={() => toggle(reported.id)}
              onDecide={(action) => setAsked({ cases: [reported], at, action })}
            />
          ))}
        </ul>
      )}
      <MoreRows
        list={list}
        failed={texts.moreFailed}
        shown={texts.shown(cases.length, total)}
        // The focus moves to the first new card.
        onMore={() => titles()[cases.length]?.focus()}
      />
      {selected.length > 0 && (
        <SelectionBar
          label={texts.selected}
          count={selected.length}
          loaded={cases.length}
          onSelectAll={() => setSelection(new Set(cases.map(({ id }) => id)))}
          onClear={() => setSelection(new Set())}
        >
          <button
            type="button"
            className="btn btn-quiet btn-sm coarse:h-11"
            disabled={!isOnline}
            onClick={() => setAsked({ cases: selected, at: 0, action: 'dismiss' })}
          >
            <Check className="size-4" aria-hidden />
            {reportDecisions.dismiss.label}
          </button>
        </SelectionBar>
      )}
      {asked !== undefined && (
        <ReportDecisionDialog
          cases={asked.cases}
          action={asked.action}
          attempt={attempt}
          onClose={(isDecided) => {
            setAsked(undefined)
            if (isDecided) focusAt(asked.at)
          }}
        />
      )}
    </section>
  )
}
