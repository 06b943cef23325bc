// Checks that a failure response is well-formed: a status and code of the contract, and a body that names it.
import { failures } from '../contract/plain/failures.ts'
import type { CallResponse } from './client.ts'

/** What is wrong with a failure response, or undefined. */
export function malformed({ status, body }: Pick<CallResponse, 'status' | 'body'>): string | undefined {
  const { error, code } = failureIn(body)
  if (typeof error !== 'string' || error === '' || typeof code !== 'string' || !Object.hasOwn(failures, code))
    return `${status} without {error, code}: ${body.subarray(0, 200).toString('utf8')}`
  return failures[code as keyof typeof failures].status === status ? undefined : `${status} with the code ${code}`
}

/** What is wrong with a refusal that asks to come back later, or undefined. */
export function refusalViolation(reply: Pick<CallResponse, 'status' | 'headers' | 'body'>): string | undefined {
  const { status, headers } = reply
  if (malformed(reply) !== undefined) return malformed(reply)
  if (status !== 503) return `refused with ${status} instead of 503`
  return Number(headers['retry-after']) > 0 ? undefined : '503 without Retry-After'
}

/** The failure in a body, unchecked; empty when it is not a JSON object. */
export function failureIn(body: Buffer): { error?: unknown; code?: unknown } {
  try {
    return Object(JSON.parse(body.toString('utf8'))) as { error?: unknown; code?: unknown }
  } catch {
    return {}
  }
}
