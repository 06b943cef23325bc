// Classifies responses, whatever the request was.
import type { Reply } from '../faults/client.ts'
import { failureIn } from '../faults/failure-response.ts'

/** 503 is a valid response; the request is sent again. */
export const isBusy = ({ status }: Reply) => status === 503

/** "422 broken_image", for the counts of the report. */
export const labelOf = (reply: Reply) =>
  [reply.status, reply.status < 400 ? [] : ((failureIn(reply.body).code as string | undefined) ?? [])].flat().join(' ')
