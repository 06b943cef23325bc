// The effect of a tried request on the reader's session and on cached data of the page.
import type { User } from '../../../../contract/endpoints/accounts.ts'
import type { EndpointDoc } from '../../../../contract/derive/endpoint-doc.ts'
import { ApiError } from '../../../model/api-error.ts'
import { refreshUser, setUser } from '../../../model/session.ts'
import { discardRefusedToken, setToken } from '../../../model/token.ts'

const ending: readonly EndpointDoc['name'][] = ['logout', 'logoutEverywhere']
const grave: readonly EndpointDoc['name'][] = [...ending, 'promoteUser', 'cleanUp', 'sendEmail', 'sendEmailForm']

/** True for requests that need a confirmation: they change existing data or cannot be undone. */
export const isDestructive = ({ name, method }: EndpointDoc) =>
  ['DELETE', 'PUT', 'PATCH'].includes(method) || grave.includes(name)

export const endsSession = ({ name }: EndpointDoc) => ending.includes(name)

/** @param used the token that was sent @returns whether the reader's own session ended */
export function applySessionEffects(endpoint: EndpointDoc, status: number, body: unknown, used: string): boolean {
  if (status >= 400) {
    const isOver = status === 401 && new ApiError(status, body).endsSession
    if (isOver) discardRefusedToken(used)
    return isOver
  }
  if (endsSession(endpoint)) {
    setToken(null)
    return true
  }
  if (endpoint.name === 'updateMe') {
    const { user, token } = body as { user: User; token?: string }
    setUser(user)
    // A changed password ends every session; the response contains a new token for this one.
    if (token !== undefined) setToken(token)
  } else if (endpoint.method !== 'GET') {
    refreshUser().catch((error: unknown) => console.info('The figures stay as they were', error))
  }
  return false
}
