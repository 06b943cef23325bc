// Moderation: admins list, look at, hide and remove everyone's images (docs/api.md).
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { image } from './images.ts'
import { limits } from '../plain/limits.ts'
import { moderationLimits } from '../plain/moderation-limits.ts'
import { imagePages, omitted, pageCursor, pageLimit, sampleIds, timestamp } from './schema-parts.ts'

const { maxIds, maxSearchLength, maxReasonLength } = moderationLimits
const id = z
  .string()
  .min(1)
  .meta({ examples: [sampleIds.image] })
const count = (description: string, example: number) =>
  z
    .number()
    .int()
    .meta({ description, examples: [example] })

export const imageOwner = z
  .strictObject({
    id: z.string().meta({ examples: [sampleIds.user] }),
    email: z.string().meta({ examples: ['ada@example.com'] }),
    status: z.enum(['Active', 'Inactive']).describe('Images of inactive users are not served'),
  })
  .nullable()

export const moderatedImage = image
  .extend({
    sha256: z.string().meta({
      description: 'SHA-256 of the stored original, hex',
      examples: ['9f86d081884c7d659a2feaa0c55ad015'.repeat(2)],
    }),
    owner: imageOwner.describe("null for a guest's image"),
    quarantined_at: timestamp.nullable().describe('Since when it is quarantined'),
    address_hash: z
      .string()
      .nullable()
      .meta({
        description:
          "Keyed hash of the uploader's address, hex; finds images in this list, as do its first digits after `address:`. null after ADDRESS_RETENTION_DAYS",
        examples: ['2c26b46b68ffc68ff99b453c1d304134'.repeat(2)],
      }),
    restorable_until: timestamp
      .nullable()
      .describe('Until when a deleted image can be restored')
      .meta({ examples: [null] }),
    from_own_network: z
      .boolean()
      .meta({ description: 'Whether it was uploaded from your own address, which blockUploader refuses' }),
    resembles: z
      .string()
      .nullable()
      .meta({
        description: 'SHA-256 of the blocked image for which it was quarantined',
        examples: [null],
      }),
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
        .meta({
          description:
            'An id, file name, URL, SHA-256, email of an owner, hash of an address (ADDRESS_RETENTION_DAYS), or part of the file name, title or alternative text',
          examples: ['photo'],
        }),
      status: z.enum(['quarantined']).optional().describe('Only quarantined images'),
    }),
    status: 200,
    response: z.array(moderatedImage),
    failures: [],
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
      reason: z
        .string()
        .trim()
        .max(maxReasonLength)
        .optional()
        .meta({ description: 'Stored in the blocklist', examples: ['Spam'] }),
    }),
    status: 200,
    response: z.strictObject({
      success: z.literal(true),
      images: count('Images that were changed or removed', 1),
      copies: count('Other images with the same bytes that block quarantined', 0),
    }),
    failures: ['block_list_full'],
  }),
  previewImage: endpoint({
    ...common,
    summary: 'Get any image as WebP to decide about it, even quarantined or in the trash',
    description: `At most ${limits.variant.lightboxPx} pixels wide. No cache may store the response.`,
    params: z.strictObject({ id }),
    status: 200,
    response: 'image',
    saveAs: 'image.webp',
    failures: ['image_not_found', 'image_gone', 'too_many_requests', 'busy'],
  }),
  blockUploader: endpoint({
    ...common,
    summary: 'Block the network from which an image was uploaded',
    description:
      'The IPv4 address, or the /64 network. Nobody learns it: only its keyed hash is stored. It then works like POST /api/admin/blocked-networks.',
    params: z.strictObject({ id }),
    body: z.strictObject({
      note: z
        .string()
        .trim()
        .max(maxReasonLength)
        .optional()
        .meta({ examples: ['Floods'] }),
      expires_at: timestamp.optional().describe('When the block ends. Default: never').meta(omitted),
    }),
    status: 201,
    response: z.strictObject({
      success: z.literal(true),
      network: z.string().meta({
        description: 'As listBlockedNetworks has it',
        examples: [`hash:${'2c26b46b68ffc68ff99b453c1d304134'.repeat(2)}`],
      }),
    }),
    failures: ['image_not_found', 'image_gone', 'uploader_unknown', 'own_upload_network', 'block_list_full'],
  }),
}
