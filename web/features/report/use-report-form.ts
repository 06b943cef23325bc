import { useRef, useState, type SubmitEvent } from 'react'
import { ApiError, errorText } from '../../data/api-error.ts'
import { sendReport } from '../../data/reports.ts'
import { fieldNames, type FieldName, type FieldValues, type Problems, problemsIn, reasonOf } from './report-fields.ts'

/** Refusals that are about the field with the image. */
const imageCodes = ['image_not_found', 'image_gone', 'image_unavailable']

export function useReportForm() {
  const form = useRef<HTMLFormElement>(null)
  const [shownAt, setShownAt] = useState(() => Date.now())
  const [isBusy, setBusy] = useState(false)
  const [problems, setProblems] = useState<Problems>({})
  const [outcome, setOutcome] = useState<{ isSent: true } | { isSent: false; reason: string }>()

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    setOutcome(undefined)
    const values = valuesOf(event.currentTarget)
    const email = event.currentTarget.elements.namedItem('email')
    const found = problemsIn(values, email instanceof HTMLInputElement && email.validity.typeMismatch)
    setProblems(found)
    const first = fieldNames.find((name) => found[name] !== undefined)
    if (first !== undefined) return focusField(first)
    setBusy(true)
    await send(values)
    setBusy(false)
  }

  async function send({ reason, ...values }: ReturnType<typeof valuesOf>): Promise<void> {
    if (reason === '') return
    try {
      await sendReport({ ...values, reason }, shownAt)
      setOutcome({ isSent: true })
    } catch (error) {
      console.info('The report was not sent', error)
      if (error instanceof ApiError && imageCodes.includes(error.code)) {
        setProblems({ image: error.message })
        return focusField('image')
      }
      setOutcome({ isSent: false, reason: errorText(error, '') })
      // The form may have been open for too long: its start time is reset.
      if (error instanceof ApiError && error.code === 'untimely_form') setShownAt(Date.now())
    }
  }

  function focusField(name: FieldName): void {
    const field = form.current?.elements.namedItem(name)
    if (field instanceof HTMLElement) field.focus()
  }

  function restart(): void {
    setOutcome(undefined)
    setShownAt(Date.now())
  }

  const forgive = (name: FieldName) => setProblems(({ [name]: _, ...rest }) => rest)

  return { form, isBusy, problems, outcome, submit, forgive, restart }
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
