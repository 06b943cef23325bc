// Ways to log in without a password: a passkey, and the providers of this site.
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { errorText } from '../../../model/api-error.ts'
import { loginAtProvider, loginWithPasskey } from './login.ts'
import { canUsePasskeys } from '../security/passkeys.ts'
import { useSite } from '../../../model/site.ts'
import { account } from '../../../texts/account-messages.ts'

const texts = account.login

/** @param next the path of the page to go to after a login at a provider */
export function LoginMethods({ next }: { next: string }) {
  const { passwordLogin, loginProviders } = useSite()
  const [busy, setBusy] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const hasPasskeys = canUsePasskeys()
  if (!hasPasskeys && loginProviders.length === 0) return null

  /** @param way the id of a provider, or 'passkey' */
  async function logIn(way: string, attempt: () => Promise<void>): Promise<void> {
    setFailure(undefined)
    setBusy(way)
    try {
      await attempt()
    } catch (error) {
      console.info('The login failed', error)
      setFailure(errorText(error, texts.failed))
    }
    setBusy(undefined)
  }

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
          disabled={busy !== undefined}
          onClick={() => void logIn(id, () => loginAtProvider(id, next))}
        >
          {busy === id ? texts.providerBusy(name) : texts.provider(name)}
        </button>
      ))}
      {hasPasskeys && (
        <button
          type="button"
          className="btn btn-quiet btn-lg"
          disabled={busy !== undefined}
          onClick={() => void logIn('passkey', () => loginWithPasskey())}
        >
          <KeyRound className="size-4.5" aria-hidden />
          {busy === 'passkey' ? texts.busy : texts.passkey}
        </button>
      )}
      {failure !== undefined && (
        <p role="alert" className="rounded-control bg-danger-soft px-3 py-2.5 text-danger-text">
          {failure}
        </p>
      )}
    </div>
  )
}
