// Schemas that the protocols of several other hosts share.
import { z } from 'zod'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { uploadFailures } from '../endpoints/images.ts'
import { example, omitted, sampleIds } from '../endpoints/schema-parts.ts'

const origin = 'https://example.com'
export const sampleName = `photo-${sampleIds.image}.jpg`
export const sampleUrl = `${origin}/uploads/${sampleName}`
export const samplePage = `${origin}/i/${sampleIds.image}`
export const sampleDeleteUrl = `${origin}/d/${sampleIds.image}/Uq8ZpL3wXr...`
export const sampleDeleteHash = `${sampleIds.image}.Uq8ZpL3wXr...`

export const text = (sample: string) => z.string().meta(example(sample))
export const number = (sample: number) => z.number().meta(example(sample))

export const key = z
  .string()
  .optional()
  .describe(
    'An API key, from clients that send no header: in a URL with only the scope upload, in a form before the image',
  )
  .meta(omitted)

/** What all uploads have in common. */
export const uploadBase = {
  category: 'compatibility',
  access: 'public',
  keyScope: 'upload',
  refusesBlockedNetworks: true,
  proofOfWork: true,
  failures: [...uploadFailures, 'malformed_json'],
} as const satisfies Partial<Endpoint>

export const encodedImage = 'The image as a file, base64, a data URI or, if the server allows it, a URL'

export const reuse = 'With a session or the scope manage, bytes that are known return the existing image.'
