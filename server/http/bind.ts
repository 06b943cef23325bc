// Binds the endpoints to domain functions: caller, access, validation, call, response.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { api } from '../../contract/api.ts'
import { identifiesCaller, type Endpoint } from '../../contract/endpoint.ts'
import type { UploadedImage } from '../../contract/images.ts'
import { type RouteName, routes } from '../../contract/routes.ts'
import { actsAsAdmin, type Caller } from '../domain/caller.ts'
import type { ServedLines } from '../domain/audit/audit-log.ts'
import type { ServedFile } from '../domain/database/backups.ts'
import type { Deps } from '../domain/deps.ts'
import { recordBlockRefusal } from '../domain/block-refusals.ts'
import { refuseBlockedNetwork } from '../domain/blocked-networks.ts'
import { Failure } from '../domain/failure.ts'
import type { ServedImage } from '../domain/images/served-image.ts'
import { demandProofOfWork } from '../domain/proof-of-work.ts'
import { wasEvicted } from '../domain/images/variants.ts'
import type { Page } from '../domain/keyset-page.ts'
import { baseUrl, clientAddress, fullClientAddress } from './client-address.ts'
import { refuseEncodedBody } from './guard/broken-requests.ts'
import { sendTextFailure } from './errors.ts'
import { sendFile, sendImage, sendLines } from './files.ts'
import { receiveForm } from './form.ts'
import type { AnyHandler } from './handler.ts'
import type { HotResponses } from './hot/hot-responses.ts'
import { noteCaller, noteIds, noteUserIn } from './log-facts.ts'
import { imageBaseUrl } from './media-origin.ts'
import { withUpload } from './multipart.ts'
import { sendUploaded, sendUploadFailure } from './upload-format.ts'
import { countAddress, identifyWithinRate } from './rate-limit.ts'
import { handlers } from './routes.ts'
import type { ResponseBufferBudget } from './guard/response-buffer-budget.ts'

export function bindEndpoints(app: FastifyInstance, context: EndpointContext): void {
  for (const name of Object.keys(routes) as RouteName[]) {
    const [method = '', path = ''] = routes[name].split(' ')
    for (const url of pathsOf(path)) {
      app.route({
        method: method === 'GET' ? ['GET', 'HEAD'] : method,
        url: url.replace(/\{(\w+)\}/g, ':$1'),
        handler: handlerOf(context, api[name], handlers[name] as AnyHandler),
        config: { isImage: isPublicImage(api[name]) },
        ...errorHandlerOf(api[name]),
      })
    }
  }
}

function errorHandlerOf({ response, upload }: Endpoint) {
  if (upload) return { errorHandler: sendUploadFailure }
  return response === 'text' ? { errorHandler: sendTextFailure } : {}
}

export interface EndpointContext {
  deps: Deps
  hot: HotResponses
  budget: ResponseBufferBudget
}

/** /users is an alias of /api/users (docs/specification.md, section 6). */
const pathsOf = (path: string) => (path.startsWith('/api/users') ? [path, path.replace('/api', '')] : [path])

/** Served without a login: on the host of MEDIA_ORIGIN, and from caches. */
const isPublicImage = ({ response, access }: Endpoint) => response === 'image' && access === 'public'

/** URLs that the hot cache stores. Other spellings, such as with `?t=1`, are unbounded. */
const plainUrlOf = ({ query }: Endpoint) =>
  new RegExp(`^/[\\w\\-./]+${query ? `(\\?(${Object.keys(query.shape).join('|')})=([a-z]+|[1-9]\\d*))?` : ''}$`)

function handlerOf({ deps, hot, budget }: EndpointContext, endpoint: Endpoint, handler: AnyHandler) {
  const plainUrl = plainUrlOf(endpoint)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const address = clientAddress(request)
    const caller = await callerOf(deps, request, reply, endpoint, address)
    noteCaller(request, caller)
    authorize(endpoint, caller)
    const ip = fullClientAddress(request)
    if (endpoint.refusesBlockedNetworks === true)
      await recordBlockRefusal(deps, { caller, address }, () => refuseBlockedNetwork(deps, ip))
    if (endpoint.proofOfWork === true && caller.kind === 'guest') await requireProofOfWork(deps, request, reply)
    if (endpoint.upload || endpoint.form) refuseEncodedBody(request, 'multipart/form-data')
    const body = endpoint.upload ? undefined : validate(endpoint.body, await readBody(deps, request, endpoint))
    const input = {
      caller,
      address,
      ip,
      baseUrl: imageBaseUrl(deps.config, request),
      siteUrl: baseUrl(deps.config, request),
      params: validate(endpoint.params, request.params),
      query: validate(endpoint.query, request.query),
      headers: validate(endpoint.headers, request.headers),
      body,
      guestToken: guestToken(request, body),
    }
    noteIds(request, endpoint.category, input.params)
    if (endpoint.response === 'image') {
      const isPublic = isPublicImage(endpoint)
      const record = isPublic ? hot.startRecording(request) : undefined
      const load = async () => (await handler(deps, input)) as ServedImage
      const sendLoaded = (image: ServedImage) =>
        sendImage(request, reply, image, {
          nowMs: deps.now(),
          isPublic,
          canBuffer: budget(reply.raw),
          onBuffered(bytes) {
            if (plainUrl.test(request.url)) record?.(reply, image, bytes)
          },
        })
      const image = await load()
      try {
        return await sendLoaded(image)
      } catch (error) {
        if (!image.isOnDisk || !wasEvicted(error)) throw error
        return sendLoaded(await load())
      }
    }
    if (!endpoint.upload) return send(deps, request, reply, endpoint, await handler(deps, input))

    const { field } = endpoint.upload
    const { 'idempotency-key': key } = input.headers as { 'idempotency-key'?: string }
    return withUpload(deps, request, { caller, address, field, key }, async ({ file, fields, release }) => {
      const result = await handler(deps, { ...input, body: validate(endpoint.body, fields), file })
      // The stored row counts now: the next upload, sent after this response, must not find both.
      release()
      noteIds(request, endpoint.category, result)
      return sendUploaded(request, reply.code(endpoint.status), result as UploadedImage)
    })
  }
}

function readBody(deps: Deps, request: FastifyRequest, endpoint: Endpoint): unknown {
  if (endpoint.form) return receiveForm(deps, request, endpoint.form)
  return request.body === undefined ? {} : request.body
}

/** Images are not rate limited; public requests count for their address. @throws {Failure} */
async function callerOf(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint,
  address: string,
): Promise<Caller> {
  if (identifiesCaller(endpoint)) return identifyWithinRate(deps, request, reply, address)
  if (endpoint.response !== 'image') await countAddress(deps, reply, address)
  return { kind: 'guest' }
}

/** @throws {Failure} proof_of_work_required, with the challenge in a header */
async function requireProofOfWork(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const proof = request.headers['x-proof-of-work']
  const challenge = await demandProofOfWork(deps, typeof proof === 'string' ? proof : undefined)
  if (challenge === null) return
  reply.header('x-challenge', challenge)
  throw new Failure('proof_of_work_required')
}

/** @throws {Failure} authentication_required, forbidden, api_key_not_enough, api_key_scope */
function authorize(endpoint: Endpoint, caller: Caller): void {
  if (caller.kind === 'user' && 'apiKeyId' in caller.by) {
    const { keyScope: scope } = endpoint
    if (scope === undefined) throw new Failure('api_key_not_enough')
    if (!caller.by.grant.scopes.includes(scope)) throw new Failure('api_key_scope', { scope })
  }
  if (endpoint.access === 'public') return
  if (caller.kind === 'guest') throw new Failure('authentication_required')
  if (endpoint.access === 'admin' && !actsAsAdmin(caller)) throw new Failure('forbidden')
}

/** @throws {Failure} invalid_input, naming the first wrong field */
function validate(schema: z.ZodType | undefined, given: unknown): unknown {
  if (!schema) return undefined
  if (containsNul(given))
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

/** PostgreSQL cannot store NUL in a text. */
function containsNul(given: unknown): boolean {
  // A loop instead of recursion: a body of 1 MB can be half a million levels deep.
  const pending = [given]
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value === 'string' && value.includes('\0')) return true
    if (typeof value !== 'object' || value === null) continue
    for (const [key, nested] of Object.entries(value)) {
      if (key.includes('\0')) return true
      pending.push(nested)
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
  noteIds(request, endpoint.category, result)
  if (endpoint.response === 'file') {
    const file = result as ServedFile | ServedLines
    return 'lines' in file ? sendLines(request, reply, file) : sendFile(request, reply, file)
  }
  reply.code(endpoint.status).header('cache-control', 'no-store')
  if (endpoint.category === 'auth' && endpoint.access === 'public') noteUserIn(request, result)
  if (endpoint.response === 'text') reply.type('text/plain; charset=utf-8')
  return reply.send(isPage(result) ? page(deps, request, reply, result) : result)
}

const isPage = (result: unknown): result is Page<unknown> =>
  typeof result === 'object' && result !== null && 'items' in result && 'nextCursor' in result

/** A list is an array; the link to its next page is a header (RFC 8288). */
function page(deps: Deps, request: FastifyRequest, reply: FastifyReply, { items, total, nextCursor }: Page<unknown>) {
  if (total !== null) reply.header('x-total-count', total)
  if (nextCursor !== null) {
    const next = new URL(request.url, baseUrl(deps.config, request))
    next.searchParams.set('cursor', nextCursor)
    reply.header('link', `<${next.href}>; rel="next"`)
  }
  return items
}
