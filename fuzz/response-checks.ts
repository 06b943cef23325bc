// Classifies responses, whatever the request was.
import type { CallResponse } from '../faults/client.ts'
import { failureIn } from '../faults/failure-response.ts'

/** 503 is a valid response; the request is sent again. */
export const isBusy = ({ status }: CallResponse) => status === 503

/** "422 broken_image", for the counts of the report. */
export const labelOf = (reply: CallResponse) =>
  [reply.status, reply.status < 400 ? [] : ((failureIn(reply.body).code as string | undefined) ?? [])].flat().join(' ')
