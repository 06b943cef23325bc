// Sends reports of images.
import type { ReportReason } from '../../../contract/plain/report-reasons.ts'
import { ApiError } from '../../model/api-error.ts'
import { sendTimed } from '../../model/form-timing.ts'
import { client } from '../../model/http.ts'

export interface NewReport {
  /** URL, file name or id. */
  image: string
  reason: ReportReason
  comment: string
  /** Empty when it is not given. */
  email: string
  /** A honeypot: only bots fill it in. */
  website: string
}

/**
 * @param shownAt when the form was shown, in milliseconds of this browser's clock
 * @throws {ApiError}
 */
export function sendReport({ email, ...report }: NewReport, shownAt: number): Promise<void> {
  const body = { ...report, ...(email !== '' && { email }) }
  return sendTimed(shownAt, (time) => client.sendReport({ body: { ...body, time } }), isUntimely)
}

const isUntimely = (error: unknown) => error instanceof ApiError && error.code === 'untimely_form'
