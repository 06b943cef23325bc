// The fields of the report form and their validation.
import { reportLimits } from '../../../contract/plain/moderation-limits.ts'
import { type ReportReason, reportReasonIds } from '../../../contract/plain/report-reasons.ts'
import { form } from '../../texts/form-messages.ts'
import { report as texts } from '../../texts/report-messages.ts'
import type { Problems } from '../../ui/forms/use-submit.ts'

export type FieldName = 'image' | 'reason' | 'comment' | 'email'
/** `reason` is empty until one is chosen. */
export type FieldValues = Record<Exclude<FieldName, 'reason'>, string> & { reason: ReportReason | '' }

export const maxLengths = {
  image: reportLimits.maxImageLength,
  comment: reportLimits.maxCommentLength,
  email: reportLimits.maxEmailLength,
}

/** Ignores invalid values. */
export const reasonOf = (value: string): ReportReason | '' => reportReasonIds.find((id) => id === value) ?? ''

/** @param isMistyped the browser's validity check of the email address */
export function problemsIn({ image, reason, comment }: FieldValues, isMistyped: boolean): Problems<FieldName> {
  return {
    ...(image === '' && { image: form.missing(texts.image) }),
    ...(reason === '' && { reason: texts.reasonMissing }),
    ...(comment === '' && reason === 'other' && { comment: texts.commentMissing }),
    ...(comment.length > maxLengths.comment && { comment: form.tooLong(texts.commentName, maxLengths.comment) }),
    ...(isMistyped && { email: form.notEmail }),
  }
}
