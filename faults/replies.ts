// What every refusal must be, whatever has failed: a known status, and a body that says what.
import { failures } from '../contract/failures.ts'
import type { Reply } from './client.ts'

/** What is wrong with the form of a refusal, or undefined. */
export function malformed({ status, body }: Pick<Reply, 'status' | 'body'>): string | undefined {
  const told = readRefusal(body)
  if (told?.code === undefined || told.error === undefined || told.error === '')
    return `${status} without {error, code}: ${body.subarray(0, 100).toString('utf8')}`
  const known = (failures as Record<string, { status: number }>)[told.code]
  if (known?.status !== status) return `${status} with the code ${told.code}`
  return undefined
}

function readRefusal(body: Buffer): { error?: string; code?: string } | undefined {
  try {
    return JSON.parse(body.toString('utf8')) as { error?: string; code?: string }
  } catch {
    return undefined
  }
}
