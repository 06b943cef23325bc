import { noResponse, reasonOf, refusalOf, RequestFailed } from './request-failed.ts'

/** With its body, so that a connection which ends in the middle of it is a failed attempt. */
export interface Received {
  headers: Headers
  body: string
}

export interface Attempt {
  url: string
  init: RequestInit
  timeoutMs: number
}

/** @throws only when `signal` aborts, with its reason */
export async function sendOnce(
  { url, init, timeoutMs }: Attempt,
  signal?: AbortSignal,
): Promise<Received | RequestFailed> {
  const deadline = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      ...init,
      // fetch would turn a redirected POST into a GET.
      redirect: 'manual',
      signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
    })
    const { ok, status, statusText, headers } = response
    const body = await response.text()
    return ok ? { headers, body } : refusalOf({ status, statusText, header: (name) => headers.get(name), body })
  } catch (error) {
    signal?.throwIfAborted()
    const why = deadline.aborted ? `no response within ${Math.round(timeoutMs / 1000)} s` : reasonOf(error)
    return noResponse(url, why, error)
  }
}

/** Like {@link sendOnce}, for a response in JSON. */
export async function requestJson(attempt: Attempt, signal?: AbortSignal): Promise<Received | RequestFailed> {
  const received = await sendOnce(attempt, signal)
  if (received instanceof RequestFailed || isJson(received)) return received
  return new RequestFailed(`${new URL(attempt.url).origin} is not an Image Host`, { status: 200 })
}

const isJson = ({ headers }: Received) => headers.get('content-type')?.startsWith('application/json') === true
