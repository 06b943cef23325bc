// Why an image is reported, with the texts for people. Without zod, so that the page can import it.

export const reportReasons = {
  illegal: 'Illegal content',
  copyright: 'Copyright',
  personal_data: 'Personal data',
  harassment: 'Harassment',
  spam: 'Spam',
  other: 'Other',
} as const

export type ReportReason = keyof typeof reportReasons
/** Example: copyright, personal data */
export const reasonNames = (reasons: readonly ReportReason[]): string =>
  reasons.map((reason) => reportReasons[reason].toLowerCase()).join(', ')

export const reportReasonIds = Object.keys(reportReasons) as [ReportReason, ...ReportReason[]]
