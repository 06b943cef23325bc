// Albums of Imgur API v3. A deletehash is that of an album without an account; of your own albums it is the id.
import { z } from 'zod'
import { endpoint } from '../endpoints/endpoint.ts'
import { example, cleanedName, omitted, requestedId, sampleIds } from '../endpoints/schema-parts.ts'
import { limits } from '../plain/limits.ts'
import { envelope, failure, image } from './imgur.ts'
import { number, sampleDeleteHash, text } from './schemas.ts'

const { maxTitleLength, maxDescriptionLength, maxImages } = limits.albums

const nullable = <T extends z.ZodType>(schema: T) => schema.nullable()
const album = z.strictObject({
  id: text(sampleIds.album),
  deletehash: z.string().optional().meta(example(sampleDeleteHash)),
  title: text('Italy 2026'),
  description: nullable(text('Two weeks by the sea')),
  datetime: number(1_769_860_800),
  cover: nullable(text(sampleIds.image)),
  cover_width: nullable(number(1600)),
  cover_height: nullable(number(1200)),
  account_url: nullable(text('Ada')),
  account_id: z.null(),
  privacy: z.literal('hidden'),
  layout: z.literal('blog'),
  views: z.literal(0),
  link: text('https://example.com/l/k3xw9q2mpa7d').describe(
    'The link that shares it; for an album of your account, its page',
  ),
  favorite: z.literal(false),
  nsfw: z.null(),
  section: z.null(),
  order: z.literal(0),
  images_count: number(42),
  in_gallery: z.literal(false),
})
export type ImgurAlbum = z.infer<typeof album>

const list = z.array(z.string()).max(maxImages).optional()
/** The server makes one list of what clients send: ids, ids[] or a text with commas. */
const ids = {
  ids: list.describe('Images of your account. In a form: ids[] for each, or one field with commas').meta(omitted),
  deletehashes: list.describe('Deletehashes of guest images: each proves that its image is yours').meta(omitted),
}
const params = z.strictObject({
  hash: requestedId(sampleIds.album).describe('The id of an album of yours, or the deletehash of a guest album'),
})
const texts = {
  title: cleanedName(maxTitleLength).optional().meta(example('Italy 2026')),
  description: cleanedName(maxDescriptionLength).optional().describe('Of an album of yours').meta(omitted),
  cover: z.string().optional().describe('The id of an image in an album of yours').meta(omitted),
}
const ofUser = z.strictObject({
  username: z.string().meta(example('me', 'me or your name. Albums of other accounts are not listed')),
})
const pages = `${limits.compat.imgurPage} on a page: /{page} behind the path, from 0.`
const common = { category: 'compatibility', access: 'public', failure } as const
const notFound = ['album_not_found', 'authentication_required'] as const
const notProven = ['image_not_found', 'wrong_guest_token', 'guest_album_full'] as const
const notAdded = [...notProven, 'album_role', 'album_is_live'] as const

const setsImages = 'With ids or deletehashes the album has these images of yours alone, in this order.'
const change = {
  access: 'user',
  keyScope: 'manage',
  params,
  body: z.object({ ...ids, ...texts }),
  response: envelope(z.literal(true)),
  failures: ['album_not_found', 'album_role', 'album_is_live', 'image_not_found', 'malformed_json'],
} as const

export const imgurAlbums = {
  imgurCreateAlbum: endpoint({
    ...common,
    summary: 'Create an album as in Imgur',
    description:
      'Without a key it is a guest album: its link shows it, its deletehash adds images within an hour and deletes it.',
    keyScope: 'upload',
    refusesBlockedNetworks: true,
    proofOfWork: true,
    body: z.object({
      ...ids,
      ...texts,
    }),
    response: envelope(z.strictObject({ id: text(sampleIds.album), deletehash: text(sampleDeleteHash) })),
    failures: [...notProven, 'guest_uploads_off', 'too_many_albums', 'malformed_json'],
  }),
  imgurGetAlbum: endpoint({
    ...common,
    summary: 'Get an album as from Imgur',
    description: `With its first ${limits.list.maxLimit} images.`,
    keyScope: 'read',
    params,
    response: envelope(album.extend({ images: z.array(image) })),
    failures: notFound,
  }),
  imgurListAlbumImages: endpoint({
    ...common,
    summary: 'List the images of an album as from Imgur',
    description: `The first ${limits.list.maxLimit}.`,
    keyScope: 'read',
    params,
    response: envelope(z.array(image)),
    failures: notFound,
  }),
  imgurUpdateAlbum: endpoint({
    ...common,
    ...change,
    summary: 'Change an album of yours as in Imgur',
    description: `Fields that you do not send stay as they are. ${setsImages}`,
  }),
  imgurSetAlbum: endpoint({
    ...common,
    ...change,
    summary: 'Set the images of an album of yours as in Imgur',
    description: 'The same as PUT.',
  }),
  imgurAddToAlbum: endpoint({
    ...common,
    summary: 'Add images to an album as in Imgur',
    keyScope: 'upload',
    refusesBlockedNetworks: true,
    params,
    body: z.object(ids),
    response: envelope(z.literal(true)),
    failures: [...notFound, ...notAdded, 'malformed_json'],
  }),
  imgurRemoveFromAlbum: endpoint({
    ...common,
    access: 'user',
    summary: 'Remove images from an album of yours as in Imgur: they stay',
    keyScope: 'manage',
    params,
    query: z.object({ ids: ids.ids }),
    response: envelope(z.literal(true)),
    failures: ['album_not_found', 'album_role', 'album_is_live'],
  }),
  imgurDeleteAlbum: endpoint({
    ...common,
    summary: 'Delete an album as in Imgur: its images stay',
    keyScope: 'manage',
    params,
    response: envelope(z.literal(true)),
    failures: [...notFound, 'album_role'],
  }),
  imgurListAlbums: endpoint({
    ...common,
    access: 'user',
    summary: 'List your albums as from Imgur',
    description: `Newest first, ${pages}`,
    keyScope: 'read',
    params: ofUser,
    response: envelope(z.array(album)),
  }),
  imgurListAlbumIds: endpoint({
    ...common,
    access: 'user',
    summary: 'List the ids of your albums as from Imgur',
    description: `Newest first, ${pages}`,
    keyScope: 'read',
    params: ofUser,
    response: envelope(z.array(text(sampleIds.album))),
  }),
  imgurCountAlbums: endpoint({
    ...common,
    access: 'user',
    summary: 'Count your albums as from Imgur',
    keyScope: 'read',
    params: ofUser,
    response: envelope(number(3)),
  }),
}
