import { useState } from 'react'
import { ApiError, errorText } from '../../model/api-error.ts'
import { report as texts } from '../../texts/report-messages.ts'
import { textIn, useSubmit } from '../../ui/forms/use-submit.ts'
import { sendReport } from './reports.ts'
import { type FieldName, problemsIn, reasonOf } from './report-fields.ts'

/** Refusals that are about the field with the image. */
const imageCodes = ['image_not_found', 'image_gone', 'image_unavailable']

export function useReportForm() {
  const [shownAt, setShownAt] = useState(() => Date.now())
  const form = useSubmit<FieldName>({
    async send(element) {
      const { reason, ...values } = valuesOf(element)
      const email = element.elements.namedItem('email')
      const isMistyped = email instanceof HTMLInputElement && email.validity.typeMismatch
      const found = problemsIn({ reason, ...values }, isMistyped)
      // Without a reason there is a problem.
      if (reason === '' || Object.keys(found).length > 0) return found
      await sendReport({ ...values, reason }, shownAt)
      return texts.sent
    },
    explain(error) {
      const code = error instanceof ApiError ? error.code : ''
      if (code === 'untimely_form') setShownAt(Date.now())
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

const valuesOf = (form: HTMLFormElement) => ({
  image: textIn(form, 'image').trim(),
  reason: reasonOf(textIn(form, 'reason')),
  comment: textIn(form, 'comment').trim(),
  email: textIn(form, 'email').trim(),
  website: textIn(form, 'website').trim(),
})
