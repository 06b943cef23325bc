import { useState } from 'react'
import { ApiError, errorText } from '../../model/api-error.ts'
import { sendTimed } from '../../model/form-timing.ts'
import { client } from '../../model/http.ts'
import { report as texts } from '../../texts/report-messages.ts'
import { textIn, useSubmit } from '../../ui/forms/use-submit.ts'
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
