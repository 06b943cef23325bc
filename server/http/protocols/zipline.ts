// Zipline v4, at the path of our own upload: its clients send its headers, or a key without a scheme.
import type { FastifyRequest } from 'fastify'
import { limits } from '../../../contract/plain/limits.ts'
import { Failure } from '../../domain/shared/failure.ts'
import { uploadFailureBody } from '../uploads/upload-response-format.ts'
import type { CompatProtocol, UploadHandler } from './compat-protocol.ts'
import { parseLifetime } from './lifetime.ts'

export const isZipline = ({ headers }: FastifyRequest): boolean =>
  /^ik_\w+$/.test(headers.authorization ?? '') || Object.keys(headers).some((name) => name.startsWith('x-zipline-'))

export const zipline: CompatProtocol = { failure: uploadFailureBody }

export const ziplineUpload: UploadHandler = {
  maxFiles: limits.compat.maxFiles,
  reusesSameBytes: false,
  nameFields: [],
  lifetimeMs: ({ deps, request }) =>
    parseLifetime('x-zipline-deletes-at', request.headers['x-zipline-deletes-at'], deps.now()),
  maxViews({ request }) {
    const { 'x-zipline-max-views': text } = request.headers
    if (text === undefined) return undefined
    const limit = typeof text === 'string' && /^\d{1,7}$/.test(text) ? Number(text) : 0
    if (limit >= 1 && limit <= limits.maxViews) return limit
    throw new Failure('invalid_input', {
      field: 'x-zipline-max-views',
      problem: `must be from 1 to ${limits.maxViews}`,
    })
  },
  album({ request }) {
    const { 'x-zipline-folder': folder } = request.headers
    return typeof folder === 'string' ? folder.trim() : undefined
  },
  respond(images, { request, reply }) {
    if (request.headers['x-zipline-no-json'] === 'true')
      return reply.type('text/plain; charset=utf-8').send(images.map(({ url }) => url).join(','))
    const [first] = images
    // With the fields of our own response: programs made for it may send a key without a scheme.
    return {
      ...first,
      // Zipline's programs do not look for delete links; a guest has no other way to delete the image.
      files: images.map(({ id, mime, url, delete_token, delete_url }) => ({
        id,
        type: mime,
        url,
        delete_token,
        delete_url,
      })),
      deletesAt: first.expires_at,
    }
  },
}
