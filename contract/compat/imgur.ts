// Imgur API v3.
import { z } from 'zod'
import { endpoint } from '../endpoints/endpoint.ts'
import { example, omitted, requestedId, sampleIds } from '../endpoints/schema-parts.ts'
import { encodedImage, number, sampleDeleteHash, sampleUrl, text, uploadBase } from './schemas.ts'

export const failure = z.strictObject({
  data: z.strictObject({ error: text('Image not found'), request: text('/3/image'), method: text('POST') }),
  success: z.literal(false),
  status: number(400),
})

export const image = z.strictObject({
  id: text(sampleIds.image),
  deletehash: z.string().optional().meta(example(sampleDeleteHash)),
  title: z.string().nullable().meta(example('photo')),
  description: z.null(),
  datetime: number(1_769_860_800),
  type: text('image/jpeg'),
  animated: z.boolean(),
  width: number(1600),
  height: number(1200),
  size: number(482_040),
  views: z.literal(0),
  bandwidth: z.literal(0),
  name: text('photo.jpg'),
  link: text(sampleUrl),
})
export const envelope = <T extends z.ZodType>(data: T) =>
  z.strictObject({ data, success: z.literal(true), status: z.literal(200) })

const hash = z.strictObject({
  hash: requestedId(sampleDeleteHash).describe('The deletehash of an upload, or the id of an image of yours'),
})
const notFound = ['image_not_found', 'image_gone', 'image_unavailable', 'forbidden', 'wrong_delete_token'] as const

export const imgur = {
  imgurUpload: endpoint({
    ...uploadBase,
    summary: 'Upload an image as to Imgur (API v3)',
    description:
      'Also at /3/upload, and as XML at /3/image.xml and /3/upload.xml. The key comes as Authorization: Client-ID or Bearer; any other Client-ID is a guest. The body may be the image itself.',
    upload: { field: 'image', description: encodedImage },
    body: z.object({
      title: z.string().optional().meta(example('photo')),
      album: z
        .string()
        .optional()
        .describe('The id of an album of yours, or the deletehash of a guest album')
        .meta(omitted),
    }),
    response: envelope(image),
    failure,
    failures: [...uploadBase.failures, 'guest_album_full'],
  }),
  imgurGetImage: endpoint({
    summary: 'Get an image as from Imgur',
    category: 'compatibility',
    access: 'public',
    keyScope: 'read',
    params: hash,
    response: envelope(image),
    failure,
    failures: [...notFound, 'authentication_required', 'guest_token_required'],
  }),
  imgurDeleteImage: endpoint({
    summary: 'Delete an image as from Imgur',
    description: 'The deletehash is enough; with the id of the image the key needs the scope manage.',
    category: 'compatibility',
    access: 'public',
    keyScope: 'manage',
    params: hash,
    response: envelope(z.literal(true)),
    failure,
    failures: [...notFound, 'authentication_required', 'guest_token_required'],
  }),
  imgurGetCredits: endpoint({
    summary: 'Get the rate limit as from Imgur',
    category: 'compatibility',
    access: 'public',
    keyScope: 'upload',
    response: envelope(
      z.strictObject({
        UserLimit: number(120),
        UserRemaining: number(119),
        UserReset: number(1_769_860_860),
        ClientLimit: number(120),
        ClientRemaining: number(119),
      }),
    ),
    failure,
  }),
}
export type ImgurImage = z.infer<typeof image>
