// The second step of a login: a code, a recovery code or a passkey.
import { KeyRound } from 'lucide-react'
import { useEffect, useId, useRef, useState, type SubmitEvent } from 'react'
import { errorText } from '../../../model/api-error.ts'
import { loginWithCode, loginWithPasskey, type PendingLogin } from './login.ts'
import { canUsePasskeys } from '../security/passkeys.ts'
import { account } from '../../../texts/account-messages.ts'
import { LabelledField } from '../../../ui/forms/labelled-field.tsx'
import { AuthCard } from './auth-card.tsx'

const texts = account.secondFactor

interface Props {
  pending: PendingLogin
  /** The whole login starts again: the step ends after five minutes. */
  onBack: () => void
}

export function SecondFactorForm({ pending, onBack }: Props) {
  const hasApp = pending.factors.includes('totp')
  const hasPasskey = pending.factors.includes('passkey') && canUsePasskeys()
  const [isRecovery, setRecovery] = useState(!hasApp && !hasPasskey)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  const asksCode = hasApp || isRecovery
  useEffect(() => field.current?.focus(), [isRecovery])

  async function logIn(attempt: () => Promise<void>): Promise<void> {
    setFailure(undefined)
    setBusy(true)
    try {
      await attempt()
    } catch (error) {
      console.info('The second factor was refused', error)
      setFailure(errorText(error, texts.failed))
      field.current?.select()
    }
    setBusy(false)
  }

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const code = field.current?.value.trim() ?? ''
    if (code !== '') return logIn(() => loginWithCode(pending, code))
    setFailure(texts.missing)
    field.current?.focus()
  }

  const lead = isRecovery ? texts.recoveryLead : hasApp ? texts.codeLead : texts.passkeyLead
  return (
    <AuthCard title={texts.title} lead={lead}>
      <form className="grid gap-5" noValidate onSubmit={submit}>
        {asksCode && (
          <LabelledField id={id} label={isRecovery ? texts.recoveryCode : texts.code} error={failure}>
            <input
              ref={field}
              key={String(isRecovery)}
              id={id}
              className="field font-mono"
              name="code"
              autoComplete="one-time-code"
              inputMode={isRecovery ? 'text' : 'numeric'}
              autoCapitalize="none"
              spellCheck={false}
              maxLength={40}
              aria-invalid={failure !== undefined}
              aria-describedby={`${id}hint`}
              onChange={() => setFailure(undefined)}
            />
          </LabelledField>
        )}
        {!asksCode && failure !== undefined && (
          <p role="alert" className="rounded-control bg-danger-soft px-3 py-2.5 text-danger-text">
            {failure}
          </p>
        )}
        {asksCode && (
          <button type="submit" className="btn btn-primary btn-lg" disabled={isBusy}>
            {isBusy ? texts.busy : texts.submit}
          </button>
        )}
        {hasPasskey && !isRecovery && (
          <button
            type="button"
            className={asksCode ? 'btn btn-quiet btn-lg' : 'btn btn-primary btn-lg'}
            disabled={isBusy}
            onClick={() => void logIn(() => loginWithPasskey(pending))}
          >
            <KeyRound className="size-4.5" aria-hidden />
            {texts.passkey}
          </button>
        )}
      </form>
      <div className="mt-5 flex flex-wrap gap-x-6 gap-y-1">
        {(hasApp || hasPasskey) && (
          <button type="button" className="link py-1" onClick={() => setRecovery(!isRecovery)}>
            {isRecovery && hasApp ? texts.useApp : isRecovery ? texts.passkey : texts.useRecoveryCode}
          </button>
        )}
        <button type="button" className="link py-1" onClick={onBack}>
          {texts.back}
        </button>
      </div>
      {isRecovery && <p className="mt-4 text-dense text-text-2">{texts.lost}</p>}
    </AuthCard>
  )
}
