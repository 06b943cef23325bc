// Albums of guests: images that were uploaded without an account, under one link (docs/decisions/0070).
import { z } from 'zod'
import { limits } from '../plain/limits.ts'
import { endpoint } from './endpoint.ts'
import {
  example,
  cleanedName,
  done,
  omitted,
  proofHeader,
  requestedId,
  sampleIds,
  wholeNumber,
} from './schema-parts.ts'

const { maxTitleLength, maxGuestImages } = limits.albums

const token = z.string().max(100).meta(example('YOUR_DELETE_TOKEN'))
const claimed = z.strictObject({ id: requestedId(sampleIds.image), token: token.describe('Its delete token') })
const albumToken = token.describe('The token that came with the album')
const params = z.strictObject({ id: requestedId(sampleIds.album) })

const guestAlbum = z.strictObject({
  id: z.string().meta(example(sampleIds.album)),
  token: z
    .string()
    .meta(example('Uq8ZpL3wXr...', 'Adds images, and deletes the album. Keep it: it is not shown again')),
  url: z.string().meta(example('https://example.com/l/k3xw9q2mpa7d', 'The link: everyone who has it sees the images')),
})
export type GuestAlbum = z.output<typeof guestAlbum>

const common = { category: 'albums', access: 'public', refusesBlockedNetworks: true } as const

export const guestAlbums = {
  createGuestAlbum: endpoint({
    ...common,
    summary: 'Put guest images under one link',
    description:
      'Delete tokens prove that they are yours. The album ends with its last image, and moves with its link into an account that claims all of them (POST /api/images/claim).',
    proofOfWork: true,
    headers: z.object(proofHeader),
    body: z.strictObject({
      images: z
        .array(claimed)
        .min(2)
        .max(maxGuestImages)
        .describe('In the order in which they are shown')
        .meta(example([sampleIds.image, sampleIds.otherImage].map((id) => ({ id, token: 'YOUR_DELETE_TOKEN' })))),
      title: cleanedName(maxTitleLength).optional().meta(omitted),
    }),
    status: 201,
    response: guestAlbum,
    failures: ['guest_uploads_off', 'image_not_found', 'wrong_guest_token'],
  }),
  addToGuestAlbum: endpoint({
    ...common,
    summary: 'Add images to a guest album',
    description: `At the end, up to ${maxGuestImages} in total. Those already in it are skipped.`,
    params,
    body: z.strictObject({ token: albumToken, images: z.array(claimed).min(1).max(maxGuestImages) }),
    response: done.extend({ images: wholeNumber(3).describe('How many the album has now') }),
    failures: ['album_not_found', 'image_not_found', 'wrong_guest_token', 'guest_album_full'],
  }),
  deleteGuestAlbum: endpoint({
    ...common,
    summary: 'End a guest album and its link',
    description: 'The images stay, or with images=delete are deleted for good.',
    params,
    query: z.object({ images: z.enum(['keep', 'delete']).optional().describe('Default keep') }),
    body: z.strictObject({ token: albumToken }),
    response: done.extend({ deleted_images: wholeNumber(0) }),
    failures: ['album_not_found'],
  }),
}
