// Images: the entity, its endpoints and the delivery of originals and variants (specification sections 3, 6 and 7; decisions 1 to 3).
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'
import { leftOut, pageCursor, pageLimit, sampleIds, timestamp } from './pieces.ts'

/** 128 random bits in base64url, 22 characters. Anything else is simply an image that is not there. */
const id = z
  .string()
  .min(1)
  .meta({ examples: [sampleIds.image] })
const fileName = z.string().meta({ examples: [`photo-${sampleIds.image}.jpg`] })
/** A picture as the samples have it. */
const sample = { width: 1600, height: 1200, bytes: 482_040, placeholder: '#7a8b9c' }
const origin = 'https://example.com'
const address = (route: string) => z.string().meta({ examples: [origin + route] })
const pixels = (example: number) =>
  z
    .number()
    .int()
    .meta({ examples: [example] })

const whole = (max: number, unit: string, example: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, `must be a whole number from 1 to ${max}`)
    .transform(Number)
    .pipe(z.number().min(1, `must be from 1 to ${max}`).max(max, `must be from 1 to ${max}`))
    .meta({
      openapi: { type: 'integer', minimum: 1, maximum: max, description: `${unit}, 1 to ${max}`, examples: [example] },
    })
const width = whole(limits.variant.maxSidePx, 'Width in pixels', limits.variant.defaultWidthPx)
const height = whole(limits.variant.maxSidePx, 'Height in pixels', 600)

const original = address(`/uploads/photo-${sampleIds.image}.jpg`)
const bytes = pixels(sample.bytes).describe('Bytes of the stored original')
const expiry = timestamp.meta({ examples: ['2027-01-31T12:00:00.000Z'] })

export const image = z
  .strictObject({
    id: z.string().meta({ examples: [sampleIds.image] }),
    file_name: fileName,
    original_name: z
      .string()
      .meta({ description: 'The name the file was uploaded with, for show', examples: ['photo.jpg'] }),
    url: original.describe('Absolute address of the original'),
    thumbnailUrl: address(`/api/thumbnail/${sampleIds.image}/${limits.variant.thumbnailPx}`).describe(
      'Absolute address of the thumbnail, 400 pixels',
    ),
    width: pixels(sample.width).describe('Pixels, as displayed: after orientation'),
    height: pixels(sample.height).describe('Pixels, as displayed: after orientation'),
    size: bytes,
    mime: z.string().meta({ examples: ['image/jpeg'] }),
    frames: pixels(1).describe('1 for a still picture'),
    placeholder: z.string().meta({
      description: 'Average colour, #rrggbb, to show while the picture loads',
      examples: [sample.placeholder],
    }),
    created_at: timestamp,
    expires_at: expiry,
    is_guest: z.boolean(),
    guest: z.boolean().describe('The same as is_guest'),
  })
  .meta({ id: 'Image' })
export type Image = z.infer<typeof image>

const uploaded = image
  .extend({
    duplicate: z.boolean().describe('You have the same bytes already; this is a new image beside them'),
    delete_token: z
      .string()
      .optional()
      .meta({
        description: 'Guest uploads only, and only here: the secret that may delete and extend this image',
        examples: ['Uq8ZpL3wXr...'],
      }),
    expires_at: timestamp.meta({ examples: ['2026-04-01T12:00:00.000Z'] }),
    is_guest: image.shape.is_guest.meta({ examples: [true] }),
    guest: image.shape.guest.meta({ examples: [true] }),
  })
  .meta({ id: 'UploadedImage' })
export type UploadedImage = z.infer<typeof uploaded>

/** Of the sample, at a width. */
const size = (width: number) =>
  z.strictObject({ width: pixels(width), height: pixels((width * sample.height) / sample.width) }).describe('Pixels')
const colour = z.strictObject({ r: pixels(122), g: pixels(139), b: pixels(156) }).describe('0 to 255')
const facts = {
  format: z.string().meta({ examples: ['jpeg'] }),
  width: pixels(sample.width),
  height: pixels(sample.height),
  space: z.string().meta({ description: 'Colour space: srgb, b-w, cmyk …', examples: ['srgb'] }),
  channels: pixels(3),
  depth: z.string().meta({ description: 'Of a channel: uchar is 8 bits, ushort 16', examples: ['uchar'] }),
  hasAlpha: z.boolean(),
  isProgressive: z.boolean(),
  hasProfile: z.boolean(),
  pages: pixels(1).describe('Frames'),
}

const recommended = limits.recommendedWidthsPx
const analysis = z
  .strictObject({
    id: z.string().meta({ examples: [sampleIds.image] }),
    file_name: fileName,
    original: z.strictObject({ ...facts, size: bytes }),
    ...facts,
    colorInfo: z.strictObject({
      averageColor: colour,
      dominantColor: colour,
      dominantChannel: z.enum(['red', 'green', 'blue']).meta({ examples: ['blue'] }),
    }),
    optimizationTips: z.array(z.string()).meta({
      examples: [['WebP shows the same at about two thirds of the size of JPEG: use the webp address.']],
    }),
    recommendedSizes: z.strictObject({
      thumbnail: size(recommended.thumbnail),
      mobile: size(recommended.mobile),
      tablet: size(recommended.tablet),
      desktop: size(sample.width),
    }),
    apiEndpoints: z.strictObject({
      original,
      resize: address(`/api/resize/${sampleIds.image}/${limits.variant.defaultWidthPx}`),
      webp: address(`/api/webp/${sampleIds.image}/${limits.variant.defaultQuality}`),
    }),
  })
  .meta({ id: 'ImageAnalysis' })
export type ImageAnalysis = z.infer<typeof analysis>

const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds from seconds or '7d'. What is too long for the caller's role is refused when the role is known. */
const lifetime = z
  .string()
  .regex(/^\d{1,9}[smhd]?$/, 'must be seconds, or a number with s, m, h or d')
  .transform((text) => Number.parseInt(text, 10) * unitMs[(/[smhd]$/.exec(text)?.[0] ?? 's') as keyof typeof unitMs])
  .refine((milliseconds) => milliseconds >= unitMs.m, 'must be at least a minute')
  .meta({ openapi: { type: 'string', pattern: '^\\d{1,9}[smhd]?$', examples: [] } })

const guestToken = z.object({
  token: z
    .string()
    .max(100)
    .optional()
    .describe('delete_token of a guest image, unless sent as X-Guest-Token')
    .meta(leftOut),
})

/** Who does not own the image, by account or by its guest token, is told so. */
const ownerFailures = [
  'authentication_required',
  'guest_token_required',
  'wrong_guest_token',
  'forbidden',
  'image_not_found',
  'image_gone',
] as const

const delivery = {
  category: 'images',
  access: 'public',
  status: 200,
  reply: 'image',
  saveAs: 'image.webp',
  failures: ['image_not_found', 'image_gone', 'too_many_requests', 'busy'],
} as const

const listFilters = {
  q: z
    .string()
    .max(limits.list.maxSearchLength)
    .optional()
    .meta({ description: 'Part of the file name, without case', examples: ['photo'] }),
  sort: z.enum(['newest', 'oldest', 'expiry', 'largest', 'name']).optional().describe('Default newest'),
  type: z.enum(['png', 'jpeg', 'webp', 'gif', 'svg']).optional().describe('Images of this format only'),
  expires: z.enum(['soon']).optional().describe(`soon: within ${limits.expiryNoticeDays} days only`),
}

const uploadLimits = z.strictObject({ maxBytes: z.number(), keptDays: z.number(), types: z.array(z.string()) })

/** What is done to an image by whoever may: by its account, or with the token that its guest was given. */
const byOwner = {
  description: 'Public with the guest token of a guest image; otherwise for its owner and for admins.',
  category: 'images',
  access: 'public',
  acceptsApiKey: true,
  params: z.strictObject({ id }),
  body: guestToken,
  status: 200,
  failures: ownerFailures,
} as const

export const images = {
  uploadImage: endpoint({
    summary: 'Upload an image',
    description:
      `Guests: PNG, JPEG or WebP, at most ${limits.guest.maxBytes} bytes, kept ${limits.guest.retentionDays} days. ` +
      `Registered users: also GIF and SVG, at most ${limits.user.maxBytes} bytes, kept ${limits.user.retentionDays} days. ` +
      'The type is read from the bytes. EXIF, GPS and XMP are removed without touching a pixel.',
    category: 'images',
    access: 'public',
    acceptsApiKey: true,
    upload: { field: 'image', description: 'The image file' },
    headers: z.object({
      'idempotency-key': z
        .string()
        .min(1)
        .max(255)
        .optional()
        .describe('The same key of the same caller answers the same image for a day, however often it is sent'),
    }),
    body: z.object({
      expires_in: lifetime.optional().describe('Seconds, or a number with s, m, h or d: 3600, 12h, 7d'),
    }),
    status: 201,
    reply: uploaded,
    failures: [
      'malformed_upload',
      'no_file',
      'too_many_files',
      'empty_file',
      'foreign_origin',
      'guest_uploads_off',
      'file_too_large',
      'unsupported_body',
      'unsupported_type',
      'broken_image',
      'image_over_limit',
      'busy',
      'storage_full',
    ],
  }),
  listImages: endpoint({
    summary: 'List your images',
    description: 'The next page is in the Link header (rel="next"), the count of all in X-Total-Count.',
    category: 'images',
    access: 'user',
    acceptsApiKey: true,
    query: z.strictObject({ limit: pageLimit('Images'), cursor: pageCursor, ...listFilters }),
    status: 200,
    reply: z.array(image),
    failures: [],
  }),
  outlineImages: endpoint({
    summary: 'The shapes of all your images, in order',
    description:
      'What a gallery needs to lay out the whole list before it has read it: the ratio of every image, and where each page ' +
      `of ${limits.list.outlinePage} starts. At most the first ${limits.list.maxOutline} images.`,
    category: 'images',
    access: 'user',
    acceptsApiKey: true,
    query: z.strictObject(listFilters),
    status: 200,
    reply: z.strictObject({
      ratios: z
        .array(z.number().int())
        .meta({ description: 'Width in hundredths of the height, one for each image', examples: [[133, 150, 67]] }),
      cursors: z.array(z.string()).meta({
        description: `cursor for listImages (limit=${limits.list.outlinePage}) of the second page, the third, and so on`,
        examples: [[]],
      }),
    }),
    failures: [],
  }),
  listExpiringImages: endpoint({
    summary: `List your images that expire within ${limits.expiryNoticeDays} days, the first to go first`,
    category: 'images',
    access: 'user',
    acceptsApiKey: true,
    status: 200,
    reply: z.array(image),
    failures: [],
  }),
  getImage: endpoint({
    summary: 'One of your images',
    description:
      'Public with the guest token of a guest image (X-Guest-Token); otherwise for its owner and for admins.',
    category: 'images',
    access: 'public',
    acceptsApiKey: true,
    params: z.strictObject({ id }),
    status: 200,
    reply: image,
    failures: ownerFailures,
  }),
  deleteImage: endpoint({
    ...byOwner,
    summary: 'Delete an image',
    query: z.object({
      undo: z
        .enum(['1'])
        .optional()
        .describe(
          `1: restoreImage may bring it back for ${limits.undoMs / 1000} seconds. Its addresses answer 410 from now on either way`,
        ),
    }),
    reply: z.strictObject({ success: z.literal(true) }),
  }),
  restoreImage: endpoint({
    ...byOwner,
    summary: 'Bring back an image that was deleted with undo=1 a moment ago',
    reply: image,
  }),
  claimImages: endpoint({
    summary: 'Take guest images into your account',
    description:
      `From then on they are kept ${limits.user.retentionDays} days from their upload, like yours. Images that are gone, or whose ` +
      'token is not theirs, are left out.',
    category: 'images',
    access: 'user',
    body: z.strictObject({
      images: z
        .array(
          z.strictObject({
            id,
            token: z
              .string()
              .max(100)
              .meta({ examples: ['YOUR_DELETE_TOKEN'] }),
          }),
        )
        .min(1)
        .max(limits.list.maxLimit),
    }),
    status: 200,
    reply: z.strictObject({ success: z.literal(true), images: z.array(image) }),
    failures: ['api_key_not_enough'],
  }),
  extendImage: endpoint({
    ...byOwner,
    summary: 'Extend the expiration of an image to one year from today',
    reply: z.strictObject({ success: z.literal(true), id, expires_at: expiry }),
  }),
  analyzeImage: endpoint({
    summary: 'Analyze an image: header, colours, tips and sizes',
    category: 'images',
    access: 'public',
    params: z.strictObject({ id }),
    status: 200,
    reply: analysis,
    failures: ['image_not_found', 'image_gone', 'too_many_requests', 'busy'],
  }),
  getOriginal: endpoint({
    ...delivery,
    summary: 'The original image',
    params: z.strictObject({ file_name: fileName }),
    saveAs: 'image.jpg',
    failures: ['image_not_found', 'image_gone', 'range_not_satisfiable'],
  }),
  getThumbnail: endpoint({
    ...delivery,
    summary: 'A thumbnail that fits inside width x width, as WebP',
    params: z.strictObject({ id, width }),
  }),
  getResized: endpoint({
    ...delivery,
    summary: 'The image at a width, its ratio kept, in its own format (GIF and SVG as WebP)',
    saveAs: 'image.jpg',
    params: z.strictObject({ id, width }),
  }),
  getResizedToBox: endpoint({
    ...delivery,
    summary: 'The image at exactly width x height, cropped unless fit says otherwise',
    saveAs: 'image.jpg',
    params: z.strictObject({ id, width, height }),
    query: z.object({ fit: z.enum(['cover', 'contain', 'inside']).optional().describe('Default cover') }),
  }),
  getJpeg: endpoint({
    ...delivery,
    summary: 'The image at a width as JPEG, transparency on white',
    saveAs: 'image.jpg',
    params: z.strictObject({ id, width }),
  }),
  getWebp: endpoint({
    ...delivery,
    summary: 'The image as WebP at a quality',
    params: z.strictObject({ id, quality: whole(limits.variant.maxQuality, 'Quality', limits.variant.defaultQuality) }),
    query: z.object({ width: width.optional() }),
  }),
  getLimits: endpoint({
    summary: 'What an upload may be: bytes, pixels, frames, types and days',
    category: 'images',
    access: 'public',
    status: 200,
    reply: z.strictObject({
      guest: uploadLimits.meta({
        examples: [
          {
            maxBytes: limits.guest.maxBytes,
            keptDays: limits.guest.retentionDays,
            types: ['image/png', 'image/jpeg', 'image/webp'],
          },
        ],
      }),
      user: uploadLimits.meta({
        examples: [
          {
            maxBytes: limits.user.maxBytes,
            keptDays: limits.user.retentionDays,
            types: ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/svg+xml'],
          },
        ],
      }),
      image: z.record(z.string(), z.number()).meta({ examples: [limits.image] }),
      variant: z.record(z.string(), z.number()).meta({ examples: [limits.variant] }),
    }),
    failures: [],
  }),
}
