// What every endpoint needs and no domain function repeats: know the caller, check access, validate, call, reply.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { api } from '../../contract/api.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { type RouteName, routes } from '../../contract/routes.ts'
import { identify } from '../domain/accounts/identify.ts'
import type { Caller } from '../domain/caller.ts'
import type { Deps } from '../domain/deps.ts'
import { Failure } from '../domain/failure.ts'
import type { Page } from '../domain/images/images.ts'
import { baseUrl } from './address.ts'
import { sendImage } from './files.ts'
import type { AnyHandler } from './handler.ts'
import { receiveUpload } from './multipart.ts'
import { handlers } from './routes.ts'

export function bindEndpoints(app: FastifyInstance, deps: Deps): void {
  for (const name of Object.keys(routes) as RouteName[]) {
    const [method = '', path = ''] = routes[name].split(' ')
    app.route({
      method: method === 'GET' ? ['GET', 'HEAD'] : method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      handler: answer(deps, api[name], handlers[name] as AnyHandler),
    })
  }
}

function answer(deps: Deps, endpoint: Endpoint, handler: AnyHandler) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    // Pictures are public: their addresses carry no identity, and none is looked up.
    const caller: Caller =
      endpoint.reply === 'image' ? { kind: 'guest' } : await identify(deps, request.headers.authorization)
    authorize(endpoint, caller)
    const body = endpoint.upload ? undefined : validate(endpoint.body, request.body === undefined ? {} : request.body)
    const input = {
      caller,
      baseUrl: baseUrl(deps.config, request),
      params: validate(endpoint.params, request.params),
      query: validate(endpoint.query, request.query),
      body,
      guestToken: guestToken(request, body),
    }
    if (!endpoint.upload) return send(deps, request, reply, endpoint, await handler(deps, input))

    const upload = await receiveUpload(deps, request, caller, endpoint.upload.field)
    try {
      return await send(deps, request, reply, endpoint, await handler(deps, { ...input, file: upload.file }))
    } finally {
      await upload.discard()
    }
  }
}

/** @throws {Failure} authentication_required, forbidden */
function authorize(endpoint: Endpoint, caller: Caller): void {
  if (endpoint.access === 'public') return
  if (caller.kind === 'guest') throw new Failure('authentication_required')
  if (endpoint.access === 'admin' && caller.account.role !== 'admin') throw new Failure('forbidden')
}

/** @throws {Failure} invalid_input, naming the first wrong field */
function validate(schema: z.ZodType | undefined, given: unknown): unknown {
  if (!schema) return undefined
  if (holdsNul(given))
    throw new Failure('invalid_input', { field: 'a text', problem: 'must not hold the character NUL' })
  const result = schema.safeParse(given)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const names = issue?.code === 'unrecognized_keys' ? issue.keys.join(', ') : (issue?.path.join('.') ?? '')
  throw new Failure('invalid_input', {
    field: names === '' ? 'body' : names,
    problem:
      issue?.code === 'unrecognized_keys' ? 'is not a field of this request' : (issue?.message ?? 'is not valid'),
  })
}

/** PostgreSQL keeps no text with NUL; nobody types one. */
function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, held]) => key.includes('\0') || holdsNul(held))
}

function guestToken(request: FastifyRequest, body: unknown): string | undefined {
  const header = request.headers['x-guest-token']
  if (typeof header === 'string' && header !== '') return header
  return (body as { token?: string } | undefined)?.token
}

async function send(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint,
  result: unknown,
): Promise<FastifyReply> {
  if (endpoint.reply === 'image')
    return sendImage(request, reply, result as Parameters<typeof sendImage>[2], deps.now())
  reply.code(endpoint.status).header('cache-control', 'no-store')
  return reply.send(isPage(result) ? page(deps, request, reply, result) : result)
}

const isPage = (result: unknown): result is Page<unknown> =>
  typeof result === 'object' && result !== null && 'items' in result && 'nextCursor' in result

/** A list stays an array; the way to its next page is a header (RFC 8288). */
function page(deps: Deps, request: FastifyRequest, reply: FastifyReply, { items, total, nextCursor }: Page<unknown>) {
  reply.header('x-total-count', total)
  if (nextCursor !== null) {
    const next = new URL(request.url, baseUrl(deps.config, request))
    next.searchParams.set('cursor', nextCursor)
    reply.header('link', `<${next.href}>; rel="next"`)
  }
  return items
}
