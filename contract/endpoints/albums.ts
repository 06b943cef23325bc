// Albums: images in an order, in folders, with members (docs/decisions/0070).
import { z } from 'zod'
import { albumRoles } from '../plain/album-roles.ts'
import { dayMs, limits } from '../plain/limits.ts'
import { visibilities } from '../plain/visibility.ts'
import { endpoint } from './endpoint.ts'
import { image } from './images.ts'
import {
  example,
  cleanedName,
  done,
  imagePages,
  omitted,
  pageCursor,
  pageLimit,
  requestedId,
  sampleIds,
  timestamp,
  wholeNumber,
} from './schema-parts.ts'

const albumId = requestedId(sampleIds.album)
const nullableText = (sample: string | null) => z.string().nullable().meta(example(sample))

export const album = z
  .strictObject({
    id: z.string().meta(example(sampleIds.album)),
    title: z.string().meta(example('Italy 2026')),
    description: z.string().meta(example('Two weeks by the sea')),
    parent_id: nullableText(null).describe('The album that contains it'),
    query: nullableText(null).describe(
      'Makes this a live album, which shows what the query finds among your images, newest first',
    ),
    upload_visibility: z
      .enum(visibilities)
      .nullable()
      .meta(example(null, 'For uploads into it that name none; null: as the account has it')),
    images: wholeNumber(42).describe('Without albums inside it. Of a live album counted as in lists'),
    cover: image.nullable().meta(example(null, 'The chosen image, or else the first one')),
    cover_id: nullableText(null).describe('The chosen cover; null: the first image'),
    role: z.enum(['owner', ...albumRoles]).meta(example('owner', 'Your role in the album')),
    owner: z.string().meta(example('Ada Lovelace', 'The name of its owner')),
    created_at: timestamp,
  })
  .meta({ id: 'Album' })
export type Album = z.infer<typeof album>

const member = z
  .strictObject({
    id: z.string().meta(example(sampleIds.user)),
    name: z.string().meta(example('Grace Hopper', 'Empty until the invitation is accepted')),
    email: z.string().meta(example('grace@example.com', 'Where the invitation went, if this is one')),
    role: z.enum(albumRoles).meta(example('add')),
    accepted: z.boolean().describe('Whether the invitation was accepted'),
    is_you: z.boolean().meta(example(false)),
    created_at: timestamp,
  })
  .meta({ id: 'AlbumMember' })
export type AlbumMember = z.infer<typeof member>

const texts = {
  title: cleanedName(limits.albums.maxTitleLength).min(1).meta(example('Italy 2026')),
  description: cleanedName(limits.albums.maxDescriptionLength).optional().meta(example('Two weeks by the sea')),
}
const settings = {
  parent_id: albumId.nullable().optional().describe('The album to put it into; null: none').meta(omitted),
  query: z
    .string()
    .max(limits.list.maxQueryLength)
    .nullable()
    .optional()
    .describe('Makes it a live album. As q of GET /api/images')
    .meta(omitted),
  upload_visibility: z.enum(visibilities).nullable().optional().meta(omitted),
}
const ids = z.array(requestedId(sampleIds.image)).min(1).max(limits.albums.maxImages)
const before = requestedId(sampleIds.image)
  .nullable()
  .optional()
  .describe('The image to put them before. Default: at the end')
  .meta(omitted)

const common = { category: 'albums', access: 'user' } as const
const ofAlbum = { ...common, params: z.strictObject({ id: albumId }) } as const
const notFound = ['album_not_found'] as const
const notAllowed = [...notFound, 'album_role'] as const
const fixed = [...notAllowed, 'album_is_live'] as const

export const albums = {
  listAlbums: endpoint({
    ...common,
    summary: 'List your albums, and those you are a member of',
    description: 'All at once, newest first.',
    keyScope: 'read',
    response: z.array(album),
  }),
  createAlbum: endpoint({
    ...common,
    summary: 'Create an album',
    description: 'Send images, or the query of a live album, which always shows what it finds.',
    keyScope: 'upload',
    body: z.strictObject({
      ...texts,
      ...settings,
      images: ids.optional().describe('Images of your account. Others are skipped; if none is yours, 404'),
    }),
    status: 201,
    response: album,
    failures: ['album_not_found', 'image_not_found', 'too_many_albums', 'album_depth', 'album_is_live'],
  }),
  getAlbum: endpoint({
    ...ofAlbum,
    summary: 'Get an album',
    keyScope: 'read',
    response: album,
    failures: notFound,
  }),
  updateAlbum: endpoint({
    ...ofAlbum,
    summary: 'Change the texts, cover, place, query and visibility of an album',
    description:
      'Fields that you do not send stay as they are. Members with the role manage can change texts and cover.',
    keyScope: 'manage',
    body: z.strictObject({
      ...texts,
      title: texts.title.optional(),
      ...settings,
      cover_id: requestedId(sampleIds.image).nullable().optional().describe('null: the first image').meta(omitted),
    }),
    response: album,
    failures: [...fixed, 'album_depth', 'album_circle', 'image_not_found'],
  }),
  deleteAlbum: endpoint({
    ...ofAlbum,
    summary: 'Delete an album',
    description:
      'Albums inside it move to where it was. Its links end. Its images stay, or with images=delete your own go to the trash.',
    keyScope: 'manage',
    query: z.object({ images: z.enum(['keep', 'delete']).optional().describe('Default keep') }),
    response: done.extend({ deleted_images: wholeNumber(0) }),
    failures: notAllowed,
  }),
  listAlbumImages: endpoint({
    ...ofAlbum,
    summary: 'List the images of an album, in its order',
    description: imagePages,
    keyScope: 'read',
    query: z.strictObject({ limit: pageLimit('Images'), cursor: pageCursor }),
    response: z.array(image),
    failures: notFound,
  }),
  addToAlbum: endpoint({
    ...ofAlbum,
    summary: 'Add your images to an album',
    description: 'Skips those already in it, and those of others.',
    keyScope: 'upload',
    body: z.strictObject({ ids, before }),
    response: done.extend({ added: z.array(z.string()).meta(example([sampleIds.image])) }),
    failures: [...fixed, 'image_not_found'],
  }),
  moveInAlbum: endpoint({
    ...ofAlbum,
    summary: 'Move images within an album',
    description: 'The moved images keep the order of the request. Members with the role add can move what they added.',
    keyScope: 'manage',
    body: z.strictObject({ ids, before }),
    response: done,
    failures: [...fixed, 'image_not_found'],
  }),
  removeFromAlbum: endpoint({
    ...ofAlbum,
    summary: 'Remove images from an album',
    description: 'They stay in their account. Members with the role add can remove what they added.',
    keyScope: 'manage',
    body: z.strictObject({ ids }),
    response: done.extend({ removed: z.array(z.string()).meta(example([sampleIds.image])) }),
    failures: fixed,
  }),
  sortAlbum: endpoint({
    ...ofAlbum,
    summary: 'Sort the images of an album once',
    keyScope: 'manage',
    body: z.strictObject({ by: z.enum(['newest', 'oldest', 'name', 'size']).meta(example('oldest')) }),
    response: done,
    failures: fixed,
  }),
}

export const albumMembers = {
  listAlbumMembers: endpoint({
    ...ofAlbum,
    summary: 'List the members of an album',
    keyScope: 'read',
    response: z.array(member),
    failures: notFound,
  }),
  addAlbumMember: endpoint({
    ...ofAlbum,
    summary: 'Invite somebody to an album',
    description: `Whoever logs in and opens the link within ${limits.albums.inviteMs / dayMs} days becomes a member. The response has it, and a server that sends mail mails it.`,
    body: z.strictObject({
      email: z.email().max(limits.account.maxEmailLength).toLowerCase().meta(example('grace@example.com')),
      role: z.enum(albumRoles).meta(example('add')),
      renew: z.boolean().optional().describe('true: replaces an open invitation, whose link ends').meta(omitted),
    }),
    status: 201,
    response: member.extend({
      link: z.string().meta(example('https://example.com/invitation#Uq8ZpL3wXr...')),
    }),
    failures: [...notAllowed, 'too_many_members', 'already_member'],
  }),
  updateAlbumMember: endpoint({
    ...common,
    summary: 'Change the role of a member of an album',
    params: z.strictObject({ id: albumId, memberId: requestedId(sampleIds.user) }),
    body: z.strictObject({ role: z.enum(albumRoles).meta(example('view')) }),
    response: member,
    failures: [...notAllowed, 'member_not_found'],
  }),
  removeAlbumMember: endpoint({
    ...common,
    summary: 'Remove a member from an album, or leave it',
    params: z.strictObject({ id: albumId, memberId: requestedId(sampleIds.user) }),
    query: z.object({
      images: z.enum(['keep', 'remove']).optional().describe('Whether what they added stays. Default keep'),
    }),
    response: done,
    failures: [...notAllowed, 'member_not_found'],
  }),
  acceptAlbumInvite: endpoint({
    ...common,
    summary: 'Accept the invitation to an album',
    body: z.strictObject({
      token: z.string().max(100).meta(example('Uq8ZpL3wXr...', 'What follows # in its link')),
    }),
    response: album,
    failures: ['album_invite_ended'],
  }),
}
