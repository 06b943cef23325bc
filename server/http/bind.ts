// Binds each endpoint to the domain function of its name: caller, access, validation, call, response.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { api } from '../../contract/endpoints/api.ts'
import { type Endpoint, statusOf } from '../../contract/endpoints/endpoint.ts'
import type { UploadedImage } from '../../contract/endpoints/images.ts'
import { limits } from '../../contract/plain/limits.ts'
import { type RouteName, routes } from '../../contract/plain/routes.ts'
import type { Caller } from '../domain/shared/caller.ts'
import type { ServedFile } from '../domain/backups/backups.ts'
import { ClientGone, type Deps } from '../domain/shared/deps.ts'
import type { Page } from '../domain/shared/keyset-page.ts'
import type { ServedStream } from '../domain/shared/served-stream.ts'
import { baseUrl, clientAddress, fullClientAddress } from './request/client-address.ts'
import { assertUnencodedBody } from './guard/broken-requests.ts'
import { authorize, type CallerContext, callerOf, identifyAgain } from './request/callers.ts'
import { sendTextFailure } from './request/errors.ts'
import { sendFile, sendStream } from './delivery/send-download.ts'
import { createImageHandler, type ImageContext, isPublicImage } from './delivery/image-handler.ts'
import type { PageFrame } from './pages/page-frame.ts'
import { handleImageErrors } from './pages/share/no-image-page.ts'
import { receiveForm } from './uploads/bodies-without-files.ts'
import type { AnyHandler, Handlers } from './handler.ts'
import { noteIds, noteUserIn } from './request/log-context.ts'
import { imageBaseUrl } from './request/media-origin.ts'
import { acceptUnreadBodies, receiveUpload } from './uploads/receive-upload.ts'
import { validate } from './request/validate.ts'
import { sendUploaded, sendUploadFailure } from './uploads/upload-response-format.ts'
import { compatUploadOf, receiveCompatUpload } from './protocols/bind-compat.ts'
import { handlers } from './routes.ts'

interface Context extends ImageContext {
  /** Of the pages for people who open an image's address. */
  frame: PageFrame
}

export function bindEndpoints(app: FastifyInstance, context: Context): void {
  const names = (Object.keys(routes) as RouteName[]).filter(isBound)
  for (const name of names.filter((one) => !isUpload(one))) bindEndpoint(app, context, name)
  app.register(async (scope) => {
    acceptUnreadBodies(scope)
    for (const name of names.filter(isUpload)) bindEndpoint(scope, context, name)
  })
}

/** Not bound by uploads/tus/bind-resumable-uploads.ts. */
const isBound = (name: RouteName): name is keyof Handlers => !('resumable' in api[name])
const isUpload = (name: RouteName) => 'upload' in api[name]

function bindEndpoint(app: FastifyInstance, context: Context, name: keyof Handlers): void {
  const endpoint: Endpoint = api[name]
  const [method = '', path = ''] = routes[name].split(' ')
  for (const url of pathsOf(path)) {
    app.route({
      method: method === 'GET' ? ['GET', 'HEAD'] : method,
      url: url.replace(/\{(\w+)\}/g, ':$1'),
      bodyLimit: endpoint.maxBodyBytes ?? limits.json.maxBodyBytes,
      onRequest: (request, reply) => admitRequest({ deps: context.deps, request, reply, endpoint }),
      handler: handlerOf(context, endpoint, handlers[name] as AnyHandler),
      config: { isImage: isPublicImage(endpoint), isUpload: isUpload(name) },
      ...errorHandlerOf(context, endpoint),
    })
  }
}

interface Admitted {
  caller: Caller
  /** Whether the request had arrived with its body when the caller was identified. */
  isWhole: boolean
}

/** Requests whose bodies may be read. */
const admitted = new WeakMap<FastifyRequest, Admitted>()

/** Before the body is read: refusing a request costs the same whatever it carries. @throws {Failure} as callerOf and authorize */
async function admitRequest(context: CallerContext): Promise<void> {
  const caller = await callerOf(context)
  // A form may carry the key of an upload.
  if (!context.endpoint.upload) await authorize(context, caller)
  admitted.set(context.request, { caller, isWhole: context.request.raw.complete })
}

function errorHandlerOf({ deps, frame }: Context, endpoint: Endpoint) {
  if (endpoint.upload) return { errorHandler: sendUploadFailure }
  if (isPublicImage(endpoint)) return { errorHandler: handleImageErrors(deps, frame) }
  return endpoint.response === 'text' ? { errorHandler: sendTextFailure } : {}
}

/** /users is an alias of /api/users (docs/api.md). */
const pathsOf = (path: string) => (path.startsWith('/api/users') ? [path, path.replace('/api', '')] : [path])

function handlerOf(context: ImageContext, endpoint: Endpoint, handler: AnyHandler) {
  const { deps } = context
  const send = senderOf(context, endpoint)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const call = { deps, request, reply, endpoint }
    const { caller: sender, isWhole } = admittedOf(request)
    if (endpoint.upload) return receiveAndStore(call, sender, handler)
    if (endpoint.form) assertUnencodedBody(request, 'multipart/form-data')
    const body = validate(endpoint.body, await readBody(call))
    const caller = isWhole ? sender : await identifyAgain(call, sender)
    const input = inputOf(call, caller, body)
    return send(call, () => handler(deps, input))
  }
}

function admittedOf(request: FastifyRequest): Admitted {
  const found = admitted.get(request)
  if (!found) throw new Error('The caller of the request is unknown')
  return found
}

function readBody({ deps, request, endpoint }: CallerContext): unknown {
  if (endpoint.form) return receiveForm(deps, request, endpoint.form)
  return request.body === undefined ? {} : request.body
}

/** What the domain function receives, validated. */
function inputOf({ deps, request, reply, endpoint }: CallerContext, caller: Caller, body: unknown) {
  let gone: AbortSignal | undefined
  const input = {
    caller,
    address: clientAddress(request),
    ip: fullClientAddress(request),
    userAgent: request.headers['user-agent'],
    baseUrl: imageBaseUrl(deps.config, request),
    siteUrl: baseUrl(deps.config, request),
    accept: request.headers.accept,
    gone: () => (gone ??= goneSignal(reply)),
    params: validate(endpoint.params, request.params),
    query: validate(endpoint.query, request.query),
    headers: validate(endpoint.headers, request.headers),
    body,
    guestToken: guestToken(request, body),
  }
  noteIds(request, endpoint.category, input.params)
  return input
}

/** Aborts when the connection is closed before the response is sent. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const abort = () => {
    if (!raw.writableFinished) controller.abort(new ClientGone())
  }
  if (raw.closed) abort()
  else raw.once('close', abort)
  return controller.signal
}

function guestToken(request: FastifyRequest, body: unknown): string | undefined {
  const header = request.headers['x-guest-token']
  if (typeof header === 'string' && header !== '') return header
  return (body as { token?: string } | undefined)?.token
}

/** The uploader, whom the body may identify, is checked again when the row is stored. */
async function receiveAndStore(call: CallerContext, sender: Caller, handler: AnyHandler): Promise<FastifyReply> {
  const { deps, request, reply, endpoint } = call
  const compat = compatUploadOf(request)
  if (compat) return receiveCompatUpload(call, sender, compat)
  assertUnencodedBody(request, 'multipart/form-data')
  const input = inputOf(call, sender, undefined)
  const { 'idempotency-key': key } = input.headers as { 'idempotency-key'?: string }
  const options = { key, acceptsAnyBody: false, maxFiles: 1 }
  await receiveUpload(call, sender, options, async ({ caller, files: [file], fields, space }) => {
    const result = await handler(deps, { ...input, caller, body: validate(endpoint.body, fields), file })
    // The stored row counts now: the next upload, sent after this response, must not find both.
    space.release()
    noteIds(request, endpoint.category, result)
    await sendUploaded(request, reply.code(statusOf(endpoint)), result as UploadedImage)
  })
  return reply
}

/** Sends the result of `run` as the endpoint declares it. */
type Send = (call: CallerContext, run: () => Promise<unknown>) => Promise<FastifyReply>

function senderOf(context: ImageContext, endpoint: Endpoint): Send {
  if (endpoint.response === 'image') return createImageHandler(context, endpoint)
  return endpoint.response === 'file' ? sendDownload : sendData
}

const sendDownload: Send = async ({ request, reply, endpoint }, run) => {
  const file = (await run()) as ServedFile | ServedStream
  noteIds(request, endpoint.category, file)
  return 'chunks' in file ? sendStream(request, reply, file) : sendFile(request, reply, file)
}

/** As JSON or text. */
const sendData: Send = async ({ deps, request, reply, endpoint }, run) => {
  const result = await run()
  noteIds(request, endpoint.category, result)
  if (endpoint.category === 'auth' && endpoint.access === 'public') noteUserIn(request, result)
  reply.code(statusOf(endpoint)).header('cache-control', 'no-store')
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
