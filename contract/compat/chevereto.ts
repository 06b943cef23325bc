// Chevereto API v1.1 and imgbb API v1, which is a branch of it.
import { z } from 'zod'
import { endpoint } from '../endpoints/endpoint.ts'
import { example, omitted, sampleIds } from '../endpoints/schema-parts.ts'
import {
  encodedImage,
  key,
  number,
  reuse,
  sampleDeleteUrl,
  sampleName,
  samplePage,
  sampleUrl,
  text,
  uploadBase,
} from './schemas.ts'

const file = {
  filename: text(sampleName),
  name: text('photo'),
  mime: text('image/jpeg'),
  extension: text('jpg'),
  url: text(sampleUrl),
}

const failure = z.strictObject({
  status_code: number(400),
  error: z.strictObject({ message: text('Unsupported file'), code: number(400), context: text('unsupported_type') }),
  status_txt: text('Bad Request'),
})

export const cheveretoImage = z.strictObject({
  name: text('photo'),
  extension: text('jpg'),
  size: number(482_040),
  width: number(1600),
  height: number(1200),
  date: text('2026-01-31 12:00:00'),
  date_gmt: text('2026-01-31 12:00:00'),
  title: text('photo'),
  description: z.null(),
  nsfw: z.literal(0),
  views: z.literal(0),
  original_filename: text('photo.jpg'),
  expiration_date_gmt: text('2027-01-31 12:00:00').nullable(),
  type: z.literal('image'),
  id_encoded: text(sampleIds.image),
  filename: text(sampleName),
  mime: text('image/jpeg'),
  url: text(sampleUrl),
  size_formatted: text('470.7 KB'),
  url_viewer: text(samplePage),
  url_short: text(samplePage),
  display_url: text(sampleUrl),
  display_width: number(1600),
  display_height: number(1200),
  image: z.strictObject({ ...file, size: number(482_040) }),
  thumb: z.strictObject(file),
  medium: z.strictObject(file),
  delete_url: text(sampleDeleteUrl),
})

const imgbbData = z.strictObject({
  id: text(sampleIds.image),
  title: text('photo'),
  url_viewer: text(samplePage),
  url: text(sampleUrl),
  display_url: text(sampleUrl),
  width: number(1600),
  height: number(1200),
  size: number(482_040),
  time: number(1_769_860_800),
  expiration: number(31_536_000),
  image: z.strictObject(file),
  thumb: z.strictObject(file),
  medium: z.strictObject(file),
  delete_url: text(sampleDeleteUrl),
})

const options = {
  key,
  expiration: z.string().optional().meta(example('P7D', 'Seconds, or an ISO 8601 duration such as P7D')),
}

export const chevereto = {
  cheveretoUpload: endpoint({
    ...uploadBase,
    summary: 'Upload an image as to Chevereto (API v1.1)',
    description: `${reuse} Unknown fields are ignored.`,
    upload: { field: 'source', description: encodedImage },
    body: z.object({
      ...options,
      title: z.string().optional().meta(example('photo')),
      album_id: z.string().optional().describe('The id of an album of the account').meta(omitted),
      tags: z.string().optional().describe('With commas between them').meta({ examples: [] }),
      format: z.enum(['json', 'txt', 'redirect']).optional().describe('Default json'),
    }),
    response: z.strictObject({
      status_code: z.literal(200),
      success: z.strictObject({ message: text('file uploaded'), code: z.literal(200) }),
      image: cheveretoImage,
      status_txt: z.literal('OK'),
    }),
    failure,
  }),
  imgbbUpload: endpoint({
    ...uploadBase,
    summary: 'Upload an image as to imgbb (API v1)',
    description: reuse,
    upload: { field: 'image', description: encodedImage },
    body: z.object({
      ...options,
      name: z.string().optional().meta(example('photo')),
    }),
    response: z.strictObject({ data: imgbbData, success: z.literal(true), status: z.literal(200) }),
    failure,
  }),
}
export type CheveretoImage = z.infer<typeof cheveretoImage>
export type ImgbbData = z.infer<typeof imgbbData>
