// Binds the endpoints to domain functions: caller, access, validation, call, response.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { api } from '../../contract/endpoints/api.ts'
import { type Endpoint, identifiesCaller } from '../../contract/endpoints/endpoint.ts'
import type { UploadedImage } from '../../contract/endpoints/images.ts'
import { limits } from '../../contract/plain/limits.ts'
import { type RouteName, routes } from '../../contract/plain/routes.ts'
import type { Caller } from '../domain/shared/caller.ts'
import type { ServedFile } from '../domain/backups/backups.ts'
import { ClientGone, type Deps } from '../domain/shared/deps.ts'
import { Failure } from '../domain/shared/failure.ts'
import { consumeView } from '../domain/delivery/image-views.ts'
import type { ServedImage } from '../domain/delivery/served-image.ts'
import { wasEvicted } from '../domain/delivery/aliases.ts'
import type { Page } from '../domain/shared/keyset-page.ts'
import type { ServedStream } from '../domain/shared/served-stream.ts'
import { baseUrl, clientAddress, fullClientAddress } from './request/client-address.ts'
import { assertUnencodedBody } from './guard/broken-requests.ts'
import { acceptUnreadBodies } from './uploads/accept-bodies.ts'
import { authorize, authorizeUploader, type CallerContext, callerOf, identifyAgain } from './request/callers.ts'
import { sendTextFailure } from './request/errors.ts'
import { sendFile, sendImage, sendStream } from './delivery/files.ts'
import { receiveForm } from './uploads/form-fields.ts'
import type { AnyHandler, Handlers } from './handler.ts'
import type { HotResponses } from './delivery/hot-responses.ts'
import { noteIds, noteUserIn } from './request/log-context.ts'
import { imageBaseUrl } from './request/media-origin.ts'
import type { Fields } from './uploads/multipart.ts'
import { withUpload } from './uploads/receive-upload.ts'
import { validate } from './request/validate.ts'
import { isPreviewRobot, isView } from './delivery/views.ts'
import { sendUploaded, sendUploadFailure } from './uploads/upload-format.ts'
import { receiveCompatUpload } from './protocols/bind-compat.ts'
import { isZipline, zipline, ziplineUpload } from './protocols/zipline.ts'
import { handlers } from './routes.ts'
import type { ResponseBufferBudget } from './guard/response-buffer-budget.ts'

export function bindEndpoints(app: FastifyInstance, context: EndpointContext): void {
  const names = (Object.keys(routes) as RouteName[]).filter(isBound)
  for (const name of names.filter((one) => !isUpload(one))) bindEndpoint(app, context, name)
  app.register(async (scope) => {
    acceptUnreadBodies(scope)
    for (const name of names.filter(isUpload)) bindEndpoint(scope, context, name)
  })
}

/** Not bound by uploads/tus/bind-uploads.ts. */
const isBound = (name: RouteName): name is keyof Handlers => !('resumable' in api[name])
const isUpload = (name: RouteName) => 'upload' in api[name]

function bindEndpoint(app: FastifyInstance, context: EndpointContext, name: keyof Handlers): void {
  const endpoint: Endpoint = api[name]
  const [method = '', path = ''] = routes[name].split(' ')
  for (const url of pathsOf(path)) {
    app.route({
      method: method === 'GET' ? ['GET', 'HEAD'] : method,
      url: url.replace(/\{(\w+)\}/g, ':$1'),
      bodyLimit: endpoint.maxBodyBytes ?? limits.json.maxBodyBytes,
      onRequest: (request, reply) => admit({ deps: context.deps, request, reply, endpoint }),
      handler: handlerOf(context, endpoint, handlers[name] as AnyHandler),
      config: { isImage: isPublicImage(endpoint), isUpload: isUpload(name) },
      ...errorHandlerOf(endpoint),
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
async function admit(context: CallerContext): Promise<void> {
  const caller = await callerOf(context)
  // A form may carry the key of an upload.
  if (!context.endpoint.upload) await authorize(context, caller)
  admitted.set(context.request, { caller, isWhole: context.request.raw.complete })
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

/** /users is an alias of /api/users (docs/api.md). */
const pathsOf = (path: string) => (path.startsWith('/api/users') ? [path, path.replace('/api', '')] : [path])

/** Served without a login: on the host of MEDIA_ORIGIN, and from caches. */
const isPublicImage = (endpoint: Endpoint) => endpoint.response === 'image' && !identifiesCaller(endpoint)

/** URLs that the hot cache stores. Other spellings, such as with `?t=1` or any name, are unbounded. */
function plainUrlOf({ params, query }: Endpoint): RegExp {
  if (params && 'name' in params.shape) return /^$/
  const parameters = Object.keys(query?.shape ?? {}).map((name) => `(${name}=[\\w.-]+(&|$))?`)
  return new RegExp(`^/[\\w\\-./]+(\\?${parameters.join('')})?(?<![?&])$`)
}

function handlerOf({ deps, hot, budget }: EndpointContext, endpoint: Endpoint, handler: AnyHandler) {
  const plainUrl = plainUrlOf(endpoint)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const context = { deps, request, reply, endpoint }
    const { caller: sender, isWhole } = admitted.get(request) ?? {}
    if (!sender) throw new Error('The caller of the request is unknown')
    if (endpoint.upload && isZipline(request))
      return receiveCompatUpload(context, sender, { protocol: zipline, upload: ziplineUpload })
    if (endpoint.upload || endpoint.form) assertUnencodedBody(request, 'multipart/form-data')
    const body = endpoint.upload ? undefined : validate(endpoint.body, await readBody(deps, request, endpoint))
    // An upload is checked again when its row is stored.
    const caller = isWhole || endpoint.upload ? sender : await identifyAgain(context, sender)
    const input = {
      caller,
      address: clientAddress(request),
      ip: fullClientAddress(request),
      userAgent: request.headers['user-agent'],
      baseUrl: imageBaseUrl(deps.config, request),
      siteUrl: baseUrl(deps.config, request),
      accept: request.headers.accept,
      gone: () => goneSignal(reply),
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
          config: deps.config,
          nowMs: deps.now(),
          isPublic,
          canBuffer: budget(reply.raw),
          onBuffered(bytes) {
            if (!image.isProvisional && plainUrl.test(request.url)) record?.(reply, image, bytes)
          },
          consumeView: () => consumeView(deps, image.row.id),
        })
      const image = await load()
      const { id, views_left: viewsLeft } = image.row
      // Otherwise a preview in a chat would take a view.
      if (isPublic && viewsLeft !== null && isPreviewRobot(request.headers)) throw new Failure('robot_excluded')
      try {
        await sendLoaded(image)
      } catch (error) {
        if (!image.isOnDisk || !wasEvicted(error)) throw error
        await sendLoaded(await load())
      }
      const isCounted = isPublic && request.method === 'GET' && reply.statusCode === 200
      if (isCounted && isView(deps.config, request.headers)) onceSent(reply.raw, () => deps.viewCounts.count(id))
      return reply
    }
    if (!endpoint.upload) return send(deps, request, reply, endpoint, await handler(deps, input))

    const { 'idempotency-key': key } = input.headers as { 'idempotency-key'?: string }
    const options = {
      caller,
      address: input.address,
      key,
      authorize: (fields: Fields) => authorizeUploader(context, caller, fields),
      acceptsAnyBody: false,
      maxFiles: 1,
    }
    return withUpload(deps, request, options, async ({ caller: uploader, files: [file], fields, release }) => {
      const result = await handler(deps, { ...input, caller: uploader, body: validate(endpoint.body, fields), file })
      // The stored row counts now: the next upload, sent after this response, must not find both.
      release()
      noteIds(request, endpoint.category, result)
      return sendUploaded(request, reply.code(endpoint.status), result as UploadedImage)
    })
  }
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

/** Calls `done` when the response is completely handed to the system; never after an interruption. */
function onceSent(response: FastifyReply['raw'], done: () => void): void {
  if (response.writableFinished) done()
  else response.once('finish', done)
}

function readBody(deps: Deps, request: FastifyRequest, endpoint: Endpoint): unknown {
  if (endpoint.form) return receiveForm(deps, request, endpoint.form)
  return request.body === undefined ? {} : request.body
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
    const file = result as ServedFile | ServedStream
    return 'chunks' in file ? sendStream(request, reply, file) : sendFile(request, reply, file)
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
