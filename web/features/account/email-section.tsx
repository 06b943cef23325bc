import { CircleAlert, CircleCheck } from 'lucide-react'
import { requestEmailConfirmation } from './email-links.ts'
import { errorText } from '../../format/error-text.ts'
import { ApiError } from '../../model/api-error.ts'
import { useSite } from '../../model/site.ts'
import { ownAccount } from '../../texts/account-messages.ts'
import { OutcomeText } from '../../ui/forms/form-outcome.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { textIn, useSubmit } from '../../ui/forms/use-submit.ts'
import { notify } from '../../ui/toast/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { AccountSection } from './account-section.tsx'
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
  const { isBusy, outcome, run } = useAction()
  return (
    <div className="grid justify-items-start gap-3">
      <button
        type="button"
        className="btn btn-primary"
        disabled={isBusy}
        onClick={() => void run(() => sendLink({}, email), explainSending)}
      >
        {isBusy ? texts.busy : texts.confirm}
      </button>
      <OutcomeText outcome={outcome} />
    </div>
  )
}

/** Shows a toast. @returns its text */
async function sendLink(body: Parameters<typeof requestEmailConfirmation>[0], email: string): Promise<string> {
  await requestEmailConfirmation(body)
  notify.success(texts.sent(email), 'account')
  return texts.sent(email)
}

const explainSending = (error: unknown) => errorText(error, texts.failed)

function ChangeForm() {
  const { isBusy, problems, outcome, formProps } = useSubmit<'email' | 'current-password'>({
    async send(form) {
      const [email, currentPassword] = [textIn(form, 'email').trim(), textIn(form, 'current-password')]
      if (email === '') return { email: texts.nextMissing }
      if (currentPassword === '') return { 'current-password': texts.currentMissing }
      const done = await sendLink({ email, currentPassword }, email)
      form.reset()
      return done
    },
    explain(error) {
      const text = explainSending(error)
      const code = error instanceof ApiError ? error.code : ''
      if (code === 'invalid_input') return { email: text }
      return code === 'wrong_password' ? { 'current-password': text } : text
    },
  })

  return (
    <form className="grid gap-5" {...formProps}>
      <EmailField label={texts.next} autoComplete="email" error={problems.email} />
      <PasswordField name="current-password" label={texts.current} error={problems['current-password']} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <button type="submit" className="btn btn-quiet" disabled={isBusy}>
          {isBusy ? texts.busy : texts.submit}
        </button>
        <OutcomeText outcome={outcome} />
      </div>
    </form>
  )
}
