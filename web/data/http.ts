// Every JSON request of the page: token, timeout, retries, the server's own error text.
import type { Outgoing } from '../../contract/client.ts'
import { createClient } from '../../contract/client.ts'
import { routes } from '../../contract/routes.ts'
import ky, { HTTPError, TimeoutError } from 'ky'
import { ApiError, NoResponse } from './api-error.ts'
import { requestConfirmation } from './confirmation.ts'
import { takeEarlyResponse } from './early-requests.ts'
import { discardRefusedToken, token } from './token.ts'

const http = ky.create({
  timeout: 10_000,
  // Idempotent methods only, and never after a refusal (4xx).
  retry: { limit: 3, methods: ['get', 'delete'], statusCodes: [500, 502, 503, 504] },
})

export const client = createClient(send)

const confirmationPath = routes.confirmIdentity.replace('POST ', '')
/** Its presence marks a second attempt. */
const proofHeader = 'x-proof-of-work'

/**
 * Sends a request with the session's token. Where the server demands it, the user confirms the session, or the page solves
 * a challenge, and the request is sent again.
 * @throws {ApiError} when the server refuses
 * @throws {NoResponse}
 */
export async function send(request: Outgoing): Promise<Response> {
  const { method, path, body, headers } = request
  const used = token.get()
  const early = method === 'GET' ? await takeEarlyResponse(path, used) : undefined
  if (early !== undefined) return early
  try {
    return await http(path, {
      method,
      headers: { ...headers, ...(used !== null && { authorization: `Bearer ${used}` }) },
      ...(body === undefined ? {} : { json: body }),
    })
  } catch (error) {
    if (!(error instanceof HTTPError)) throw new NoResponse(error instanceof TimeoutError, { cause: error })
    const { status, headers: received } = error.response
    const reason: unknown = await error.response.json().catch(() => undefined)
    const refusal = new ApiError(status, reason, received.get('x-challenge'))
    if (used !== null && refusal.endsSession) discardRefusedToken(used)
    const isUnconfirmed = refusal.code === 'password_required' && path !== confirmationPath
    if (isUnconfirmed && (await requestConfirmation())) return send(request)
    if (refusal.challenge === null || headers?.[proofHeader] !== undefined) throw refusal
    const { solveChallenge } = await import('./proof-of-work.ts')
    return send({ ...request, headers: { ...headers, [proofHeader]: await solveChallenge(refusal.challenge) } })
  }
}
