// What trying an endpoint does to the reader's own session and to what this page knows of them.
import type { User } from '../../../../contract/accounts.ts'
import type { EndpointDoc } from '../../../../contract/endpoint-doc.ts'
import type { RouteName } from '../../../../contract/routes.ts'
import { ApiError } from '../../../data/api-error.ts'
import { refreshUser, setUser } from '../../../data/session.ts'
import { dropToken, setToken } from '../../../data/token.ts'

const grave: readonly RouteName[] = [
  'logout',
  'logoutEverywhere',
  'promoteUser',
  'cleanUp',
  'sendEmail',
  'sendEmailForm',
]
const ending: readonly RouteName[] = ['logout', 'logoutEverywhere']

/** Whether it is asked about before it is sent: what it changes is there already, or cannot be taken back. */
export const isGrave = ({ name, method }: EndpointDoc) =>
  ['DELETE', 'PUT', 'PATCH'].includes(method) || grave.includes(name)

export const endsSession = ({ name }: EndpointDoc) => ending.includes(name)

/**
 * After an answer to the reader's own session.
 * @param used the token that was sent
 * @returns whether the session has ended with it
 */
export function drawConsequences(endpoint: EndpointDoc, status: number, reply: unknown, used: string): boolean {
  if (status >= 400) {
    const isOver = status === 401 && new ApiError(status, reply).endsSession
    if (isOver) dropToken(used)
    return isOver
  }
  if (endsSession(endpoint)) {
    setToken(null)
    return true
  }
  if (endpoint.name === 'updateMe') {
    const { user, token } = reply as { user: User; token?: string }
    setUser(user)
    // A new password has ended every session; this one goes on with a token of its own.
    if (token !== undefined) setToken(token)
  } else if (endpoint.method !== 'GET') {
    refreshUser().catch((error: unknown) => console.info('The figures stay as they were', error))
  }
  return false
}
