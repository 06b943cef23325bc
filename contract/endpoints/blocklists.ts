// Block lists: images that uploads may not have, and networks that may not upload, register or log in
// (docs/api.md).
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { limits } from '../plain/limits.ts'
import { moderationLimits } from '../plain/moderation-limits.ts'
import { example, omitted, pageCursor, pageLimit, sampleIds, timestamp, wholeNumber } from './schema-parts.ts'

const { maxBlocks, maxNetworkLength, maxReasonLength, maxSearchLength, nearDistance } = moderationLimits
const sampleDigest = '9f86d081884c7d659a2feaa0c55ad015'.repeat(2)
const sampleNetwork = '198.51.100.0/24'
const reason = z.string().trim().max(maxReasonLength)
const createdBy = z.string().nullable().meta(example('ada@example.com', 'Email of the admin; null: deleted'))
const search = (description: string) =>
  z
    .string()
    .max(maxSearchLength)
    .optional()
    .meta({ description, ...omitted })

const blockedImage = z
  .strictObject({
    sha256: z.string().meta(example(sampleDigest, 'SHA-256 of the refused file, hex')),
    phash: z
      .string()
      .nullable()
      .meta(
        example(
          'd1c3b2a495867768',
          'Perceptual hash, 16 hex digits; null: unknown, or the image is too plain to compare',
        ),
      ),
    reason: z.string().meta(example('Spam')),
    created_at: timestamp,
    created_by: createdBy,
  })
  .meta({ id: 'BlockedImage' })
export type BlockedImage = z.infer<typeof blockedImage>

const blockedNetwork = z
  .strictObject({
    network: z
      .string()
      .meta(
        example(
          sampleNetwork,
          'An address, a CIDR network, or `hash:` and the keyed hash of an address (blockUploader)',
        ),
      ),
    note: z.string().meta(example('Floods')),
    expires_at: timestamp.nullable().describe('When the block ends by itself'),
    created_at: timestamp,
    created_by: createdBy,
  })
  .meta({ id: 'BlockedNetwork' })
export type BlockedNetwork = z.infer<typeof blockedNetwork>

const common = { category: 'images', access: 'admin' } as const
const pages =
  'Newest first. Paginated: the Link header (rel="next") has the URL of the next page, X-Total-Count the total number.'

export const blocklists = {
  listBlockedImages: endpoint({
    ...common,
    summary: 'List the blocked images',
    description: pages,
    query: z.strictObject({
      limit: pageLimit('Images'),
      cursor: pageCursor,
      q: search('The start of a SHA-256, or a part of the reason'),
    }),
    response: z.array(blockedImage),
  }),
  blockImages: endpoint({
    ...common,
    summary: 'Block images',
    description: `Uploads of the same file are refused. Those that look the same in one of eight orientations (up to ${nearDistance} of 64 bits of the perceptual hash differ), and stored images with the same bytes, are quarantined.`,
    maxBodyBytes: limits.json.maxLongBodyBytes,
    body: z.strictObject({
      images: z
        .array(z.string().trim().min(1).max(maxSearchLength))
        .min(1)
        .max(maxBlocks)
        .meta(example([sampleIds.image], 'Ids, file names or URLs of images, or SHA-256 of files')),
      reason: reason.optional().meta(example('Spam')),
    }),
    status: 201,
    response: z.strictObject({
      success: z.literal(true),
      added: wholeNumber(1).describe('Blocked images that were not blocked before'),
      quarantined: wholeNumber(1).describe('Stored images with these bytes that are quarantined now'),
      notFound: z.array(z.string()).meta(example([], 'Of the given ones: no such image is stored')),
    }),
    failures: ['block_list_full'],
  }),
  unblockImages: endpoint({
    ...common,
    summary: 'Remove images from the blocklist',
    description: 'They stay quarantined.',
    body: z.strictObject({
      sha256: z
        .array(z.string().max(64))
        .min(1)
        .max(maxBlocks)
        .meta(example([sampleDigest])),
    }),
    response: z.strictObject({
      success: z.literal(true),
      removed: wholeNumber(1).describe('Blocks that were removed'),
    }),
  }),

  listBlockedNetworks: endpoint({
    ...common,
    summary: 'List the blocked networks',
    description: pages,
    query: z.strictObject({
      limit: pageLimit('Networks'),
      cursor: pageCursor,
      q: search('An address or network in the block, or a part of the network or note'),
    }),
    response: z.array(blockedNetwork),
  }),
  blockNetworks: endpoint({
    ...common,
    summary: 'Block addresses and networks',
    description:
      'Uploads, registrations and logins from them are refused; sessions go on. Blocking again replaces note and end. Nothing is blocked if one of them is invalid or contains your own address.',
    body: z.strictObject({
      networks: z
        .array(z.string().trim().min(1).max(maxNetworkLength))
        .min(1)
        .max(maxBlocks)
        .meta(example([sampleNetwork], 'IP addresses, or networks in CIDR notation')),
      note: reason.optional().meta(example('Floods')),
      expires_at: timestamp.optional().describe('When the block ends. Default: never').meta(omitted),
    }),
    status: 201,
    response: z.strictObject({
      success: z.literal(true),
      networks: z
        .array(z.string())
        .meta(example([sampleNetwork], 'As they are listed: in one spelling, host bits cleared')),
    }),
    failures: ['own_network', 'block_list_full'],
  }),
  unblockNetworks: endpoint({
    ...common,
    summary: 'Remove networks from the blocklist',
    body: z.strictObject({
      networks: z
        .array(z.string().max(maxNetworkLength))
        .min(1)
        .max(maxBlocks)
        .meta(example([sampleNetwork], 'As listBlockedNetworks has them')),
    }),
    response: z.strictObject({
      success: z.literal(true),
      removed: wholeNumber(1).describe('Blocks that were removed'),
    }),
  }),
}
