// The second step of a login: a code, a recovery code or a passkey.
import { KeyRound } from 'lucide-react'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { errorText } from '../../../format/error-text.ts'
import { account } from '../../../texts/account-messages.ts'
import { OutcomeText } from '../../../ui/forms/form-outcome.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { canUsePasskeys } from '../security/passkeys.ts'
import { AuthCard } from './auth-card.tsx'
import { loginWithCode, loginWithPasskey, type PendingLogin } from './login.ts'

const texts = account.secondFactor

/** The kinds of second factors. `use`: the link to each from another. */
const factors = {
  app: { lead: texts.codeLead, code: { label: texts.code, inputMode: 'numeric' }, use: texts.useApp },
  passkey: { lead: texts.passkeyLead, code: undefined, use: texts.passkey },
  recovery: {
    lead: texts.recoveryLead,
    code: { label: texts.recoveryCode, inputMode: 'text' },
    use: texts.useRecoveryCode,
  },
} as const
type Factor = keyof typeof factors

interface Props {
  pending: PendingLogin
  /** The whole login starts again: the step ends after five minutes. */
  onBack: () => void
}

export function SecondFactorForm({ pending, onBack }: Props) {
  const usable = usableFactors(pending)
  const [usual] = usable
  const [factor, setFactor] = useState<Factor>(usual ?? 'recovery')
  const { lead, code } = factors[factor]
  const other = factor === 'recovery' ? usual : 'recovery'
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [factor])

  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  async function logIn(attempt: () => Promise<void>): Promise<void> {
    setFailure(undefined)
    setBusy(true)
    try {
      await attempt()
    } catch (error) {
      console.info('The second factor was refused', error)
      setFailure(errorText(error, texts.failed))
      // The pressed button was disabled meanwhile.
      field.current?.focus()
      field.current?.select()
    }
    setBusy(false)
  }

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const given = field.current?.value.trim() ?? ''
    if (given !== '') return logIn(() => loginWithCode(pending, given))
    setFailure(texts.missing)
    field.current?.focus()
  }

  return (
    <AuthCard title={texts.title} lead={lead}>
      <form className="grid gap-5" noValidate onSubmit={submit}>
        {code === undefined ? (
          <OutcomeText outcome={failure === undefined ? undefined : { kind: 'failed', text: failure }} />
        ) : (
          <>
            <TextField
              {...code}
              ref={field}
              key={factor}
              className="font-mono"
              name="code"
              error={failure}
              onChange={() => setFailure(undefined)}
              autoComplete="one-time-code"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={40}
            />
            <button type="submit" className="btn btn-primary btn-lg" disabled={isBusy}>
              {isBusy ? texts.busy : texts.submit}
            </button>
          </>
        )}
        {usable.includes('passkey') && factor !== 'recovery' && (
          <button
            type="button"
            className={factor === 'passkey' ? 'btn btn-primary btn-lg' : 'btn btn-quiet btn-lg'}
            disabled={isBusy}
            onClick={() => void logIn(() => loginWithPasskey(pending))}
          >
            <KeyRound className="size-4.5" aria-hidden />
            {texts.passkey}
          </button>
        )}
      </form>
      <div className="mt-5 flex flex-wrap gap-x-6 gap-y-1">
        {other !== undefined && (
          <button type="button" className="link py-1" onClick={() => setFactor(other)}>
            {factors[other].use}
          </button>
        )}
        <button type="button" className="link py-1" onClick={onBack}>
          {texts.back}
        </button>
      </div>
      {factor === 'recovery' && <p className="mt-4 text-dense text-text-2">{texts.lost}</p>}
    </AuthCard>
  )
}

/** Those that the account has set up, the usual one first. */
const usableFactors = ({ factors: names }: PendingLogin): Factor[] => [
  ...(names.includes('totp') ? (['app'] as const) : []),
  ...(names.includes('passkey') && canUsePasskeys() ? (['passkey'] as const) : []),
]
