// What every endpoint needs and no domain function repeats: know the caller, check access, validate, call, reply.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { api } from '../../contract/api.ts'
import { asksWho, type Endpoint } from '../../contract/endpoint.ts'
import { type RouteName, routes } from '../../contract/routes.ts'
import { actsAsAdmin, type Caller } from '../domain/caller.ts'
import type { Deps } from '../domain/deps.ts'
import { Failure } from '../domain/failure.ts'
import type { ServedOriginal } from '../domain/images/originals.ts'
import type { ServedImage } from '../domain/images/variants.ts'
import type { Page } from '../domain/keyset-page.ts'
import { baseUrl, clientAddress } from './client-address.ts'
import { refuseEncodedBody } from './guard/content-encoding.ts'
import { sendTextFailure } from './errors.ts'
import { sendFile, sendImage } from './files.ts'
import { receiveForm } from './form.ts'
import type { AnyHandler } from './handler.ts'
import type { HotPath } from './hot/hot-path.ts'
import { noteCaller, noteUserIn } from './log-facts.ts'
import { pictureUrl } from './media-origin.ts'
import { withUpload } from './multipart.ts'
import { countAddress, identifyWithinRate } from './rate-limit.ts'
import { handlers } from './routes.ts'
import type { Unsent } from './guard/response-buffer-budget.ts'

export function bindEndpoints(app: FastifyInstance, deps: Deps, hot: HotPath, unsent: Unsent): void {
  for (const name of Object.keys(routes) as RouteName[]) {
    const [method = '', path = ''] = routes[name].split(' ')
    for (const url of addressesOf(path)) {
      app.route({
        method: method === 'GET' ? ['GET', 'HEAD'] : method,
        url: url.replace(/\{(\w+)\}/g, ':$1'),
        handler: answer({ deps, hot, unsent }, api[name], handlers[name] as AnyHandler),
        config: { isPicture: api[name].reply === 'image' },
        ...(api[name].reply === 'text' ? { errorHandler: sendTextFailure } : {}),
      })
    }
  }
}

interface Answering {
  deps: Deps
  hot: HotPath
  unsent: Unsent
}

/** The documentation's examples call /users: the same as /api/users (decisions section 1). */
const addressesOf = (path: string) => (path.startsWith('/api/users') ? [path, path.replace('/api', '')] : [path])

/** The ways to spell an address that are worth remembering: of others, such as with `?t=1`, there is no end to one picture. */
const plainAddressOf = ({ query }: Endpoint) =>
  new RegExp(`^/[\\w\\-./]+${query ? `(\\?(${Object.keys(query.shape).join('|')})=([a-z]+|[1-9]\\d*))?` : ''}$`)

function answer({ deps, hot, unsent }: Answering, endpoint: Endpoint, handler: AnyHandler) {
  const plainAddress = plainAddressOf(endpoint)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const address = clientAddress(request)
    const caller = await callerOf(deps, request, reply, endpoint, address)
    noteCaller(request, caller)
    authorize(endpoint, caller)
    if (endpoint.upload || endpoint.form) refuseEncodedBody(request, 'multipart/form-data')
    const body = endpoint.upload ? undefined : validate(endpoint.body, await readBody(deps, request, endpoint))
    const input = {
      caller,
      address,
      baseUrl: pictureUrl(deps.config, request),
      params: validate(endpoint.params, request.params),
      query: validate(endpoint.query, request.query),
      headers: validate(endpoint.headers, request.headers),
      body,
      guestToken: guestToken(request, body),
    }
    if (endpoint.reply === 'image') {
      const keep = hot.expect(request)
      const mayHold = unsent(reply.raw)
      const picture = (await handler(deps, { ...input, mayHold })) as ServedImage | ServedOriginal
      return sendImage(request, reply, picture, deps.now(), (bytes) => {
        if (plainAddress.test(request.url)) keep(reply, picture, bytes)
      })
    }
    if (!endpoint.upload) return send(deps, request, reply, endpoint, await handler(deps, input))

    const { field } = endpoint.upload
    return withUpload(deps, request, { caller, address, field }, async (file, fields) => {
      const result = await handler(deps, { ...input, body: validate(endpoint.body, fields), file })
      return send(deps, request, reply, endpoint, result)
    })
  }
}

function readBody(deps: Deps, request: FastifyRequest, endpoint: Endpoint): unknown {
  if (endpoint.form) return receiveForm(deps, request)
  return request.body === undefined ? {} : request.body
}

/** Pictures are not counted; calls that are anyone's count for their address. @throws {Failure} as identifyWithinRate */
async function callerOf(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint,
  address: string,
): Promise<Caller> {
  if (asksWho(endpoint)) return identifyWithinRate(deps, request, reply, address)
  if (endpoint.reply !== 'image') await countAddress(deps, reply, address)
  return { kind: 'guest' }
}

/** @throws {Failure} authentication_required, forbidden, api_key_not_enough */
function authorize(endpoint: Endpoint, caller: Caller): void {
  const isByKey = caller.kind === 'user' && 'apiKeyId' in caller.by
  if (isByKey && !endpoint.acceptsApiKey) throw new Failure('api_key_not_enough')
  if (endpoint.access === 'public') return
  if (caller.kind === 'guest') throw new Failure('authentication_required')
  if (endpoint.access === 'admin' && !actsAsAdmin(caller)) throw new Failure('forbidden')
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
function holdsNul(given: unknown): boolean {
  // A loop, not a recursion: a body of 1 MB can be half a million levels deep.
  const waiting = [given]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value === 'string' && value.includes('\0')) return true
    if (typeof value !== 'object' || value === null) continue
    for (const [key, held] of Object.entries(value)) {
      if (key.includes('\0')) return true
      waiting.push(held)
    }
  }
  return false
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
  if (endpoint.reply === 'file') return sendFile(request, reply, result as Parameters<typeof sendFile>[2])
  reply.code(endpoint.status).header('cache-control', 'no-store')
  if (endpoint.category === 'auth' && endpoint.access === 'public') noteUserIn(request, result)
  if (endpoint.reply === 'text') reply.type('text/plain; charset=utf-8')
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
