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
    quarantined_at: timestamp.nullable().describe('Since when the image is quarantined; null when it is not'),
    address_hash: z
      .string()
      .nullable()
      .meta({
        description:
          "Keyed hash of the uploader's address, hex: equal for images from one address. It is a search of this list, as are " +
          'its first digits after `address:`. null after ADDRESS_RETENTION_DAYS',
        examples: ['2c26b46b68ffc68ff99b453c1d304134'.repeat(2)],
      }),
    restorable_until: timestamp
      .nullable()
      .describe('Of a deleted image: until when it can be restored, as in the trash of its owner; else null')
      .meta({ examples: [null] }),
    from_own_network: z
      .boolean()
      .meta({ description: "Whether the uploader's address is that of this request: blockUploader refuses it" }),
    resembles: z
      .string()
      .nullable()
      .meta({
        description:
          'SHA-256 of the blocked image that this one resembled at its upload, which quarantined it; else null',
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
            'An id, file name or URL of an image, the email of an owner, the SHA-256 of an original, the hash of an ' +
            'address (see ADDRESS_RETENTION_DAYS), or else a part of the name of the uploaded file, the title or the ' +
            'alternative text',
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
      'Quarantined images respond with 451 everywhere and are not listed for their owners until they are restored. Images that ' +
      'are deleted for good, expired or already as requested are skipped.',
    body: z.strictObject({
      action: z
        .enum(['quarantine', 'restore', 'remove', 'block'])
        .describe(
          'quarantine hides, restore ends that, remove deletes permanently. block also adds the images to the blocklist, and ' +
            'quarantines the other images with the same bytes',
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
    summary:
      'Get an image as WebP to decide about it, also one that is quarantined, of an inactive user or in the trash',
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
      'The network that rate limits count: an IPv4 address, or the /64 network of an IPv6 address. Only its keyed hash is ' +
      'stored, with the image and in the blocklist, so nobody learns the address. Uploads, registrations and logins from ' +
      'there are refused. A network that is blocked already gets the new note and end.',
    params: z.strictObject({ id }),
    body: z.strictObject({
      note: z
        .string()
        .trim()
        .max(maxReasonLength)
        .optional()
        .meta({ examples: ['Floods'] }),
      expires_at: timestamp.optional().describe('When the block ends by itself. Default: never').meta(omitted),
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
