// Changes to the user's own account: sent to the server, then applied to the session.
import type { Client } from '../../../contract/derive/client.ts'
import { errorText, ShownError } from '../../format/error-text.ts'
import { attempt } from '../../model/attempt.ts'
import { refreshUser, setUser } from '../../model/session.ts'
import { submitTicket } from '../../model/submit-ticket.ts'
import { currentToken, setToken } from '../../model/token.ts'
import { ownAccount } from '../../texts/account-messages.ts'
import { notifySilently } from '../../ui/toast/silent.ts'
import { notify } from '../../ui/toast/toast.ts'

type Changes = NonNullable<Parameters<Client['updateMe']>[0]>['body']

/**
 * A new password ends every session; this one continues with the token in the response.
 * @param done the text of a toast. @returns it
 */
export async function saveAccount(body: Changes, done: string): Promise<string> {
  const response = await (await signedInClient()).updateMe({ body })
  setUser(response.user)
  if (response.token !== undefined) setToken(response.token)
  notifySilently.success(done, 'account')
  return done
}

/** @returns what the form says, where somebody looks: a toast would only repeat it */
export const explainFailure = (error: unknown): string => errorText(error, ownAccount.failed)

/** Ends every session, this one too, and the API keys without `keepApiKeys`. @returns why it failed */
export const logoutEverywhere = (body: { keepApiKeys: boolean }): Promise<string | undefined> =>
  attempt(async () => {
    await (await signedInClient()).logoutEverywhere({ body })
    setToken(null)
    notify.success(ownAccount.sessions.done, 'account')
  }, ownAccount.sessions.failed)

/** Starts the download of all that is stored about the user. */
export async function downloadOwnData(): Promise<string> {
  submitTicket(await (await signedInClient()).createOwnDataLink())
  return ownAccount.data.downloading
}

/** Deletes the account, at once or after the days of grace. @returns why it failed */
export const deleteAccount = (body: { immediately: boolean }): Promise<string | undefined> =>
  attempt(async () => {
    await (await signedInClient()).deleteMe({ body })
    if (body.immediately) setToken(null)
    else await refreshUser()
    notify.success(body.immediately ? ownAccount.data.deleted : ownAccount.data.planned, 'account')
  }, ownAccount.data.deleteFailed)

export async function restoreAccount(): Promise<string> {
  setUser((await (await signedInClient()).restoreMe()).user)
  return ownAccount.data.restored
}

async function signedInClient(): Promise<Client> {
  if (currentToken() === null) throw new ShownError(ownAccount.noToken)
  return (await import('../../model/http.ts')).client
}
