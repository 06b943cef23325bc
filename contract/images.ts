// Images: the entity, its endpoints and the delivery of originals and variants (specification sections 3, 6 and 7; decisions 1 to 3).
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'
import { pageCursor, pageLimit, timestamp } from './pieces.ts'

/** 128 random bits in base64url, 22 characters. Anything else is simply an image that is not there. */
const id = z.string().min(1)

const whole = (max: number, unit: string) =>
  z
    .string()
    .regex(/^\d{1,5}$/, `must be a whole number from 1 to ${max}`)
    .transform(Number)
    .pipe(z.number().min(1, `must be from 1 to ${max}`).max(max, `must be from 1 to ${max}`))
    .meta({ openapi: { type: 'integer', minimum: 1, maximum: max, description: `${unit}, 1 to ${max}` } })
const width = whole(limits.variant.maxSidePx, 'Width in pixels')
const height = whole(limits.variant.maxSidePx, 'Height in pixels')

export const image = z
  .strictObject({
    id: z.string(),
    file_name: z.string(),
    original_name: z.string().describe('The name the file was uploaded with, for show'),
    url: z.string().describe('Absolute address of the original'),
    thumbnailUrl: z.string().describe('Absolute address of the thumbnail, 400 pixels'),
    width: z.number().int().describe('Pixels, as displayed: after orientation'),
    height: z.number().int().describe('Pixels, as displayed: after orientation'),
    size: z.number().int().describe('Bytes of the stored original'),
    mime: z.string(),
    frames: z.number().int().describe('1 for a still picture'),
    placeholder: z.string().describe('Average colour, #rrggbb, to show while the picture loads'),
    created_at: timestamp,
    expires_at: timestamp,
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
      .describe('Guest uploads only, and only here: the secret that may delete and extend this image'),
  })
  .meta({ id: 'UploadedImage' })
export type UploadedImage = z.infer<typeof uploaded>

const size = z.strictObject({ width: z.number().int(), height: z.number().int() }).describe('Pixels')
const colour = z.strictObject({ r: z.number().int(), g: z.number().int(), b: z.number().int() }).describe('0 to 255')
const facts = {
  format: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  space: z.string().describe('Colour space: srgb, b-w, cmyk …'),
  channels: z.number().int(),
  depth: z.string().describe('Of a channel: uchar is 8 bits, ushort 16'),
  hasAlpha: z.boolean(),
  isProgressive: z.boolean(),
  hasProfile: z.boolean(),
  pages: z.number().int().describe('Frames'),
}

const analysis = z
  .strictObject({
    id: z.string(),
    file_name: z.string(),
    original: z.strictObject({ ...facts, size: z.number().int().describe('Bytes') }),
    ...facts,
    colorInfo: z.strictObject({
      averageColor: colour,
      dominantColor: colour,
      dominantChannel: z.enum(['red', 'green', 'blue']),
    }),
    optimizationTips: z.array(z.string()),
    recommendedSizes: z.strictObject({ thumbnail: size, mobile: size, tablet: size, desktop: size }),
    apiEndpoints: z.strictObject({ original: z.string(), resize: z.string(), webp: z.string() }),
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
  .meta({ openapi: { type: 'string', pattern: '^\\d{1,9}[smhd]?$', examples: ['3600', '7d'] } })

const guestToken = z.object({
  token: z.string().max(100).optional().describe('delete_token of a guest image, unless sent as X-Guest-Token'),
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
  failures: ['image_not_found', 'image_gone', 'too_many_requests', 'busy'],
} as const

const listFilters = {
  q: z.string().max(limits.list.maxSearchLength).optional().describe('Part of the file name, without case'),
  sort: z.enum(['newest', 'oldest', 'expiry', 'largest', 'name']).optional().describe('Default newest'),
  type: z.enum(['png', 'jpeg', 'webp', 'gif', 'svg']).optional().describe('Images of this format only'),
  expires: z.enum(['soon']).optional().describe(`soon: within ${limits.expiryNoticeDays} days only`),
}

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
      `Guests: PNG, JPEG or WebP, at most ${limits.guest.maxBytes} bytes, kept ${limits.guest.keptDays} days. ` +
      `Registered users: also GIF and SVG, at most ${limits.user.maxBytes} bytes, kept ${limits.user.keptDays} days. ` +
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
      ratios: z.array(z.number().int()).describe('Width in hundredths of the height, one for each image'),
      cursors: z
        .array(z.string())
        .describe(`cursor for listImages (limit=${limits.list.outlinePage}) of the second page, the third, and so on`),
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
      `From then on they are kept ${limits.user.keptDays} days from their upload, like yours. Images that are gone, or whose ` +
      'token is not theirs, are left out.',
    category: 'images',
    access: 'user',
    body: z.strictObject({
      images: z
        .array(z.strictObject({ id, token: z.string().max(100) }))
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
    reply: z.strictObject({ success: z.literal(true), id: z.string(), expires_at: timestamp }),
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
    params: z.strictObject({ file_name: z.string() }),
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
    params: z.strictObject({ id, width }),
  }),
  getResizedToBox: endpoint({
    ...delivery,
    summary: 'The image at exactly width x height, cropped unless fit says otherwise',
    params: z.strictObject({ id, width, height }),
    query: z.object({ fit: z.enum(['cover', 'contain', 'inside']).optional().describe('Default cover') }),
  }),
  getJpeg: endpoint({
    ...delivery,
    summary: 'The image at a width as JPEG, transparency on white',
    params: z.strictObject({ id, width }),
  }),
  getWebp: endpoint({
    ...delivery,
    summary: 'The image as WebP at a quality',
    params: z.strictObject({ id, quality: whole(limits.variant.maxQuality, 'Quality') }),
    query: z.object({ width: width.optional() }),
  }),
  getLimits: endpoint({
    summary: 'What an upload may be: bytes, pixels, frames, types and days',
    category: 'images',
    access: 'public',
    status: 200,
    reply: z.strictObject({
      guest: z.strictObject({ maxBytes: z.number(), keptDays: z.number(), types: z.array(z.string()) }),
      user: z.strictObject({ maxBytes: z.number(), keptDays: z.number(), types: z.array(z.string()) }),
      image: z.record(z.string(), z.number()),
      variant: z.record(z.string(), z.number()),
    }),
    failures: [],
  }),
}
