// Changes to the user's own account: sent to the server, then applied to the session.
import type { Client } from '../../../contract/client.ts'
import { ApiError, errorText, ShownError } from '../../data/api-error.ts'
import { setUser } from '../../data/session.ts'
import { currentToken, setToken } from '../../data/token.ts'
import { ownAccount } from '../../texts/account-messages.ts'
import { notify } from '../../ui/toast/toast.ts'

type Changes = NonNullable<Parameters<Client['updateMe']>[0]>['body']

/** A new password ends every session; this one continues with the token in the response. */
async function updateMe(body: Changes): Promise<void> {
  const response = await (await signedInClient()).updateMe({ body })
  setUser(response.user)
  if (response.token !== undefined) setToken(response.token)
}

/** `code` is that of the server, empty when it did not respond. */
interface Refusal {
  code: string
  text: string
}

/** Saves and shows a toast. @returns why it failed */
export async function saveAccount(body: Changes, done: string): Promise<Refusal | undefined> {
  try {
    await updateMe(body)
    notify.success(done, 'account')
    return undefined
  } catch (error) {
    console.info('The account could not be changed', error)
    const reason = errorText(error, ownAccount.failed)
    notify.error(reason, 'account')
    return { code: error instanceof ApiError ? error.code : '', text: reason }
  }
}

/** Ends every session, this one too, and the API keys without `keepApiKeys`. @returns why it failed */
export async function logoutEverywhere(body: { keepApiKeys: boolean }): Promise<string | undefined> {
  try {
    await (await signedInClient()).logoutEverywhere({ body })
    setToken(null)
    notify.success(ownAccount.sessions.done, 'account')
    return undefined
  } catch (error) {
    console.info('The sessions could not be ended', error)
    return errorText(error, ownAccount.sessions.failed)
  }
}

async function signedInClient(): Promise<Client> {
  if (currentToken() === null) throw new ShownError(ownAccount.noToken)
  return (await import('../../data/http.ts')).client
}
