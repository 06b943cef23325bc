import { useId, useRef, useState } from 'react'
import { reportLimits } from '../../../../contract/plain/moderation-limits.ts'
import type { ReportCase } from '../../../../contract/endpoints/reports.ts'
import { decideReport, dismissReports, type ReportAction } from './admin-reports.ts'
import { reportDecision as texts, reportDecisions } from '../../../texts/admin/admin-reports-messages.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'

interface Props {
  /** One, or several to dismiss. */
  cases: readonly ReportCase[]
  action: ReportAction
  attempt: (run: () => Promise<string>, failed: string) => Promise<string | undefined>
  onClose: (isDecided: boolean) => void
}

/** Asks for the note of a decision, and explains its effect. */
export function ReportDecisionDialog({ cases, action, attempt, onClose }: Props) {
  const [note, setNote] = useState('')
  const id = useId()
  const isDone = useRef(false)
  const decision = reportDecisions[action]
  const [first, second] = cases
  const many = second === undefined ? undefined : reportDecisions.dismiss

  const run = () =>
    attempt(async () => {
      const ids = cases.map((reported) => reported.id)
      const dismissed = many && (await dismissReports(ids, note))
      if (dismissed === undefined) await decideReport(ids[0] ?? '', action, note)
      isDone.current = true
      return dismissed === undefined ? decision.done : reportDecisions.dismiss.doneMany(dismissed)
    }, texts.failed)

  return (
    <ConfirmDialog
      title={many?.titleOfMany(cases.length) ?? decision.title}
      subject={many === undefined ? first?.original_name : undefined}
      confirm={decision.label}
      busy={decision.busy}
      isDanger={action === 'remove' || action === 'block'}
      onConfirm={run}
      onClose={() => onClose(isDone.current)}
    >
      <p>{many?.textOfMany ?? decision.text}</p>
      <div className="mt-4 grid gap-1.5">
        <label htmlFor={id} className="font-medium text-text">
          {texts.note}
        </label>
        <textarea
          id={id}
          className="field h-auto resize-y py-2.5 coarse:h-auto"
          rows={3}
          maxLength={reportLimits.maxNoteLength}
          placeholder={texts.noteHint}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      </div>
    </ConfirmDialog>
  )
}
