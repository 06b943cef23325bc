// The response of POST /api/upload as its client wants it: JSON, the bare URL, or a redirect to the image.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { UploadedImage } from '../../../contract/endpoints/images.ts'
import type { Failure } from '../../domain/shared/failure.ts'
import { prepareFailure, toFailure } from '../request/errors.ts'

/** The caller has set the status. */
export function sendUploaded(request: FastifyRequest, reply: FastifyReply, image: UploadedImage): FastifyReply {
  reply.header('cache-control', 'no-store')
  const format = formatOf(request)
  if (format === 'redirect') return reply.redirect(image.url, 303)
  if (format === 'txt') return reply.type(plainText).send(image.url)
  return reply.send(image)
}

/** Clients of other hosts show `message`; `success` is the counterpart of that of an image. */
export function sendUploadFailure(error: FastifyError | Failure, request: FastifyRequest, reply: FastifyReply): void {
  const failure = prepareFailure(request, reply, toFailure(error, request))
  if (formatOf(request) === 'txt') void reply.type(plainText).send(failure.message)
  else void reply.type('application/json; charset=utf-8').send(uploadFailureBody(failure))
}

export const uploadFailureBody = ({ message, code }: Failure) => ({ error: message, code, message, success: false })

const plainText = 'text/plain; charset=utf-8'

/** Text only where it comes first: many clients accept everything, and `text/plain` after JSON. */
function formatOf({ query, headers }: FastifyRequest): unknown {
  const { format } = query as { format?: unknown }
  return format ?? (/^\s*text\/plain\b/i.test(headers.accept ?? '') ? 'txt' : 'json')
}
