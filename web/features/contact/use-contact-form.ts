import { useRef, useState, type SubmitEvent } from 'react'
import { MailError, sendContactMessage } from '../../data/contact.ts'
import { useSite } from '../../data/site.ts'
import { contact } from '../../texts/contact-messages.ts'
import { notify } from '../../ui/toast/toast.ts'
import { fieldNames, contactFieldError, type FieldName } from './contact-fields.ts'

const texts = contact.form
const toastId = 'contact'

type SubmitOutcome = { isSent: true } | { isSent: false; reason: string }
type Problems = Partial<Record<FieldName, string>>

export function useContactForm() {
  const site = useSite()
  const form = useRef<HTMLFormElement>(null)
  const [shownAt, setShownAt] = useState(() => Date.now())
  const [isBusy, setBusy] = useState(false)
  const [problems, setProblems] = useState<Problems>({})
  const [outcome, setOutcome] = useState<SubmitOutcome>()

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    setOutcome(undefined)
    const found = problemsIn(event.currentTarget)
    setProblems(found)
    const first = fieldNames.find((name) => found[name] !== undefined)
    if (first !== undefined) return fieldOf(event.currentTarget, first)?.focus()
    setBusy(true)
    await send(valuesOf(event.currentTarget))
    setBusy(false)
  }

  async function send(values: ReturnType<typeof valuesOf>): Promise<void> {
    try {
      await sendContactMessage(site, { ...values, recipient: site.supportEmail }, shownAt)
      form.current?.reset()
      setOutcome({ isSent: true })
      notify.success(texts.done, toastId)
      setShownAt(Date.now())
    } catch (error) {
      console.info('The message was not sent', error)
      setOutcome({ isSent: false, reason: error instanceof MailError ? error.message : '' })
      notify.error(texts.failed, toastId)
      // The form may have been open for too long: its start time is reset.
      if (error instanceof MailError && error.status === 400) setShownAt(Date.now())
    }
  }

  const forgive = (name: FieldName) => setProblems(({ [name]: _, ...rest }) => rest)

  return { form, shownAt, isBusy, problems, outcome, submit, forgive }
}

const fieldOf = (form: HTMLFormElement, name: string) => {
  const field = form.elements.namedItem(name)
  return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field : undefined
}

function problemsIn(form: HTMLFormElement): Problems {
  const found: Problems = {}
  for (const name of fieldNames) {
    const field = fieldOf(form, name)
    const problem = field && contactFieldError(name, field.value, field.validity.typeMismatch)
    if (problem !== undefined) found[name] = problem
  }
  return found
}

const valuesOf = (form: HTMLFormElement) => ({
  name: valueIn(form, 'name'),
  email: valueIn(form, 'email'),
  subject: valueIn(form, 'subject'),
  message: valueIn(form, 'message'),
  website: valueIn(form, 'website'),
})

const valueIn = (form: HTMLFormElement, name: string) => fieldOf(form, name)?.value.trim() ?? ''
