// Changes to the user's own account: sent to the server, then applied to the session.
import type { Client } from '../../../contract/derive/client.ts'
import { ApiError, errorText, ShownError } from '../../model/api-error.ts'
import { refreshUser, setUser } from '../../model/session.ts'
import { submitTicket } from '../../model/submit-ticket.ts'
import { currentToken, setToken } from '../../model/token.ts'
import { ownAccount } from '../../texts/account-messages.ts'
import { notify } from '../../ui/toast/toast.ts'
import type { ChangeOutcome } from './account-section.tsx'

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

/** Starts the download of all that is stored about the user. */
export async function downloadOwnData(): Promise<ChangeOutcome> {
  try {
    submitTicket(await (await signedInClient()).createOwnDataLink())
    return { kind: 'done', text: ownAccount.data.downloading }
  } catch (error) {
    console.info('The data could not be downloaded', error)
    return { kind: 'failed', text: errorText(error, ownAccount.data.downloadFailed) }
  }
}

/** Deletes the account, at once or after the days of grace. @returns why it failed */
export async function deleteAccount(body: { immediately: boolean }): Promise<string | undefined> {
  try {
    await (await signedInClient()).deleteMe({ body })
    if (body.immediately) setToken(null)
    else await refreshUser()
    notify.success(body.immediately ? ownAccount.data.deleted : ownAccount.data.planned, 'account')
    return undefined
  } catch (error) {
    console.info('The account could not be deleted', error)
    return errorText(error, ownAccount.data.deleteFailed)
  }
}

export async function restoreAccount(): Promise<ChangeOutcome> {
  try {
    setUser((await (await signedInClient()).restoreMe()).user)
    return { kind: 'done', text: ownAccount.data.restored }
  } catch (error) {
    console.info('The deletion could not be cancelled', error)
    return { kind: 'failed', text: errorText(error, ownAccount.failed) }
  }
}

async function signedInClient(): Promise<Client> {
  if (currentToken() === null) throw new ShownError(ownAccount.noToken)
  return (await import('../../model/http.ts')).client
}
