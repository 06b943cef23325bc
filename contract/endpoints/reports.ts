// Reports of images: anyone reports, admins decide (docs/api.md).
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { reportLimits } from '../plain/moderation-limits.ts'
import { imageOwner, moderatedImage } from './moderation.ts'
import { hiddenFields, multiline, tooLong } from './public-form.ts'
import { reportReasonIds } from '../plain/report-reasons.ts'
import {
  example,
  done,
  omitted,
  pageCursor,
  pageLimit,
  proofHeader,
  requestedId,
  sampleIds,
  timestamp,
  wholeNumber,
} from './schema-parts.ts'

const bounds = reportLimits
const id = requestedId('Bv9sQe3LrT7mXw1yUc5oDg')
const reason = z.enum(reportReasonIds).meta(example('copyright'))
const actions = ['dismiss', 'quarantine', 'remove', 'block'] as const
const action = z.enum(actions)
const comment = multiline(bounds.maxCommentLength).trim()
const note = multiline(bounds.maxNoteLength)
  .trim()
  .optional()
  .meta(example('The owner has a licence', 'Shown to admins only'))

const reportCase = z
  .strictObject({
    id,
    image_id: z.string().meta(example(sampleIds.image)),
    original_name: z.string().meta(example('photo.jpg', 'At the time of the first report')),
    image: moderatedImage.nullable().describe('null: expired, or deleted for good'),
    owner: imageOwner.describe('At the time of the first report; null: a guest or deleted user'),
    opened_at: timestamp.describe('First report, ISO 8601, UTC'),
    count: wholeNumber(2).describe('Reports of this image'),
    reports: z
      .array(
        z.strictObject({
          reason,
          comment: z.string().meta(example('This is my photograph.')),
          email: z.string().nullable().meta(example('grace@example.com', 'Of the reporter, if given')),
          created_at: timestamp,
        }),
      )
      .describe(`The first ${bounds.maxStoredPerImage}; further ones are only counted`),
    decision: z
      .strictObject({
        action: z
          .enum([...actions, 'image_gone'])
          .describe('image_gone: the server closed the case, because its image no longer exists'),
        note: z.string().meta(example('The owner has a licence')),
        by: z
          .string()
          .nullable()
          .meta(
            example(
              'boss@example.com',
              'Email of the admin; null for a deleted account, the server, and the command line',
            ),
          ),
        decided_at: timestamp,
      })
      .nullable()
      .describe('null while no admin has decided'),
  })
  .meta({ id: 'ReportCase' })
export type ReportCase = z.infer<typeof reportCase>

const byAdmin = { category: 'images', access: 'admin' } as const

export const reports = {
  sendReport: endpoint({
    category: 'images',
    access: 'public',
    summary: 'Report an image to the admins of this server',
    description: `At most ${bounds.perAddress.limit} reports per hour and client address, ${bounds.perInstance.limit} in all. They are grouped by image until an admin decides.`,
    proofOfWork: true,
    headers: z.object(proofHeader),
    body: z
      .strictObject({
        image: z
          .string('is required')
          .trim()
          .min(1, 'is required')
          .max(bounds.maxImageLength, tooLong(bounds.maxImageLength))
          .meta(example(sampleIds.image, 'URL, file name or id of the image')),
        reason,
        comment: comment.optional().meta(example('This is my photograph.', "Required with the reason 'other'")),
        email: z
          .email('must be an email address')
          .max(bounds.maxEmailLength, tooLong(bounds.maxEmailLength))
          .optional()
          .describe('Of the reporter. Shown to admins only')
          .meta(omitted),
        ...hiddenFields,
      })
      .refine((report) => report.reason !== 'other' || Boolean(report.comment), {
        path: ['comment'],
        error: "is required with the reason 'other'",
      }),
    status: 201,
    response: done,
    failures: ['untimely_form', 'image_not_found', 'image_gone', 'image_unavailable', 'reports_full'],
  }),
  listReports: endpoint({
    ...byAdmin,
    summary: 'List reported images: undecided ones oldest first, decided ones newest first',
    description:
      'Paginated: the Link header (rel="next") has the URL of the next page, X-Total-Count the total number.',
    query: z.strictObject({
      limit: pageLimit('Reported images', bounds.maxPage),
      cursor: pageCursor,
      status: z.enum(['open', 'decided']).optional().describe('Default: open'),
    }),
    response: z.array(reportCase),
  }),
  decideReport: endpoint({
    ...byAdmin,
    summary: 'Decide about a reported image',
    description:
      'Closes all reports of the image. Its owner gets a mail unless they are dismissed, if the server sends mail.',
    params: z.strictObject({ caseId: id }),
    body: z.strictObject({
      action: action.describe('dismiss changes nothing. The others are those of POST /api/admin/images/moderate'),
      note,
    }),
    response: done,
    failures: ['report_not_found', 'report_decided', 'image_not_found', 'image_gone', 'block_list_full'],
  }),
  dismissReports: endpoint({
    ...byAdmin,
    summary: 'Dismiss the reports of several images',
    description: 'Only open cases change.',
    body: z.strictObject({ caseIds: z.array(id).min(1).max(bounds.maxDismissed), note }),
    response: done.extend({ dismissed: wholeNumber(12).describe('Cases that were open') }),
  }),
}
