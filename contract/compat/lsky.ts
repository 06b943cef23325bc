// Lsky Pro API v2, whose paths begin with /api/v1. That of version 1 is POST /api/upload.
import { z } from 'zod'
import { endpoint } from '../endpoints/endpoint.ts'
import { links } from '../endpoints/images.ts'
import { limits } from '../plain/limits.ts'
import { example, omitted, requestedId, sampleIds } from '../endpoints/schema-parts.ts'
import { encodedImage, number, reuse, sampleName, text, uploadBase } from './schemas.ts'

const failure = z.strictObject({ status: z.literal(false), message: text('Image not found'), data: z.strictObject({}) })
const envelope = <T extends z.ZodType>(data: T) =>
  z.strictObject({ status: z.literal(true), message: text('success'), data })

const image = z.strictObject({
  key: text(sampleIds.image),
  name: text(sampleName),
  pathname: text(`uploads/${sampleName}`),
  origin_name: text('photo.jpg'),
  size: number(470.74).describe('KiB'),
  mimetype: text('image/jpeg'),
  extension: text('jpg'),
  width: number(1600),
  height: number(1200),
  date: text('2026-01-31 12:00:00'),
  human_date: text('2026-01-31'),
  links,
})
const page = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    current_page: number(1),
    last_page: number(1),
    per_page: number(limits.compat.lskyPage),
    total: number(1),
    data: z.array(item),
  })
const category = 'compatibility' as const

const pageNumber = z
  .string()
  .regex(/^\d{1,6}$/, 'must be a whole number')
  .optional()
  .meta(example('1'))

const sampleNumber = 183_512_098_173_911
const albumIds = 'Its number in GET /api/v1/albums, or its id'
const album = z.strictObject({
  id: number(sampleNumber).describe('A number that stands for its id'),
  name: text('Italy 2026'),
  intro: text('Two weeks by the sea'),
  image_num: number(42),
})

export const lsky = {
  lskyCreateToken: endpoint({
    summary: 'Log in as to Lsky Pro (API v2)',
    description: 'The token is a session. Programs should rather use an API key.',
    category,
    access: 'public',
    body: z.object({
      email: z.string().max(limits.account.maxEmailLength).meta(example('ada@example.com')),
      password: z.string().max(limits.account.maxPasswordLength).meta(example('correct horse battery')),
    }),
    response: envelope(z.strictObject({ token: text('eyJhbGciOi...') })),
    failure,
    failures: ['wrong_credentials', 'inactive_account', 'password_expired', 'address_blocked'],
  }),
  lskyUpload: endpoint({
    ...uploadBase,
    summary: 'Upload an image as to Lsky Pro (API v2)',
    description: reuse,
    upload: { field: 'file', description: encodedImage },
    body: z.object({
      expired_at: z.string().optional().meta(example('2026-12-31 12:00:00', 'When it expires, UTC')),
      album_id: z.string().optional().describe(albumIds).meta(omitted),
    }),
    response: envelope(image),
    failure,
  }),
  lskyListImages: endpoint({
    summary: 'List your images as from Lsky Pro',
    category,
    access: 'user',
    keyScope: 'read',
    query: z.object({
      page: pageNumber,
      order: z.string().optional().describe('newest, earliest or utmost (the largest)').meta(omitted),
      album_id: z.string().optional().describe(`Only this album, in its order. ${albumIds}`).meta(omitted),
    }),
    response: envelope(page(image)),
    failure,
    failures: ['album_not_found'],
  }),
  lskyDeleteImage: endpoint({
    summary: 'Delete an image as from Lsky Pro',
    category,
    access: 'user',
    keyScope: 'manage',
    params: z.strictObject({ key: requestedId(sampleIds.image) }),
    response: envelope(z.strictObject({})),
    failure,
    failures: ['image_not_found', 'image_gone', 'image_unavailable', 'guest_token_required'],
  }),
  lskyGetProfile: endpoint({
    summary: 'Get your account as from Lsky Pro',
    category,
    access: 'user',
    keyScope: 'read',
    response: envelope(
      z.strictObject({
        name: text('Ada'),
        email: text('ada@example.com'),
        avatar: text(''),
        capacity: number(10_485_760).describe('Quota in KiB; 0: no limit'),
        used_capacity: number(470.74).describe('KiB'),
        image_num: number(1),
        album_num: number(1),
      }),
    ),
    failure,
  }),
  lskyListStrategies: endpoint({
    summary: 'List the storage of this server as from Lsky Pro: one',
    category,
    access: 'public',
    response: envelope(
      z.strictObject({ strategies: z.array(z.strictObject({ id: z.literal(1), name: text('Image Host') })) }),
    ),
    failure,
  }),
  lskyListAlbums: endpoint({
    summary: 'List your albums as from Lsky Pro',
    category,
    access: 'user',
    keyScope: 'read',
    query: z.object({
      page: pageNumber,
      order: z.string().optional().describe('newest, earliest, most or least (images)').meta(omitted),
    }),
    response: envelope(page(album)),
    failure,
  }),
  lskyDeleteAlbum: endpoint({
    summary: 'Delete an album as from Lsky Pro: its images stay',
    category,
    access: 'user',
    keyScope: 'manage',
    params: z.strictObject({ id: requestedId(String(sampleNumber)).describe(albumIds) }),
    response: envelope(z.strictObject({})),
    failure,
    failures: ['album_not_found', 'album_role'],
  }),
}
export type LskyImage = z.infer<typeof image>
