// Leaves bodies of any type unread, for handlers that receive images in them.
import type { FastifyInstance } from 'fastify'

/** Clients declare types that do not parse, or that of a form for the bytes of an image. */
const known = /^\s*(multipart\/form-data|application\/json)\b/i

/** Multipart forms and JSON are still recognized. */
export function acceptUnreadBodies(scope: FastifyInstance): void {
  scope.removeContentTypeParser('application/json')
  scope.addContentTypeParser('*', (_request, _body, done) => done(null))
  scope.addHook('onRequest', async ({ raw: { headers } }) => {
    const { 'content-type': type } = headers
    if (type !== undefined && !known.test(type)) headers['content-type'] = 'application/octet-stream'
  })
}
