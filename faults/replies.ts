// What every refusal must be, whatever has failed: a known status, and a body that says what.
import { failures } from '../contract/failures.ts'
import type { Reply } from './client.ts'

/** What is wrong with the form of a refusal, or undefined. */
export function malformed({ status, body }: Pick<Reply, 'status' | 'body'>): string | undefined {
  const { error, code } = toldIn(body)
  if (typeof error !== 'string' || error === '' || typeof code !== 'string' || !Object.hasOwn(failures, code))
    return `${status} without {error, code}: ${body.subarray(0, 200).toString('utf8')}`
  return failures[code as keyof typeof failures].status === status ? undefined : `${status} with the code ${code}`
}

/** What a refusal says, unchecked; nothing when it is no JSON object. */
export function toldIn(body: Buffer): { error?: unknown; code?: unknown } {
  try {
    return Object(JSON.parse(body.toString('utf8'))) as { error?: unknown; code?: unknown }
  } catch {
    return {}
  }
}
