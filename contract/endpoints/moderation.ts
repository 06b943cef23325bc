// Moderation: admins list, look at, hide and remove everyone's images (docs/api.md).
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { image } from './images.ts'
import { limits } from '../plain/limits.ts'
import { moderationLimits } from '../plain/moderation-limits.ts'
import {
  example,
  imagePages,
  omitted,
  pageCursor,
  pageLimit,
  sampleIds,
  timestamp,
  wholeNumber,
} from './schema-parts.ts'

const { maxIds, maxSearchLength, maxReasonLength } = moderationLimits
const id = z.string().min(1).meta(example(sampleIds.image))

export const imageOwner = z
  .strictObject({
    id: z.string().meta(example(sampleIds.user)),
    email: z.string().meta(example('ada@example.com')),
    status: z.enum(['Active', 'Inactive']).describe('Images of inactive users are not served'),
  })
  .nullable()

export const moderatedImage = image
  .extend({
    sha256: z
      .string()
      .meta(example('9f86d081884c7d659a2feaa0c55ad015'.repeat(2), 'SHA-256 of the stored original, hex')),
    owner: imageOwner.describe("null for a guest's image"),
    quarantined_at: timestamp.nullable().describe('Since when it is quarantined'),
    address_hash: z
      .string()
      .nullable()
      .meta(
        example(
          '2c26b46b68ffc68ff99b453c1d304134'.repeat(2),
          "Keyed hash of the uploader's address, hex; finds images in this list, as do its first digits after `address:`. null after ADDRESS_RETENTION_DAYS",
        ),
      ),
    restorable_until: timestamp.nullable().meta(example(null, 'Until when a deleted image can be restored')),
    from_own_network: z
      .boolean()
      .meta({ description: 'Whether it was uploaded from your own address, which blockUploader refuses' }),
    resembles: z.string().nullable().meta(example(null, 'SHA-256 of the blocked image for which it was quarantined')),
  })
  .meta({ id: 'ModeratedImage' })
export type ModeratedImage = z.infer<typeof moderatedImage>

const common = { category: 'images', access: 'admin' } as const

export const moderation = {
  listAllImages: endpoint({
    ...common,
    summary: "List everyone's images, newest first",
    description: imagePages,
    query: z.strictObject({
      limit: pageLimit('Images'),
      cursor: pageCursor,
      q: z
        .string()
        .max(maxSearchLength)
        .optional()
        .meta(
          example(
            'photo',
            'An id, file name, URL, SHA-256, email of an owner, hash of an address (ADDRESS_RETENTION_DAYS), or part of the file name, title or alternative text',
          ),
        ),
      status: z.enum(['quarantined']).optional().describe('Only quarantined images'),
    }),
    response: z.array(moderatedImage),
  }),
  moderateImages: endpoint({
    ...common,
    summary: 'Quarantine, restore, remove or block images',
    description:
      'Quarantined images respond with 451 and are not listed for their owners. Images that are deleted for good, expired or already as requested are skipped.',
    body: z.strictObject({
      action: z
        .enum(['quarantine', 'restore', 'remove', 'block'])
        .describe(
          'quarantine hides, restore ends that, remove deletes permanently. block also adds to the blocklist, and quarantines other images with the same bytes',
        ),
      ids: z.array(id).min(1).max(maxIds),
      reason: z.string().trim().max(maxReasonLength).optional().meta(example('Spam', 'Stored in the blocklist')),
    }),
    response: z.strictObject({
      success: z.literal(true),
      images: wholeNumber(1).describe('Images that were changed or removed'),
      copies: wholeNumber(0).describe('Other images with the same bytes that block quarantined'),
    }),
    failures: ['block_list_full'],
  }),
  previewImage: endpoint({
    ...common,
    summary: 'Get any image as WebP to decide about it, even quarantined or in the trash',
    description: `At most ${limits.variant.lightboxPx} pixels wide. No cache may store the response.`,
    params: z.strictObject({ id }),
    response: 'image',
    saveAs: 'image.webp',
    failures: ['image_not_found', 'image_gone', 'too_many_requests', 'decoder_unavailable', 'busy'],
  }),
  blockUploader: endpoint({
    ...common,
    summary: 'Block the network from which an image was uploaded',
    description:
      'The IPv4 address, or the /64 network. Nobody learns it: only its keyed hash is stored. It then works like POST /api/admin/blocked-networks.',
    params: z.strictObject({ id }),
    body: z.strictObject({
      note: z.string().trim().max(maxReasonLength).optional().meta(example('Floods')),
      expires_at: timestamp.optional().describe('When the block ends. Default: never').meta(omitted),
    }),
    status: 201,
    response: z.strictObject({
      success: z.literal(true),
      network: z
        .string()
        .meta(example(`hash:${'2c26b46b68ffc68ff99b453c1d304134'.repeat(2)}`, 'As listBlockedNetworks has it')),
    }),
    failures: ['image_not_found', 'image_gone', 'uploader_unknown', 'own_upload_network', 'block_list_full'],
  }),
}
