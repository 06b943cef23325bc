// Every JSON request of the page: token, timeout, retries, the server's own error text. Loaded with the first request.
import type { Outgoing } from '../../contract/client.ts'
import { createClient } from '../../contract/client.ts'
import ky, { HTTPError } from 'ky'
import { ApiError } from './api-error.ts'
import { dropToken, token } from './token.ts'

const http = ky.create({
  timeout: 10_000,
  // Only what may be repeated, and never a refusal (4xx).
  retry: { limit: 3, methods: ['get', 'delete'], statusCodes: [500, 502, 503, 504] },
})

export const client = createClient(async (request) => (await requestReply(request)).json())

/** Answers the reply itself, for callers that read its headers. */
export async function requestReply({ method, path, body, headers }: Outgoing): Promise<Response> {
  const used = token.get()
  try {
    return await http(path, {
      method,
      headers: { ...headers, ...(used !== null && { authorization: `Bearer ${used}` }) },
      ...(body === undefined ? {} : { json: body }),
    })
  } catch (error) {
    if (!(error instanceof HTTPError)) throw error
    const refusal = new ApiError(error.response.status, await error.response.json().catch(() => undefined))
    if (used !== null && refusal.endsSession) dropToken(used)
    throw refusal
  }
}
