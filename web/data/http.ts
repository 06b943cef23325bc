// Every JSON request of the page: token, timeout, retries, the server's own error text.
import type { Outgoing } from '../../contract/client.ts'
import { createClient } from '../../contract/client.ts'
import ky, { HTTPError } from 'ky'
import { ApiError } from './api-error.ts'
import { discardRefusedToken, token } from './token.ts'

const http = ky.create({
  timeout: 10_000,
  // Idempotent methods only, and never after a refusal (4xx).
  retry: { limit: 3, methods: ['get', 'delete'], statusCodes: [500, 502, 503, 504] },
})

export const client = createClient(send)

/** @throws {ApiError} when the server refuses */
async function send({ method, path, body, headers }: Outgoing): Promise<Response> {
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
    if (used !== null && refusal.endsSession) discardRefusedToken(used)
    throw refusal
  }
}
