// Links: through which images and albums are shared, each with its own password and end (docs/decisions/0070).
import { z } from 'zod'
import { limits } from '../plain/limits.ts'
import { endpoint } from './endpoint.ts'
import { slug } from './image-input-fields.ts'
import { image } from './images.ts'
import {
  example,
  cleanedName,
  done,
  omitted,
  pageCursor,
  pageLimit,
  requestedId,
  sampleIds,
  timestamp,
  wholeNumber,
} from './schema-parts.ts'

const { links: limit } = limits
const id = requestedId(sampleIds.link)

const states = ['open', 'waiting', 'ended', 'revoked'] as const

const link = z
  .strictObject({
    id: z.string().meta(example(sampleIds.link)),
    url: z.string().meta(example('https://example.com/l/italy-2026')),
    slug: z.string().meta(example('italy-2026')),
    album_id: z.string().nullable().meta(example(sampleIds.album, 'null: it shares images')),
    title: z.string().meta(example('Italy 2026', 'Title of the album, or of the first image')),
    images: wholeNumber(42).describe('How many images visitors see'),
    named_images: wholeNumber(0).describe('Single images that it shares, visible or not'),
    cover: image.nullable().meta(example(null, 'The album cover, or the first visible image')),
    name: z.string().meta(example('For the family', 'For you')),
    note: z.string().meta(example('', 'For you')),
    shows_private: z.boolean().describe('Whether it shows private images of the album'),
    has_password: z.boolean(),
    starts_at: timestamp.nullable().meta(example(null)),
    ends_at: timestamp.nullable().meta(example('2027-01-31T12:00:00.000Z')),
    views_left: z.number().int().nullable().meta(example(null, 'How often it can still be opened; null: no limit')),
    can_download: z.boolean().describe('Whether visitors get originals, and a ZIP file of all'),
    max_size: z.number().int().nullable().meta(example(null, 'Longest side in pixels; null: any size')),
    watermark: z.string().meta(example('', 'Drawn over what visitors get; empty: nothing')),
    views: wholeNumber(17).describe('How often it was opened'),
    last_viewed_at: timestamp.nullable().meta(example(null)),
    state: z.enum(states).meta(example('open', 'waiting: not started. ended: past its end, or out of views')),
    created_at: timestamp,
  })
  .meta({ id: 'Link' })
export type Link = z.infer<typeof link>

const settings = {
  name: cleanedName(limit.maxNameLength).optional().meta(example('For the family')),
  note: cleanedName(limit.maxNoteLength).optional().meta(omitted),
  slug: slug.optional().meta(example('italy-2026', 'In lower case. Default: one that nobody can guess')),
  shows_private: z
    .boolean()
    .optional()
    .describe(
      'Whether visitors also see private images of the album. Default false. Images that you name are always shown',
    )
    .meta(omitted),
  password: z
    .string()
    .min(1)
    .max(limits.account.maxPasswordLength)
    .nullable()
    .optional()
    .describe('What visitors must enter; null: nothing')
    .meta(omitted),
  starts_at: timestamp.nullable().optional().meta(omitted),
  ends_at: timestamp.nullable().optional().meta(example('2027-01-31T12:00:00.000Z')),
  max_views: z
    .int()
    .min(1)
    .max(limits.maxViews)
    .nullable()
    .optional()
    .describe('How often it can be opened from now on; null: no limit')
    .meta(omitted),
  can_download: z
    .boolean()
    .optional()
    .describe(`Default true. false: visitors get no original, and nothing larger than ${limit.previewPx} pixels`)
    .meta(omitted),
  max_size: z
    .int()
    .min(limit.minSizePx)
    .max(limits.image.maxSidePx)
    .nullable()
    .optional()
    .describe('Longest side that visitors get, in pixels')
    .meta(omitted),
  watermark: cleanedName(limit.maxWatermarkLength).optional().meta(omitted),
}

const common = { category: 'albums', access: 'user' } as const

export const linkEndpoints = {
  createLink: endpoint({
    ...common,
    summary: 'Create a link to an album, or to some of your images',
    description:
      'Whoever has it sees the images that you name, even private ones, or those of the album, private ones only with shows_private, and nothing else of yours. Public images keep their own addresses.',
    keyScope: 'manage',
    body: z.strictObject({
      album_id: requestedId(sampleIds.album).optional(),
      images: z.array(requestedId(sampleIds.image)).min(1).max(limit.maxImages).optional().meta(omitted),
      ...settings,
    }),
    status: 201,
    response: link,
    failures: ['album_not_found', 'album_role', 'image_not_found', 'slug_taken', 'too_many_links', 'busy'],
  }),
  listLinks: endpoint({
    ...common,
    summary: 'List your links, newest first',
    description:
      'Paginated: the Link header (rel="next") has the URL of the next page, X-Total-Count the total number.',
    keyScope: 'read',
    query: z.strictObject({
      album: requestedId(sampleIds.album).optional().describe('Only links to this album').meta(omitted),
      image: requestedId(sampleIds.image).optional().describe('Only links that name this image').meta(omitted),
      state: z.enum(states).optional().describe('Only links in this state').meta(omitted),
      limit: pageLimit('Links'),
      cursor: pageCursor,
    }),
    response: z.array(link),
  }),
  updateLink: endpoint({
    ...common,
    summary: 'Change a link',
    description:
      'Fields that you do not send stay as they are. It takes effect with the next request, even on open pages.',
    keyScope: 'manage',
    params: z.strictObject({ id }),
    body: z.strictObject({
      ...settings,
      revoked: z.boolean().optional().describe('true: nobody can open it').meta(omitted),
    }),
    response: link,
    failures: ['link_not_found', 'slug_taken', 'busy'],
  }),
  deleteLink: endpoint({
    ...common,
    summary: 'Delete a link',
    description: 'Its slug can be used again.',
    keyScope: 'manage',
    params: z.strictObject({ id }),
    response: done,
    failures: ['link_not_found'],
  }),
}
