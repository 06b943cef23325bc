// Zipline v4, at the path of our own upload: its clients send its headers, or a key without a scheme.
import type { FastifyRequest } from 'fastify'
import { limits } from '../../../contract/limits.ts'
import { uploadFailureBody } from '../upload-format.ts'
import type { Dialect, UploadHandler } from './dialect.ts'
import { parseLifetime } from './lifetime.ts'

export const isZipline = ({ headers }: FastifyRequest): boolean =>
  /^ik_\w+$/.test(headers.authorization ?? '') || Object.keys(headers).some((name) => name.startsWith('x-zipline-'))

export const zipline: Dialect = { failure: uploadFailureBody }

export const ziplineUpload: UploadHandler = {
  maxFiles: limits.compat.maxFiles,
  reusesSameBytes: false,
  nameFields: [],
  lifetimeMs: ({ deps, request }) =>
    parseLifetime('x-zipline-deletes-at', request.headers['x-zipline-deletes-at'], deps.now()),
  respond(images, { request, reply }) {
    if (request.headers['x-zipline-no-json'] === 'true')
      return reply.type('text/plain; charset=utf-8').send(images.map(({ url }) => url).join(','))
    const [first] = images
    // With the fields of our own response: programs made for it may send a key without a scheme.
    return {
      ...first,
      files: images.map(({ id, mime, url }) => ({ id, type: mime, url })),
      deletesAt: first.expires_at,
    }
  },
}
