// The trash: deleted images of an account that can still be restored (docs/decisions/0065).
import { z } from 'zod'
import { limits } from '../plain/limits.ts'
import { endpoint } from './endpoint.ts'
import { image } from './images.ts'
import { example, done, pageCursor, pageLimit, requestedId, sampleIds, timestamp, wholeNumber } from './schema-parts.ts'

const trashed = image
  .extend({
    expires_at: timestamp
      .nullable()
      .meta(example('2027-01-31T12:00:00.000Z', 'When it expires once it is restored; null: never')),
    restorable_until: timestamp.meta(
      example('2026-12-08T12:00:00.000Z', 'Until it is deleted for good: after TRASH_DAYS, or when it expires'),
    ),
  })
  .meta({ id: 'TrashedImage' })
export type TrashedImage = z.infer<typeof trashed>

const ids = z.array(requestedId(sampleIds.image)).min(1).max(limits.list.maxLimit)
const common = { category: 'images', access: 'user' } as const
const removed = done.extend({
  images: wholeNumber(1).describe('How many'),
  bytes: wholeNumber(2_345_678).describe('Of their originals'),
})

export const trash = {
  listTrash: endpoint({
    ...common,
    summary: 'List the images in your trash, those that can be restored the longest first',
    description:
      'Paginated: the Link header (rel="next") has the URL of the next page, X-Total-Count the total number. DELETE /api/images/{id}?trash=1 moves images there. Their URLs respond with 410, and they count towards your quota.',
    keyScope: 'read',
    query: z.strictObject({ limit: pageLimit('Images'), cursor: pageCursor }),
    response: z.array(trashed),
  }),
  viewTrashedImage: endpoint({
    ...common,
    summary: 'Get an image in your trash as WebP',
    description: `At most ${limits.variant.thumbnailPx} pixels wide. No cache may store the response.`,
    keyScope: 'read',
    params: z.strictObject({ id: requestedId(sampleIds.image) }),
    response: 'image',
    saveAs: 'image.webp',
    failures: ['image_not_found', 'image_gone', 'too_many_requests', 'decoder_unavailable', 'busy'],
  }),
  moveToTrash: endpoint({
    ...common,
    summary: 'Move images of your account to your trash',
    description:
      'As DELETE /api/images/{id}?trash=1 does. What is not among your images is skipped. With TRASH_DAYS=0, they can be restored for a minute.',
    keyScope: 'manage',
    body: z.strictObject({ ids }),
    response: done.extend({
      ids: z.array(z.string().meta(example(sampleIds.image))).describe('Those that were moved'),
    }),
  }),
  restoreFromTrash: endpoint({
    ...common,
    summary: 'Restore images from your trash',
    description:
      'And those whose deletion can be undone for a minute. They get back addresses, expiry, texts and views, but no custom link that another image has meanwhile. What is not in the trash is skipped. Nothing is restored beyond your quota.',
    keyScope: 'manage',
    body: z.strictObject({ ids }),
    response: done.extend({ images: z.array(image).describe('Those that were restored') }),
    failures: ['quota_exceeded'],
  }),
  deleteFromTrash: endpoint({
    ...common,
    summary: 'Delete images in your trash for good',
    description: 'What is not in the trash is skipped.',
    keyScope: 'manage',
    body: z.strictObject({ ids }),
    response: removed,
  }),
  emptyTrash: endpoint({
    ...common,
    summary: 'Delete everything in your trash for good',
    description: 'A large trash takes minutes.',
    keyScope: 'manage',
    response: removed,
  }),
}
