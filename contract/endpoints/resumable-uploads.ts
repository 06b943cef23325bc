// Resumable uploads: the tus protocol, version 1.0 (docs/decisions/0059).
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { images, uploaded, uploadFailures } from './images.ts'
import { limits } from '../plain/limits.ts'
import { example } from './schema-parts.ts'

const id = z.string().min(1).meta(example('Kd2uWm8sT1yBq5RjXv0LfA'))
const version = {
  'tus-resumable': z.literal('1.0.0').meta(example('1.0.0', 'The version of the protocol')),
}
const hours = limits.resumable.lifetimeMs / 3_600_000
const continued = 'Only the account that started an upload continues it; a guest needs only its secret address.'

const byCaller = { category: 'images', access: 'public', keyScope: 'upload', refusesBlockedNetworks: true } as const

const ownerFailures = ['authentication_required', 'upload_not_found'] as const

export const resumableUploads = {
  createUpload: endpoint({
    ...byCaller,
    summary: 'Start a resumable upload',
    description: `For large images and bad lines, with any client of tus 1.0 (tus.io): it continues after a lost connection. Location is its address, Upload-Expires its end, ${hours} hours later. The rules are those of POST /api/upload. Extensions: creation, creation-with-upload, expiration and termination.`,
    proofOfWork: true,
    resumable: 'none',
    headers: z.object({
      ...version,
      'upload-length': z.string().meta(example('482040', 'Bytes of the whole file')),
      'upload-metadata': z
        .string()
        .max(limits.resumable.maxMetadataLength)
        .optional()
        .meta(
          example(
            'filename cGhvdG8uanBn',
            'Comma-separated pairs of a name and a base64 value: filename, and expires_in, title, alt, tags, album, max_views and visibility of POST /api/upload',
          ),
        ),
      ...images.uploadImage.headers.shape,
    }),
    status: 201,
    response: 'none',
    failures: [...uploadFailures, 'private_needs_account', 'tus_version'],
  }),
  continueUpload: endpoint({
    ...byCaller,
    summary: 'Continue a resumable upload',
    description:
      `Sends bytes from Upload-Offset on; HEAD responds with the offset. ${continued} ` +
      'Responds with 204, after the last byte as POST /api/upload does.',
    params: z.strictObject({ id }),
    resumable: 'bytes',
    headers: z.object({ ...version, 'upload-offset': z.string().meta(example('0', 'Bytes that the server has')) }),
    response: uploaded,
    failures: [...uploadFailures, 'tus_version', ...ownerFailures, 'wrong_offset', 'image_gone'],
  }),
  getUpload: endpoint({
    ...byCaller,
    summary: 'Get the image of a resumable upload',
    resumable: 'none',
    description:
      'If the response to the last byte was lost: stores the image unless that has happened, and responds as POST /api/upload does.',
    params: z.strictObject({ id }),
    response: uploaded,
    failures: [...uploadFailures, ...ownerFailures, 'upload_incomplete', 'image_gone'],
  }),
  deleteUpload: endpoint({
    ...byCaller,
    summary: 'End a resumable upload',
    resumable: 'none',
    description: 'Deletes what was received, but no stored image.',
    params: z.strictObject({ id }),
    headers: z.object(version),
    status: 204,
    response: 'none',
    failures: [...ownerFailures, 'tus_version', 'foreign_origin', 'guest_uploads_off'],
  }),
}

/** The text fields, which come in Upload-Metadata along with the file name. */
export const uploadMetadata = images.uploadImage.body.omit({ url: true, filename: true })
