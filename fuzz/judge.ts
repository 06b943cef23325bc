// What an honest answer is, whatever was asked.
import { failures } from '../contract/failures.ts'
import type { Reply } from '../faults/client.ts'

/** Full is an honest answer; the same question is asked again. */
export const isBusy = ({ status }: Reply) => status === 503

/** What is wrong with a refusal, or undefined: it is `{ error, code }` from the catalogue, with the code's status. */
export function flawOfRefusal({ status, body }: Reply): string | undefined {
  const text = body.toString('utf8')
  const { error, code } = parsed(text) as { error?: unknown; code?: keyof typeof failures }
  if (typeof error !== 'string' || typeof code !== 'string' || !Object.hasOwn(failures, code))
    return `${status} without { error, code }: ${text.slice(0, 200)}`
  if (failures[code].status !== status) return `${code} with ${status}`
  return undefined
}

/** `{}` when it is no JSON object. */
export function parsed(text: string): object {
  try {
    return Object(JSON.parse(text)) as object
  } catch {
    return {}
  }
}

/** "422 broken_image", for the count of what was answered. */
export const nameOf = (reply: Reply) =>
  [reply.status, reply.status < 400 ? [] : ((parsed(reply.body.toString('utf8')) as { code?: string }).code ?? [])]
    .flat()
    .join(' ')
