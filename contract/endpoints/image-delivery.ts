// The delivery of originals and variants: the image engine, and the older addresses (docs/behaviour.md, "Images").
import { z } from 'zod'
import { formatNames, formats, listFormats } from '../plain/formats.ts'
import { limits } from '../plain/limits.ts'
import { widthLadder } from '../plain/width-ladder.ts'
import { endpoint } from './endpoint.ts'
import { engineQuery, height, whole, width } from './image-engine.ts'
import { fileName, id, keyQuery, viewKey } from './image-input-fields.ts'
import { example } from './schema-parts.ts'

const delivery = {
  category: 'images',
  access: 'public',
  query: keyQuery,
  response: 'image',
  saveAs: 'image.webp',
  failures: [
    'image_not_found',
    'image_gone',
    'image_unavailable',
    'signature_required',
    'robot_excluded',
    'too_many_requests',
    'decoder_unavailable',
    'busy',
  ],
} as const

/** The formats whose variants in the image's own format are WebP. */
const convertedToWebp = formatNames.filter((name) => name !== 'webp' && formats[name].rendersAs === 'webp')

const engineFailures = [...delivery.failures, 'range_not_satisfiable'] as const
const extension = z.string().meta(example('jpg'))

export const imageDelivery = {
  getImageFile: endpoint({
    ...delivery,
    summary: 'Get the image in any size and format',
    description:
      'Without parameters, the original. Another extension than that of the original names the format of the response. Nothing is enlarged, animations keep moving in WebP, and widths are rounded up to ' +
      `${widthLadder.slice(0, -1).join(', ')} or ${widthLadder.at(-1)}.`,
    params: z.strictObject({ id, extension }),
    query: engineQuery.extend({ key: viewKey }),
    saveAs: 'image.jpg',
    failures: engineFailures,
  }),
  getNamedImageFile: endpoint({
    ...delivery,
    summary: 'Get the image in any size and format, with a name in its URL',
    description: 'The same as without the name, which may be any.',
    params: z.strictObject({ id, name: z.string().meta(example('photo')), extension }),
    query: engineQuery.extend({ key: viewKey }),
    saveAs: 'image.jpg',
    failures: engineFailures,
  }),
  getOriginal: endpoint({
    ...delivery,
    summary: 'Get the original',
    params: z.strictObject({ file_name: fileName }),
    saveAs: 'image.jpg',
    failures: [
      'image_not_found',
      'image_gone',
      'image_unavailable',
      'robot_excluded',
      'range_not_satisfiable',
      'too_many_requests',
      'decoder_unavailable',
      'busy',
    ],
  }),
  getThumbnail: endpoint({
    ...delivery,
    summary: 'Get a thumbnail as WebP, fitting into width x width',
    params: z.strictObject({ id, width }),
  }),
  getResized: endpoint({
    ...delivery,
    summary: `Get the image resized to a width, in its own format (${listFormats(convertedToWebp, 'and')} as WebP)`,
    saveAs: 'image.jpg',
    params: z.strictObject({ id, width }),
  }),
  getResizedToBox: endpoint({
    ...delivery,
    summary: 'Get the image resized to exactly width x height, cropped by default',
    saveAs: 'image.jpg',
    params: z.strictObject({ id, width, height }),
    query: keyQuery.extend({ fit: z.enum(['cover', 'contain', 'inside']).optional().describe('Default cover') }),
  }),
  getJpeg: endpoint({
    ...delivery,
    summary: 'Get the image resized to a width as JPEG, transparency on white',
    saveAs: 'image.jpg',
    params: z.strictObject({ id, width }),
  }),
  getWebp: endpoint({
    ...delivery,
    summary: 'Get the image as WebP with a quality',
    params: z.strictObject({ id, quality: whole(limits.variant.maxQuality, 'Quality', limits.variant.defaultQuality) }),
    query: keyQuery.extend({ width: width.optional() }),
  }),
}
