import { CircleCheck, Flag } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type ReportReason, reportReasonIds, reportReasons } from '../../../contract/plain/report-reasons.ts'
import { useSession } from '../../model/session.ts'
import { report as texts } from '../../texts/report-messages.ts'
import { FormField } from '../../ui/forms/form-field.tsx'
import { FormFailure, Honeypot } from '../../ui/forms/form-outcome.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { maxLengths, type FieldName, problemsIn, reasonOf } from './report-fields.ts'
import { errorText } from '../../format/error-text.ts'
import { ApiError } from '../../model/api-error.ts'
import { sendTimed } from '../../model/form-timing.ts'
import { client } from '../../model/http.ts'
import { textIn, useSubmit } from '../../ui/forms/use-submit.ts'

const reasons: [ReportReason | '', string][] = [
  ['', texts.chooseReason],
  ...reportReasonIds.map((id): [ReportReason, string] => [id, reportReasons[id]]),
]

/** @param image fills in the field with the image */
export function ReportForm({ image }: { image: string }) {
  const session = useSession()
  const { isBusy, problems, outcome, clear, formProps, restart } = useReportForm()
  const [reason, setReason] = useState<ReportReason | ''>('')
  const [length, setLength] = useState(0)

  function reportAnother(): void {
    setReason('')
    setLength(0)
    restart()
  }

  if (outcome?.kind === 'done') return <Sent onAnother={reportAnother} />
  const field = (name: 'image' | 'comment' | 'email') => ({
    id: `report-${name}`,
    name,
    label: texts[name],
    hint: texts[`${name}Hint`],
    problem: problems[name],
    maxLength: maxLengths[name],
  })

  return (
    <form {...formProps} className="card grid gap-5 p-5 md:p-6 lg:p-8" aria-label={texts.formLabel}>
      <FormField {...field('image')} autoComplete="off" defaultValue={image} />
      <div className="grid gap-1.5">
        <Select
          label={texts.reason}
          hasLabel
          name="reason"
          value={reason}
          options={reasons}
          problem={problems.reason}
          onChange={(chosen) => {
            setReason(chosen)
            // It may have been required only with the other reason.
            clear('comment')
          }}
        />
      </div>
      <FormField {...field('comment')} rows={5} length={length} onLength={setLength} isRequired={reason === 'other'} />
      <FormField
        {...field('email')}
        type="email"
        autoComplete="email"
        isRequired={false}
        defaultValue={session.status === 'in' ? session.user.email : undefined}
      />
      <Honeypot />
      <div className="flex flex-wrap items-center gap-x-5 gap-y-4">
        <button type="submit" className="btn btn-primary btn-lg max-xs:w-full" disabled={isBusy}>
          <Flag className="size-4.5" aria-hidden />
          {isBusy ? texts.busy : texts.submit}
        </button>
        <div className="min-w-0 flex-[1_1_18rem]">
          {outcome !== undefined && <FormFailure text={texts.failed} reason={outcome.text} />}
        </div>
      </div>
    </form>
  )
}

/** Replaces the form, so that a report is not sent twice. */
function Sent({ onAnother }: { onAnother: () => void }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <div className="card grid justify-items-center gap-2 p-8 text-center md:p-12">
      <CircleCheck className="size-10 text-success-text" strokeWidth={1.5} aria-hidden />
      <h2 ref={title} tabIndex={-1} className="text-h2">
        {texts.sentTitle}
      </h2>
      <p className="max-w-[44ch] text-text-2">{texts.sent}</p>
      <button type="button" className="btn btn-quiet mt-4" onClick={onAnother}>
        {texts.another}
      </button>
    </div>
  )
}

/** Refusals that are about the field with the image. */
const imageCodes = ['image_not_found', 'image_gone', 'image_unavailable']

function useReportForm() {
  const [shownAt, setShownAt] = useState(() => Date.now())
  const form = useSubmit<FieldName>({
    async send(element) {
      const { reason, ...values } = valuesOf(element)
      const email = element.elements.namedItem('email')
      const isMistyped = email instanceof HTMLInputElement && email.validity.typeMismatch
      const found = problemsIn({ reason, ...values }, isMistyped)
      // Without a reason there is a problem.
      if (reason === '' || Object.keys(found).length > 0) return found
      const { email: given, ...report } = values
      const body = { ...report, reason, ...(given !== '' && { email: given }) }
      await sendTimed(shownAt, (time) => client.sendReport({ body: { ...body, time } }), isUntimely)
      return texts.sent
    },
    explain(error) {
      const code = error instanceof ApiError ? error.code : ''
      if (isUntimely(error)) setShownAt(Date.now())
      const text = errorText(error, '')
      return imageCodes.includes(code) ? { image: text } : text
    },
  })

  /** Shows the form again after it was sent. */
  function restart(): void {
    form.clearOutcome()
    setShownAt(Date.now())
  }
  return { ...form, restart }
}

const isUntimely = (error: unknown) => error instanceof ApiError && error.code === 'untimely_form'

const valuesOf = (form: HTMLFormElement) => ({
  image: textIn(form, 'image').trim(),
  reason: reasonOf(textIn(form, 'reason')),
  comment: textIn(form, 'comment').trim(),
  email: textIn(form, 'email').trim(),
  website: textIn(form, 'website').trim(),
})
