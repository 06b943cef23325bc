import { ApiError, errorText } from '../../model/api-error.ts'
import { sendReport } from './reports.ts'
import { usePublicForm } from '../../ui/forms/use-public-form.ts'
import { fieldNames, type FieldValues, problemsIn, reasonOf } from './report-fields.ts'

/** Refusals that are about the field with the image. */
const imageCodes = ['image_not_found', 'image_gone', 'image_unavailable']

export function useReportForm() {
  return usePublicForm({
    fieldNames,
    problemsIn(form) {
      const email = form.elements.namedItem('email')
      return problemsIn(valuesOf(form), email instanceof HTMLInputElement && email.validity.typeMismatch)
    },
    async send(form, shownAt) {
      const { reason, ...values } = valuesOf(form)
      // Never: problemsIn refuses it.
      if (reason === '') return { isSent: false, reason: '' }
      try {
        await sendReport({ ...values, reason }, shownAt)
        return { isSent: true }
      } catch (error) {
        console.info('The report was not sent', error)
        if (!(error instanceof ApiError)) return { isSent: false, reason: errorText(error, '') }
        if (imageCodes.includes(error.code)) return { isSent: false, reason: error.message, field: 'image' }
        return { isSent: false, reason: errorText(error, ''), isUntimely: error.code === 'untimely_form' }
      }
    },
  })
}

function valuesOf(form: HTMLFormElement): FieldValues & { website: string } {
  const data = new FormData(form)
  const textOf = (name: string) => {
    const value = data.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  return {
    image: textOf('image'),
    reason: reasonOf(textOf('reason')),
    comment: textOf('comment'),
    email: textOf('email'),
    website: textOf('website'),
  }
}
