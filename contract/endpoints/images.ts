// Images: the entity, and the endpoints that upload, list and change them (docs/behaviour.md, "Images").
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { formatBytes } from '../plain/format-bytes.ts'
import { formatNames, formatsFor, listFormats, mimesFor, userOnlyFormats } from '../plain/formats.ts'
import { engineParameters } from './image-engine.ts'
import {
  alt,
  chosenExpiry,
  fileName,
  guestToken,
  id,
  keyQuery,
  lifetime,
  maxViews,
  slug,
  tagField,
  tagNames,
  title,
  uploadLifetime,
  visibility,
} from './image-input-fields.ts'
import { queryOperators } from '../plain/image-query.ts'
import { imageSorts } from '../plain/image-sorts.ts'
import { limits } from '../plain/limits.ts'
import {
  example,
  done,
  imagePages,
  omitted,
  pageCursor,
  pageLimit,
  requestedId,
  proofHeader,
  sampleIds,
  timestamp,
  wholeNumber,
} from './schema-parts.ts'

/** The image in the samples. */
const sample = { width: 1600, height: 1200, bytes: 482_040, placeholder: '#7a8b9c' }
const origin = 'https://example.com'
const url = (route: string) => z.string().meta(example(origin + route))

const original = url(`/uploads/photo-${sampleIds.image}.jpg`)
const bytes = wholeNumber(sample.bytes).describe('Bytes of the stored original')
const expiry = timestamp.meta(example('2027-01-31T12:00:00.000Z'))

export const image = z
  .strictObject({
    id: z.string().meta(example(sampleIds.image)),
    file_name: fileName,
    original_name: z.string().meta(example('photo.jpg', 'The name of the uploaded file')),
    title: z.string().meta(example('Harbour at dusk', 'Given by its owner; empty: none')),
    alt: z
      .string()
      .meta(example('Boats in a harbour under a red sky', 'What it shows, for those who cannot see it; empty: none')),
    slug: z.string().nullable().meta(example('harbour', 'The custom link: /s/SLUG redirects to the share page')),
    tags: z.array(z.string()).meta(example(['travel/italy'], 'In lower case; travel/italy is below travel')),
    url: original.describe('URL of the original'),
    thumbnailUrl: url(`/api/thumbnail/${sampleIds.image}/${limits.variant.thumbnailPx}`).describe(
      'URL of the thumbnail, 400 pixels',
    ),
    page_url: url(`/i/${sampleIds.image}`).describe('URL of the share page'),
    width: wholeNumber(sample.width).describe('Pixels, after applying the EXIF orientation'),
    height: wholeNumber(sample.height).describe('Pixels, after applying the EXIF orientation'),
    size: bytes,
    mime: z.string().meta(example('image/jpeg')),
    frames: wholeNumber(1).describe('Number of frames: 1 for a still image'),
    placeholder: z.string().meta(example(sample.placeholder, 'Average colour, #rrggbb, to show while it loads')),
    blur: z
      .string()
      .nullable()
      .meta(
        example(
          'UklGRjIAAABXRUJQVlA4ICYAAACQAQCdASoQABAAAUAmJaQAA3AA/u9q...',
          'A tiny WebP in base64, to show enlarged while it loads; null: from before 0.3.0',
        ),
      ),
    created_at: timestamp,
    expires_at: expiry.nullable().meta(example('2027-01-31T12:00:00.000Z', 'null: it never expires')),
    views_left: z
      .number()
      .int()
      .nullable()
      .meta(example(null, 'How often it is still served before it is deleted; null: no limit')),
    views: wholeNumber(1280).describe('How often it was viewed; 0 where views are not counted'),
    visibility: visibility.describe('private: 404 without a view key'),
    view_key: z
      .string()
      .nullable()
      .meta(
        example(
          null,
          'Of a private image: as ?key= it opens its addresses for one to two days, for its owner. Create a view key to share it',
        ),
      ),
    is_guest: z.boolean(),
    guest: z.boolean().describe('The same as is_guest'),
    is_own: z.boolean().optional().describe('Only in albums: whether it is yours, or of another member').meta(omitted),
  })
  .meta({ id: 'Image' })
export type Image = z.infer<typeof image>

const deleteUrl = url(`/d/${sampleIds.image}/Uq8ZpL3wXr...`)
const sampleUrl = `${origin}/uploads/photo-${sampleIds.image}.jpg`
/** As Lsky Pro names them. */
export const links = z.strictObject({
  url: original,
  html: z.string().meta(example(`<img src="${sampleUrl}" alt="photo.jpg" title="photo.jpg" />`)),
  bbcode: z.string().meta(example(`[img]${sampleUrl}[/img]`)),
  markdown: z.string().meta(example(`![photo.jpg](${sampleUrl})`)),
  markdown_with_link: z.string().meta(example(`[![photo.jpg](${sampleUrl})](${sampleUrl})`)),
  thumbnail_url: z.string().meta(example(`${origin}/api/thumbnail/${sampleIds.image}/400`)),
  delete_url: deleteUrl.optional(),
})
export type ImageLinks = Omit<z.infer<typeof links>, 'delete_url'>

export const uploaded = image
  .extend({
    duplicate: z.boolean().describe('You already had an image with the same bytes'),
    quarantined: z
      .boolean()
      .meta(example(false, 'It resembles a blocked one, and is not shown until an admin has looked at it')),
    delete_token: z
      .string()
      .optional()
      .meta(example('Uq8ZpL3wXr...', 'The guest token of a guest image. Only this response has it')),
    delete_url: deleteUrl.optional().describe('A page that deletes the image once confirmed'),
    success: z.literal(true),
    code: z.literal(200).describe('Like result, message and data, for clients of other hosts'),
    result: z.literal('success'),
    message: z.literal('success'),
    thumb: url(`/api/thumbnail/${sampleIds.image}/400`).describe('The same as thumbnailUrl'),
    del: deleteUrl.optional().describe('The same as delete_url'),
    data: z.strictObject({
      key: z.string().meta(example(sampleIds.image)),
      name: fileName,
      url: original,
      links,
    }),
    expires_at: timestamp.nullable().meta(example('2026-04-01T12:00:00.000Z', 'null: it never expires')),
    is_guest: image.shape.is_guest.meta(example(true)),
    guest: image.shape.guest.meta(example(true)),
  })
  .meta({ id: 'UploadedImage' })
export type UploadedImage = z.infer<typeof uploaded>

/** Failures of every upload, whatever protocol its client speaks. */
export const uploadFailures = [
  'malformed_upload',
  'no_file',
  'too_many_files',
  'empty_file',
  'foreign_origin',
  'guest_uploads_off',
  'upload_by_url_off',
  'file_too_large',
  'quota_exceeded',
  'api_key_quota',
  'unsupported_body',
  'unsupported_type',
  'url_not_fetched',
  'broken_image',
  'image_over_limit',
  'image_blocked',
  'idempotency_key_reused',
  'tags_need_account',
  'album_not_found',
  'album_role',
  'album_is_live',
  'decoder_unavailable',
  'busy',
  'guest_quota_full',
  'total_quota_full',
  'storage_full',
  'api_key_in_url',
] as const

/** The size of the sample image at a width. */
const size = (width: number) =>
  z
    .strictObject({ width: wholeNumber(width), height: wholeNumber((width * sample.height) / sample.width) })
    .describe('Pixels')
const colour = z.strictObject({ r: wholeNumber(122), g: wholeNumber(139), b: wholeNumber(156) }).describe('0 to 255')
const facts = {
  format: z.string().meta(example('jpeg')),
  width: wholeNumber(sample.width),
  height: wholeNumber(sample.height),
  space: z.string().meta(example('srgb', 'Colour space: srgb, b-w, cmyk …')),
  channels: wholeNumber(3),
  depth: z.string().meta(example('uchar', 'Per channel: uchar is 8 bits, ushort 16 bits')),
  hasAlpha: z.boolean(),
  isProgressive: z.boolean(),
  hasProfile: z.boolean(),
  pages: wholeNumber(1).describe('Frames'),
}

const recommended = limits.recommendedWidthsPx
const analysis = z
  .strictObject({
    id: z.string().meta(example(sampleIds.image)),
    file_name: fileName,
    original: z.strictObject({ ...facts, size: bytes }),
    ...facts,
    colorInfo: z.strictObject({
      averageColor: colour,
      dominantColor: colour,
      dominantChannel: z.enum(['red', 'green', 'blue']).meta(example('blue')),
    }),
    optimizationTips: z.array(z.string()).meta(example(['As WebP this image is 34% smaller: use the webp address.'])),
    recommendedSizes: z.strictObject({
      thumbnail: size(recommended.thumbnail),
      mobile: size(recommended.mobile),
      tablet: size(recommended.tablet),
      desktop: size(sample.width),
    }),
    apiEndpoints: z.strictObject({
      original,
      resize: url(`/api/resize/${sampleIds.image}/${limits.variant.defaultWidthPx}`),
      webp: url(`/api/webp/${sampleIds.image}/${limits.variant.defaultQuality}`),
    }),
  })
  .meta({ id: 'ImageAnalysis' })
export type ImageAnalysis = z.infer<typeof analysis>

/** Failures of callers who own the image neither by account nor by its guest token. */
const ownerFailures = [
  'authentication_required',
  'guest_token_required',
  'wrong_guest_token',
  'forbidden',
  'image_not_found',
  'image_gone',
  'image_unavailable',
] as const

const listFilters = {
  q: z
    .string()
    .max(limits.list.maxQueryLength)
    .optional()
    .meta(
      example(
        'photo tag:travel',
        'Part of the file name, title or alternative text, case-insensitive, and terms, which must all apply: ' +
          `${Object.values(queryOperators)
            .map(({ example }) => example)
            .join(', ')}; quotes around several words, a hyphen before what is not wanted`,
      ),
    ),
  sort: z
    .enum(imageSorts)
    .optional()
    .describe(
      'Default newest. expiry: the first to expire first; views: the most viewed first; name: from A to Z. ' +
        'With _desc or _asc the other way round. By views, an image that is viewed meanwhile may be on two pages or none',
    ),
  type: z.enum(formatNames).optional().describe('Only images of this format'),
  expires: z.enum(['soon']).optional().describe(`soon: only images that expire within ${limits.expiryNoticeDays} days`),
  visibility: visibility.optional().describe('Only public or only private images'),
}

const uploadLimits = z.strictObject({ maxBytes: z.number(), keptDays: z.number(), types: z.array(z.string()) })
const uploadSample = (uploader: 'guest' | 'user') => {
  const { maxBytes, retentionDays } = limits[uploader]
  return { maxBytes, keptDays: retentionDays, types: mimesFor(uploader) }
}
const guestLimits = uploadLimits
  .extend({ maxDays: z.number().describe('Longest life of a guest image with all extensions, in days; 0: no limit') })
  .meta(example({ ...uploadSample('guest'), maxDays: limits.guest.maxDays }))
const { quotaBytes, quotaImages, uploadsPerHour } = limits.user
const userLimits = uploadLimits
  .extend({
    keptDays: z.number().nullable().describe('null: images do not expire'),
    keptAfter: z
      .enum(['upload', 'view', 'never'])
      .describe('What the days are counted from: the upload, or the last view'),
    mayKeep: z
      .boolean()
      .describe(
        'Whether users may keep images, which then never expire. Admins may be allowed to even if users are not',
      ),
    quotaBytes: z.number().describe('Storage of an account in bytes, unless set for the user; 0: no limit'),
    quotaImages: z.number().describe('Images of an account, unless set for the user; 0: no limit'),
    uploadsPerHour: z.number().describe('0: no limit'),
    trashDays: z.number().describe('Days that an image in the trash can be restored; 0: there is no trash'),
  })
  .meta(
    example({
      ...uploadSample('user'),
      keptAfter: 'upload',
      mayKeep: false,
      quotaBytes,
      quotaImages,
      uploadsPerHour,
      trashDays: limits.trashDays,
    }),
  )

/** Endpoints that change an image: called by its owner's account, or with the guest token. */
const byOwner = {
  description: 'Requires the guest token of a guest image, or a login as its owner or an admin.',
  category: 'images',
  access: 'public',
  keyScope: 'manage',
  params: z.strictObject({ id }),
  body: guestToken,
  failures: ownerFailures,
} as const

const readByOwner = {
  description: 'Requires the guest token of a guest image (X-Guest-Token), or a login as its owner or an admin.',
  category: 'images',
  access: 'public',
  keyScope: 'read',
  params: z.strictObject({ id }),
  failures: ownerFailures,
} as const
const byUser = { category: 'images', access: 'user' } as const

export const images = {
  uploadImage: endpoint({
    summary: 'Upload an image',
    description:
      `Guests: ${listFormats(formatsFor('guest'), 'or')}, at most ${formatBytes(limits.guest.maxBytes)}, stored for ${limits.guest.retentionDays} days. ` +
      `Registered users: also ${listFormats(userOnlyFormats, 'and')}, at most ${formatBytes(limits.user.maxBytes)}, stored for ${limits.user.retentionDays} days. ` +
      'These are defaults: GET /api/limits has the numbers of this server. ' +
      'The type is detected from the bytes. EXIF, GPS and XMP metadata is removed without re-encoding.',
    category: 'images',
    access: 'public',
    keyScope: 'upload',
    refusesBlockedNetworks: true,
    upload: { field: 'image', description: 'The image file' },
    proofOfWork: true,
    query: z.object({
      format: z
        .enum(['json', 'txt', 'redirect'])
        .optional()
        .describe('txt: only the URL, as with Accept: text/plain. redirect: 303 to the image. Default json')
        .meta(omitted),
    }),
    headers: z.object({
      ...proofHeader,
      'idempotency-key': z
        .string()
        .min(1)
        .max(255)
        .optional()
        .describe(
          'For 24 hours, the same key and file from the same caller return the same image; another file is refused. An API key without the scope manage is a caller of its own',
        ),
    }),
    body: z.object({
      expires_in: uploadLifetime
        .optional()
        .describe('Seconds, or a number with s, m, h or d: 12h, 7d. never: for accounts that may keep images'),
      filename: z
        .string()
        .max(1000)
        .optional()
        .describe('The name of the file, such as for base64 in JSON. Default: that in the form or URL')
        .meta(omitted),
      title: title.optional().meta(omitted),
      alt: alt.optional().describe('What it shows, for those who cannot see it').meta(omitted),
      tags: tagField
        .optional()
        .describe('Of an image of an account, with commas between them: travel/italy, sea')
        .meta(omitted),
      album: z
        .string()
        .trim()
        .max(200)
        .optional()
        .describe('The id of an album for it. An API key with an album ignores this')
        .meta(omitted),
      max_views: maxViews.optional().describe(`Delete it after being served this often, 1 to ${limits.maxViews}`),
      visibility: visibility
        .optional()
        .describe('Default: that of the API key or account. private: for accounts only')
        .meta(omitted),
      url: z
        .string()
        .optional()
        .describe('The address of the image, instead of the file, if the server allows it, also as JSON')
        .meta(omitted),
    }),
    status: 201,
    response: uploaded,
    failures: [...uploadFailures, 'malformed_json', 'private_needs_account', 'keep_not_allowed'],
  }),
  listImages: endpoint({
    ...byUser,
    summary: 'List your images',
    description: imagePages,
    keyScope: 'read',
    query: z.strictObject({ limit: pageLimit('Images'), cursor: pageCursor, ...listFilters }),
    response: z.array(image),
  }),
  outlineImages: endpoint({
    ...byUser,
    summary: 'Get the aspect ratios of all your images',
    description:
      'For galleries, which lay out a list before loading its pages: the ratios, in the order ' +
      `of the list, and the cursor of each page of ${limits.list.outlinePage} images. At most the first ${limits.list.maxOutline} images.`,
    keyScope: 'read',
    query: z.strictObject(listFilters),
    response: z.strictObject({
      ratios: z.array(z.number().int()).meta(example([133, 150, 67], 'Width in percent of the height, for each image')),
      cursors: z
        .array(z.string())
        .meta(example([], `Cursors for GET /api/images?limit=${limits.list.outlinePage}, from the second page on`)),
    }),
  }),
  listExpiringImages: endpoint({
    ...byUser,
    summary: `List your images that expire within ${limits.expiryNoticeDays} days, soonest first`,
    keyScope: 'read',
    response: z.array(image),
  }),
  getImage: endpoint({
    ...readByOwner,
    summary: 'Get an image',
    response: image,
  }),
  updateImage: endpoint({
    ...byOwner,
    summary: 'Change the texts, custom link, tags, visibility, expiry and limit of views of an image',
    description: `${byOwner.description} Fields that are not sent stay as they are.`,
    body: z.strictObject({
      ...guestToken.shape,
      title: title.optional().meta(example('Harbour at dusk', 'Empty: none')),
      alt: alt
        .optional()
        .meta(example('Boats in a harbour under a red sky', 'What it shows, for those who cannot see it; empty: none')),
      slug: slug
        .nullable()
        .optional()
        .meta(
          example(
            'harbour',
            'Custom link of an image of an account, in lower case: /s/SLUG redirects to the share page. null removes it. Only its owner may use that of a deleted image within 30 days',
          ),
        ),
      tags: tagNames.optional().describe('All tags of an image of an account; empty: none').meta(omitted),
      max_views: z
        .int()
        .min(1)
        .max(limits.maxViews)
        .nullable()
        .optional()
        .meta({
          ...omitted,
          description: 'Delete it after being served this often from now on; null: no limit',
        }),
      visibility: visibility.optional().describe('Of an image of an account').meta(omitted),
      expires_at: chosenExpiry.optional(),
    }),
    response: image,
    failures: [
      ...ownerFailures,
      'slug_taken',
      'slug_needs_account',
      'private_needs_account',
      'tags_need_account',
      'keep_not_allowed',
    ],
  }),
  getImageViews: endpoint({
    ...readByOwner,
    summary: 'Get how often an image was viewed',
    description: `${readByOwner.description} A view is a complete response with the image, or its share page, but not for robots or the pages of this site.`,
    response: z
      .strictObject({
        isCounted: z.boolean().describe('false: VIEW_COUNTS is off'),
        total: wholeNumber(1280),
        days: z
          .array(z.strictObject({ date: z.iso.date(), views: wholeNumber(42) }))
          .describe(`The last ${limits.stats.days} days (UTC), oldest first`),
      })
      .meta({ id: 'ImageViews' }),
  }),
  viewOwnImage: endpoint({
    ...readByOwner,
    summary: 'Get your own image as WebP, without counting a view',
    description: `${readByOwner.description} At most ${limits.variant.lightboxPx} pixels wide. No cache may store the response.`,
    response: 'image',
    saveAs: 'image.webp',
    failures: [...ownerFailures, 'too_many_requests', 'decoder_unavailable', 'busy'],
  }),
  getOwnOriginal: endpoint({
    ...readByOwner,
    summary: 'Download your own original, without counting a view',
    description: `${readByOwner.description} No cache may store the response.`,
    response: 'image',
    saveAs: 'image.jpg',
    failures: [...ownerFailures, 'range_not_satisfiable'],
  }),
  deleteImage: endpoint({
    ...byOwner,
    summary: 'Delete an image',
    query: z.object({
      undo: z
        .enum(['1'])
        .optional()
        .describe(
          `1: the image can be restored for ${limits.undoMs / 1000} seconds. Its URLs respond with 410 immediately in any case`,
        ),
      trash: z
        .enum(['1'])
        .optional()
        .describe(
          '1: an image of your account can be restored from the trash for TRASH_DAYS, and counts towards your quota until then. Others, or all if that is 0, are deleted as with undo=1',
        ),
    }),
    response: done,
  }),
  restoreImage: endpoint({
    ...byOwner,
    summary: 'Restore an image deleted with undo=1 or trash=1',
    response: image,
    failures: [...ownerFailures, 'quota_exceeded'],
  }),
  claimImages: endpoint({
    ...byUser,
    summary: 'Transfer guest images to your account',
    description: `They then expire ${limits.user.retentionDays} days after their upload, or as GET /api/limits says. Images that are deleted, expired or quarantined, or whose token is wrong, are skipped. Nothing is transferred beyond your quota.`,
    body: z.strictObject({
      images: z
        .array(
          z.strictObject({
            id,
            token: z.string().max(100).meta(example('YOUR_DELETE_TOKEN')),
          }),
        )
        .min(1)
        .max(limits.list.maxLimit),
      albums: z
        .array(z.strictObject({ id, token: z.string().max(100) }))
        .max(limits.list.maxLimit)
        .optional()
        .describe(
          'Guest albums, to be yours with their links, without the images of others. Those whose images all become yours need not be named',
        )
        .meta(omitted),
    }),
    response: done.extend({ images: z.array(image) }),
    failures: ['api_key_not_enough', 'quota_exceeded'],
  }),
  extendImage: endpoint({
    ...byOwner,
    summary: 'Extend an image: it expires one year from now',
    description:
      `${byOwner.description} An expiry is never shortened. A guest extends an image to at most ${limits.guest.maxDays} days after ` +
      'its upload, or as GET /api/limits says.',
    response: done.extend({ id, expires_at: expiry.nullable() }),
  }),
  setVisibility: endpoint({
    ...byUser,
    summary: 'Make images of your account public or private',
    description:
      'What is not among your images is skipped. Addresses of private images respond with 404 at once without a view key; with PURGE_URL, caches in front are purged.',
    keyScope: 'manage',
    body: z.strictObject({
      ids: z.array(requestedId(sampleIds.image)).min(1).max(limits.list.maxLimit),
      visibility: visibility.meta(example('private')),
    }),
    response: done.extend({ images: z.array(image).describe('Those whose visibility has changed') }),
  }),
  setExpiry: endpoint({
    ...byUser,
    summary: 'Choose when images of your account expire, or keep them',
    description:
      'What is not among your images is skipped. Views and extensions may move it to later, never to earlier. null keeps images until you delete them, if your account may (GET /api/limits).',
    keyScope: 'manage',
    body: z.strictObject({
      ids: z.array(requestedId(sampleIds.image)).min(1).max(limits.maxExpiryImages),
      expires_at: chosenExpiry,
    }),
    response: done.extend({ images: z.array(image).describe('Those whose expiry has changed') }),
    failures: ['keep_not_allowed'],
  }),
  createViewKey: endpoint({
    ...byOwner,
    summary: 'Create a view key of a private image',
    description: `${byOwner.description} ?key= opens the page, the original and all variants until its end, for embedding and sharing. No shared cache stores what it opens. It ends early when the visibility changes.`,
    body: z.strictObject({
      ...guestToken.shape,
      expires_in: lifetime
        .optional()
        .meta(example('7d', `Seconds, or a number with s, m, h or d, at most ${limits.viewKey.maxDays}d. Default 1d`)),
    }),
    response: z.strictObject({
      key: z.string().meta(example('t3p8ao.9PqVb2mZ0QwErTyUiOpAsA')),
      expires_at: timestamp.meta(example('2026-12-08T12:00:00.000Z')),
      url: url(`/uploads/photo-${sampleIds.image}.jpg?key=t3p8ao.9PqVb2mZ0QwErTyUiOpAsA`).describe('The original'),
      page_url: url(`/i/${sampleIds.image}?key=t3p8ao.9PqVb2mZ0QwErTyUiOpAsA`).describe('The share page'),
    }),
    failures: ownerFailures,
  }),
  endViewKeys: endpoint({
    ...byOwner,
    summary: 'End all view keys of an image',
    description: `${byOwner.description} Also the view_key of its owner: the response has a new one.`,
    response: image,
  }),
  signVariant: endpoint({
    ...byOwner,
    summary: 'Get the signed address of a variant',
    description: `${byOwner.description} SIGN_VARIANTS=on demands it for effects and for widths that are not of the ladder. It does not expire.`,
    body: z.strictObject({ ...guestToken.shape, ...engineParameters }),
    response: z.strictObject({
      url: url(`/i/${sampleIds.image}.jpg?w=800&h=600&fit=cover&fmt=auto&sig=9PqVb2mZ0...`).describe('Absolute URL'),
    }),
  }),
  analyzeImage: endpoint({
    ...readByOwner,
    summary: 'Analyze an image: format, colours, optimization tips and recommended sizes',
    description: 'With limited views, for its owner and admins only.',
    query: keyQuery,
    response: analysis,
    failures: [...ownerFailures, 'too_many_requests', 'decoder_unavailable', 'busy'],
  }),
  getLimits: endpoint({
    summary: 'Get the limits of uploads and variants',
    category: 'images',
    access: 'public',
    response: z.strictObject({
      guest: guestLimits,
      user: userLimits,
      image: z.record(z.string(), z.number()).meta(example(limits.image)),
      variant: z.record(z.string(), z.number()).meta(example(limits.variant)),
    }),
  }),
}
