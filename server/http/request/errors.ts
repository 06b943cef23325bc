// Maps every thrown error to a response: {"error": text, "code": name}.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '../../../contract/plain/limits.ts'
import { routes } from '../../../contract/plain/routes.ts'
import { StoreUnavailable } from '../../blobs/blob-store.ts'
import { DatabaseUnavailable } from '../../db/database-errors.ts'
import { ClientGone } from '../../domain/shared/deps.ts'
import { Failure } from '../../domain/shared/failure.ts'
import { noteCapacity } from './capacity-warnings.ts'
import { noteRefusal } from './log-context.ts'
import { redactPath } from './redact-path.ts'
import { isCountedAsUpload } from './request-rate.ts'

export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((thrown: FastifyError | Failure, request, reply) => {
    const error = firstError(thrown, request)
    // Nobody reads it; the log and the metrics have nginx's status for a client that went away.
    if (error instanceof ClientGone) return reply.code(499).send()
    // For QUERY the framework checks the content type before the route, and no route has QUERY.
    const isQuery = error.code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE'
    return sendFailure(request, reply, isQuery ? unknownRoute(request, reply) : toFailure(error, request))
  })
}

/** For an unknown path, or a method that the path does not have. @throws {Failure} */
export function throwUnknownRoute(request: FastifyRequest, reply: FastifyReply): never {
  throw unknownRoute(request, reply)
}

function unknownRoute(request: FastifyRequest, reply: FastifyReply): Failure {
  const allowed = allowedMethods(pathOf(request))
  if (allowed.length === 0) return endpointNotFound(request)
  reply.header('allow', allowed.join(', '))
  return new Failure('method_not_allowed', { method: request.method, allowed: allowed.join(', ') })
}

/** Without the query. */
export const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? ''

export const endpointNotFound = (request: FastifyRequest) =>
  new Failure('endpoint_not_found', { method: request.method, path: redactPath(pathOf(request)).slice(0, 200) })

export function sendFailure(request: FastifyRequest, reply: FastifyReply, error: Failure | Error): FastifyReply {
  const { message, code, details } = prepareFailure(request, reply, error)
  return reply.type('application/json; charset=utf-8').send({ error: message, code, ...details })
}

/** The same as plain text, for endpoints that respond with plain text. */
export function sendTextFailure(error: FastifyError | Failure, request: FastifyRequest, reply: FastifyReply): void {
  const { message } = prepareFailure(request, reply, toFailure(error, request))
  void reply.type('text/plain; charset=utf-8').send(message)
}

/** Sets the status and headers of the response, and notes the failure for the log. */
export function prepareFailure(request: FastifyRequest, reply: FastifyReply, error: Failure | Error): Failure {
  if (!(error instanceof Failure)) request.log.error({ err: error }, 'Unexpected error')
  const failure =
    error instanceof Failure ? error : new Failure('internal', { requestId: request.id }, { cause: error })
  for (const header of ['etag', 'content-disposition', 'accept-ranges', 'content-length']) reply.removeHeader(header)
  if (failure.retryAfterS !== undefined) reply.header('retry-after', failure.retryAfterS)
  // The limit of an hour has refused it: programs that pace their uploads by these headers would go on (docs/decisions/0061).
  if (failure.status === 429 && failure.retryAfterS !== undefined && isCountedAsUpload(reply))
    reply.header('ratelimit-remaining', 0).header('ratelimit-reset', failure.retryAfterS)
  reply.code(failure.status).header('cache-control', 'no-store')
  noteRefusal(request, failure.code)
  noteCapacity(request, failure)
  return failure
}

const storageFull: ToFailure = (cause) => new Failure('storage_full', {}, { cause })
const tooManyOpenFiles: ToFailure = (cause) => new Failure('busy', {}, { cause, retryAfterS: 2 })
const malformedJson: ToFailure = (cause) => new Failure('malformed_json', {}, { cause })

type ToFailure = (cause: FastifyError, request?: FastifyRequest) => Failure

/** Errors of the system and of the framework. */
const failureByCode: Record<string, ToFailure> = {
  EMFILE: tooManyOpenFiles,
  ENFILE: tooManyOpenFiles,
  ENOSPC: storageFull,
  EDQUOT: storageFull,
  FST_ERR_CTP_INVALID_JSON_BODY: malformedJson,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: malformedJson,
  FST_ERR_CTP_BODY_TOO_LARGE(cause, request) {
    const maxBytes = request?.routeOptions.bodyLimit ?? limits.json.maxBodyBytes
    return new Failure('body_too_large', { maxBytes }, { cause })
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: (cause) =>
    new Failure('unsupported_body', { expected: 'application/json' }, { cause }),
  FST_ERR_BAD_URL: (cause) =>
    new Failure('invalid_input', { field: 'path', problem: 'is not a valid address' }, { cause }),
}

/**
 * When a task fails and releasing what it held does too, `await using` throws both as one. The client gets the answer to the
 * first; the log has the second.
 */
function firstError(thrown: FastifyError | Failure, request?: FastifyRequest): FastifyError | Failure {
  let error: unknown = thrown
  // By name: Node 20 and 22 have no class of it.
  while (error instanceof Error && error.name === 'SuppressedError' && 'suppressed' in error) {
    request?.log.error({ err: (error as Error & { error?: unknown }).error }, 'Releasing a resource failed too')
    error = error.suppressed
  }
  return error as FastifyError | Failure
}

/**
 * Maps the framework's own errors to failures. Every other error is a bug.
 * @param request whose body may be the cause: its client disconnected
 */
export function toFailure(thrown: FastifyError | Failure, request?: FastifyRequest): Failure | Error {
  const error = firstError(thrown, request)
  if (error instanceof Failure) return error
  if (error === request?.raw.errored)
    return new Failure('malformed_request', { problem: 'the body ended early' }, { cause: error })
  if (error instanceof StoreUnavailable || error instanceof DatabaseUnavailable)
    return new Failure('storage_unavailable', {}, { cause: error, retryAfterS: error.retryAfterS })
  const known = error.code === undefined ? undefined : failureByCode[error.code]
  if (known) return known(error, request)
  if (error.code?.startsWith('FST_') && (error.statusCode ?? 500) < 500)
    return new Failure('malformed_request', { problem: error.message }, { cause: error })
  return error
}

const patterns = Object.values(routes).map((route) => {
  const [method = '', path = ''] = route.split(' ')
  return { method, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) }
})

function allowedMethods(path: string): string[] {
  const found = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  return found.includes('GET') ? [...found, 'HEAD'] : found
}
