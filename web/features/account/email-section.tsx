import { useId, useRef, useState, type SubmitEvent } from 'react'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { requestEmailConfirmation } from './email-links.ts'
import { ApiError, errorText } from '../../model/api-error.ts'
import { useSite } from '../../model/site.ts'
import { ownAccount } from '../../texts/account-messages.ts'
import { CurrentPasswordField } from '../../ui/forms/current-password-field.tsx'
import { notify } from '../../ui/toast/toast.ts'
import { AccountSection, type ChangeOutcome, OutcomeText } from './account-section.tsx'
import { EmailField } from './email-field.tsx'

const texts = ownAccount.email

interface Props {
  email: string
  isConfirmed: boolean
  isAdmin: boolean
}

/** The address: confirms it, or replaces it by another one once that is confirmed. */
export function EmailSection({ email, isConfirmed, isAdmin }: Props) {
  const { mail } = useSite()
  return (
    <AccountSection title={texts.title} text={mail ? texts.text : texts.off}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium wrap-anywhere">{email}</span>
        {mail && <ConfirmedText isConfirmed={isConfirmed} />}
      </p>
      {mail && !isConfirmed && isAdmin && (
        <p role="alert" className="rounded-control bg-warning-soft px-3.5 py-3 text-dense text-warning-text">
          {texts.adminNotConfirmed}
        </p>
      )}
      {mail && !isConfirmed && <ConfirmButton email={email} />}
      {mail && <ChangeForm />}
    </AccountSection>
  )
}

function ConfirmedText({ isConfirmed }: { isConfirmed: boolean }) {
  const { confirmed, notConfirmed } = texts
  const Icon = isConfirmed ? CircleCheck : CircleAlert
  return (
    <span className={`flex items-center gap-1.5 text-dense ${isConfirmed ? 'text-success-text' : 'text-warning-text'}`}>
      <Icon className="size-4" aria-hidden />
      {isConfirmed ? confirmed : notConfirmed}
    </span>
  )
}

function ConfirmButton({ email }: { email: string }) {
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<ChangeOutcome>()

  async function send(): Promise<void> {
    setBusy(true)
    setOutcome(await attempt(() => requestEmailConfirmation({}), texts.sent(email)))
    setBusy(false)
  }

  return (
    <div className="grid justify-items-start gap-3">
      <button type="button" className="btn btn-primary" disabled={isBusy} onClick={() => void send()}>
        {isBusy ? texts.busy : texts.confirm}
      </button>
      <OutcomeText outcome={outcome} />
    </div>
  )
}

/** Sends and shows a toast. */
async function attempt(
  send: () => Promise<void>,
  done: string,
): Promise<{ kind: 'done' | 'failed'; text: string; code: string }> {
  try {
    await send()
    notify.success(done, 'account')
    return { kind: 'done', text: done, code: '' }
  } catch (error) {
    console.info(texts.failed, error)
    const text = errorText(error, texts.failed)
    notify.error(text, 'account')
    return { kind: 'failed', text, code: error instanceof ApiError ? error.code : '' }
  }
}

type Wrong = { field: 'next' | 'current'; text: string } | undefined

function ChangeForm() {
  const id = useId()
  const next = useRef<HTMLInputElement>(null)
  const current = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<Wrong>()
  const [outcome, setOutcome] = useState<ChangeOutcome>()
  const errorOf = (field: 'next' | 'current') => (wrong?.field === field ? wrong.text : undefined)
  const clear = (field: 'next' | 'current') => setWrong((was) => (was?.field === field ? undefined : was))

  function refuse(found: NonNullable<Wrong>): void {
    setWrong(found)
    const { current: input } = found.field === 'next' ? next : current
    input?.focus()
  }

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = event.currentTarget
    const email = next.current?.value.trim() ?? ''
    const currentPassword = current.current?.value ?? ''
    setWrong(undefined)
    setOutcome(undefined)
    if (email === '') return refuse({ field: 'next', text: texts.nextMissing })
    if (currentPassword === '') return refuse({ field: 'current', text: texts.currentMissing })
    setBusy(true)
    const { kind, text, code } = await attempt(
      () => requestEmailConfirmation({ email, currentPassword }),
      texts.sent(email),
    )
    setBusy(false)
    if (code === 'invalid_input') return refuse({ field: 'next', text })
    if (code === 'wrong_password') return refuse({ field: 'current', text })
    setOutcome({ kind, text })
    if (kind === 'done') form.reset()
  }

  return (
    <form className="grid gap-5" noValidate onSubmit={submit}>
      <EmailField
        id={`${id}next`}
        label={texts.next}
        field={next}
        autoComplete="email"
        error={errorOf('next')}
        onChange={() => clear('next')}
      />
      <CurrentPasswordField
        id={`${id}current`}
        label={texts.current}
        error={errorOf('current')}
        field={current}
        onLength={() => clear('current')}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <button type="submit" className="btn btn-quiet" disabled={isBusy}>
          {isBusy ? texts.busy : texts.submit}
        </button>
        <OutcomeText outcome={outcome} />
      </div>
    </form>
  )
}
