import { Check, Flag } from 'lucide-react'
import { useState } from 'react'
import type { ReportCase } from '../../../../contract/endpoints/reports.ts'
import { reportList, type ReportAction, type ReportStatus } from './admin-reports.ts'
import { useOnline } from '../../../model/online.ts'
import { usePages } from '../../../model/row-list.ts'
import { adminReports as texts, reportDecisions } from '../../../texts/admin/admin-reports-messages.ts'
import { Select } from '../../../ui/forms/select.tsx'
import { ListPanel } from '../../../ui/list-panel/list-panel.tsx'
import { focusRow } from '../../../ui/list-panel/row-focus.ts'
import { Skeletons } from '../../../ui/list-panel/skeletons.tsx'
import { SelectionBar } from '../../../ui/list-panel/selection-bar.tsx'
import { useSelection } from '../../../ui/list-panel/use-selection.ts'
import { SmallButton } from '../../../ui/small-button.tsx'
import { useActionOutcome } from '../use-action-outcome.ts'
import { ReportCard } from './report-card.tsx'
import { ReportDecisionDialog } from './report-decision-dialog.tsx'

interface Props {
  status: ReportStatus
  onStatus: (status: ReportStatus) => void
}

/** Reported images: those to decide about, and the decisions. */
export function ReportsPanel({ status, onStatus }: Props) {
  const list = usePages(reportList(status))
  const { outcome, attempt } = useActionOutcome()
  const [asked, setAsked] = useState<{ cases: readonly ReportCase[]; at: number; action: ReportAction }>()
  const undecided = list.rows.filter(({ decision }) => decision === null)
  const selection = useSelection(undecided, ({ id }) => id)
  const isOnline = useOnline()

  return (
    <>
      <ListPanel
        id="reports"
        icon={Flag}
        texts={{
          ...texts,
          count: texts.count[status],
          noneYet: texts.noneYet[status],
          noneYetText: texts.noneYetText[status],
        }}
        list={list}
        action={
          <Select
            isFilter
            label={texts.status}
            value={status}
            options={[
              ['open', texts.statuses.open],
              ['decided', texts.statuses.decided],
            ]}
            onChange={onStatus}
          />
        }
        outcome={outcome}
        skeletons={<Skeletons count={3} className="h-44" />}
        rowHead="h3"
      >
        <ul className="grid gap-4" aria-label={texts.list}>
          {list.rows.map((reported, at) => (
            <ReportCard
              key={reported.id}
              reported={reported}
              isOff={!isOnline}
              isSelected={selection.keys.has(reported.id)}
              onSelect={() => selection.toggle(reported.id)}
              onDecide={(action) => setAsked({ cases: [reported], at, action })}
            />
          ))}
        </ul>
      </ListPanel>
      <SelectionBar label={texts.selected} selection={selection}>
        <SmallButton
          icon={Check}
          text={reportDecisions.dismiss.label}
          isOff={!isOnline}
          onPress={() => setAsked({ cases: selection.selected, at: 0, action: 'dismiss' })}
        />
      </SelectionBar>
      {asked !== undefined && (
        <ReportDecisionDialog
          cases={asked.cases}
          action={asked.action}
          attempt={attempt}
          onClose={(isDecided) => {
            setAsked(undefined)
            if (isDecided) focusRow('reports', asked.at, 'h3')
          }}
        />
      )}
    </>
  )
}
