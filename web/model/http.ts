// Every JSON request of the page: token, timeout, retries, the server's own error text.
import type { Outgoing } from '../../contract/derive/client.ts'
import { createClient } from '../../contract/derive/client.ts'
import { routes } from '../../contract/plain/routes.ts'
import ky, { HTTPError, type Options } from 'ky'
import { ApiError, NoResponse, timeoutMs } from './api-error.ts'
import { requestConfirmation } from './confirmation.ts'
import { consumeEarlyRequest, withBody } from './early-requests.ts'
import { retryAfterMs } from '../format/retry-after.ts'
import { beginRetryWait } from './retry-waits.ts'
import { discardRefusedToken, token } from './token.ts'

const retries = 3
/** Before the first retry without a Retry-After; doubled before each further one. */
const firstRetryMs = 300
/** The user is not left waiting for a Retry-After that is longer. */
const maxRetryAfterMs = 60_000
/** A full disk is not emptied within seconds. */
const noSpace = 507
/** Shorter waits are over before they can be read. */
const minShownWaitMs = 1000

export const client = createClient((request) => send(request))
/** A client with another token than that of the session. */
export const clientOf = (used: string | null) => createClient((request) => send(request, used))

const confirmationPath = routes.confirmIdentity.replace('POST ', '')
/** Its presence marks a second attempt. */
const proofHeader = 'x-proof-of-work'

/**
 * Sends a request with a token, by default the session's. Where the server demands it, the user confirms the session, or the page solves
 * a challenge, and the request is sent again.
 * @throws {ApiError} when the server refuses
 * @throws {NoResponse}
 */
export async function send(request: Outgoing, used = token.get()): Promise<Response> {
  const { method, path, body, headers } = request
  const early = method === 'GET' ? consumeEarlyRequest(path, used) : undefined
  try {
    return await sendWithRetries(path, {
      method,
      headers: { ...headers, ...(used !== null && { authorization: `Bearer ${used}` }) },
      ...(body === undefined ? {} : { json: body }),
      fetch: firstFrom(early),
    })
  } catch (error) {
    if (!(error instanceof HTTPError)) throw new NoResponse(isTimeout(error), { cause: error })
    const { status, headers: received } = error.response
    const reason: unknown = await error.response.json().catch(() => undefined)
    const refusal = new ApiError(status, reason, received.get('x-challenge'))
    if (used !== null && refusal.endsSession) discardRefusedToken(used)
    const isUnconfirmed = refusal.code === 'password_required' && path !== confirmationPath
    if (isUnconfirmed && (await requestConfirmation())) return send(request, used)
    if (refusal.challenge === null || headers?.[proofHeader] !== undefined) throw refusal
    const { solveChallenge } = await import('./proof-of-work.ts')
    return send({ ...request, headers: { ...headers, [proofHeader]: await solveChallenge(refusal.challenge) } }, used)
  }
}

/** Repeats requests that change nothing or end in the same state, and waits as long as the server asks for. */
function sendWithRetries(path: string, options: Options): Promise<Response> {
  let delayMs: number | undefined
  let endWait = () => {}
  return ky(path, {
    ...options,
    timeout: timeoutMs,
    retry: {
      limit: retries,
      methods: ['get', 'delete'],
      shouldRetry({ error, retryCount }) {
        delayMs = retryDelayMs(error, retryCount)
        if (delayMs !== undefined && delayMs >= minShownWaitMs && error instanceof HTTPError)
          endWait = beginRetryWait({ status: error.response.status, endsAt: Date.now() + delayMs })
        return delayMs !== undefined
      },
      delay: () => delayMs ?? 0,
    },
    hooks: { beforeRetry: [() => endWait()] },
  })
}

/** @param retry from 1 @returns undefined where another attempt would not help, or not soon */
function retryDelayMs(error: unknown, retry: number): number | undefined {
  if (isTimeout(error)) return undefined
  const backoffMs = firstRetryMs * 2 ** (retry - 1)
  if (!(error instanceof HTTPError)) return backoffMs
  const { status, headers } = error.response
  if ((status !== 429 && status < 500) || status === noSpace) return undefined
  const askedMs = retryAfterMs(headers.get('retry-after')) ?? backoffMs
  return askedMs <= maxRetryAfterMs ? askedMs : undefined
}

/** The early request is the first attempt. */
function firstFrom(early: Promise<Response | undefined> | undefined): typeof fetch {
  let first = early
  return async (...request) => {
    const sent = first
    first = undefined
    return withBody((await sent) ?? (await fetch(...request)))
  }
}

/** By name: an early request has no class of the library. */
const isTimeout = (error: unknown) => error instanceof Error && error.name === 'TimeoutError'
