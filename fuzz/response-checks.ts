// What an honest answer is, whatever was asked.
import type { Reply } from '../faults/client.ts'
import { failureIn } from '../faults/failure-response.ts'

/** Full is an honest answer; the same question is asked again. */
export const isBusy = ({ status }: Reply) => status === 503

/** "422 broken_image", for the count of what was answered. */
export const nameOf = (reply: Reply) =>
  [reply.status, reply.status < 400 ? [] : ((failureIn(reply.body).code as string | undefined) ?? [])].flat().join(' ')
