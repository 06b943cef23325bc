// Ways to log in without a password: a passkey, and the providers of this site.
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { errorText } from '../../../format/error-text.ts'
import { loginAtProvider, loginWithPasskey } from './login.ts'
import { canUsePasskeys } from '../security/passkeys.ts'
import { useSite } from '../../../model/site.ts'
import { account } from '../../../texts/account-messages.ts'
import { OutcomeText } from '../../../ui/forms/form-outcome.tsx'
import { useAction } from '../../../ui/use-action.ts'

const texts = account.login

/** @param next the path of the page to go to after a login at a provider */
export function LoginMethods({ next }: { next: string }) {
  const { passwordLogin, loginProviders } = useSite()
  const [way, setWay] = useState<string>()
  const { isBusy, outcome, run } = useAction()
  const hasPasskeys = canUsePasskeys()
  if (!hasPasskeys && loginProviders.length === 0) return null

  /** @param chosen the id of a provider, or 'passkey' */
  function logIn(chosen: string, attempt: () => Promise<void>): void {
    setWay(chosen)
    void run(attempt, (error) => errorText(error, texts.failed))
  }
  const busy = isBusy ? way : undefined

  return (
    <div className="grid grid-cols-1 gap-3">
      {passwordLogin && (
        <p className="my-3 flex items-center gap-3 text-meta text-text-2" aria-hidden>
          <span className="h-px flex-1 bg-border" />
          {texts.or}
          <span className="h-px flex-1 bg-border" />
        </p>
      )}
      {loginProviders.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          className="btn btn-quiet btn-lg h-auto min-h-12 py-2 whitespace-normal"
          disabled={isBusy}
          onClick={() => logIn(id, () => loginAtProvider(id, next))}
        >
          {busy === id ? texts.providerBusy(name) : texts.provider(name)}
        </button>
      ))}
      {hasPasskeys && (
        <button
          type="button"
          className="btn btn-quiet btn-lg"
          disabled={isBusy}
          onClick={() => logIn('passkey', () => loginWithPasskey())}
        >
          <KeyRound className="size-4.5" aria-hidden />
          {busy === 'passkey' ? texts.busy : texts.passkey}
        </button>
      )}
      <OutcomeText outcome={outcome} />
    </div>
  )
}
