// The MCP endpoint, for assistants with an API key (docs/decisions/0039). Its library is loaded at
// the first request.
import type { ReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify'
import { limits } from '../../../contract/plain/limits.ts'
import { ResourceStack } from '../../concurrency/resource-stack.ts'
import { createKeyedSemaphores, createSemaphore } from '../../concurrency/semaphore.ts'
import { identify } from '../../domain/accounts/sessions.ts'
import type { Caller, UserCaller } from '../../domain/shared/caller.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import { Failure } from '../../domain/shared/failure.ts'
import { admitUpload, wasNotTaken } from '../../domain/uploads/admission.ts'
import { reserveDisk } from '../../domain/uploads/reserved-space.ts'
import { makeUploadFolder } from '../../domain/uploads/upload-folder.ts'
import { baseUrl, clientAddress, fullClientAddress } from '../request/client-address.ts'
import { isForeignOrigin } from '../request/cross-origin.ts'
import { headerCredential } from '../request/credentials.ts'
import { assertFewValues } from '../uploads/encoded-image.ts'
import { assertUnencodedBody } from '../guard/broken-requests.ts'
import { noteCaller } from '../request/log-context.ts'
import { imageBaseUrl } from '../request/media-origin.ts'
import type { McpEndpoint } from './mcp-tools.ts'
import type { McpCall } from './mcp-upload.ts'
import { assertDeclaredBytes, chunksOf, limitBytes, saveChunks } from '../uploads/multipart.ts'
import { countAddress, countUser, identifyWithinRate } from '../request/request-rate.ts'

export function bindMcp(app: FastifyInstance, deps: Deps): void {
  let endpoint: Promise<McpEndpoint> | undefined
  const calls = new WeakMap<FastifyRequest, McpCall>()
  app.register(async (scope) => {
    acceptOwnJson(scope)
    scope.post('/mcp', {
      bodyLimit: limits.mcp.maxBodyBytes,
      // Its tools include an upload.
      config: { isUpload: true },
      // Before the body is read.
      async onRequest(request, reply) {
        const call = await authenticate(deps, request, reply)
        await takeTurn(reply, call)
        calls.set(request, call)
      },
      preParsing: async (request, reply, body) => receiveBody(deps, { request, reply, body, call: calls.get(request) }),
      async handler(request, reply) {
        endpoint ??= import('./mcp-tools.ts').then(({ openMcpEndpoint }) => openMcpEndpoint(deps))
        const admitted = calls.get(request)
        if (!admitted) throw new Failure('authentication_required')
        // The body may have taken long, and so may the wait for a turn: the key may have been revoked.
        const caller = await identify(deps, headerCredential(request), admitted.address)
        if (!hasKey(caller)) throw new Failure('authentication_required')
        const call = { ...admitted, caller }
        call.releaseBody?.()
        if (!isUpload(request.body)) await countUser(deps, reply, call.caller)
        if (Array.isArray(request.body)) throw batchRefused()
        return reply
          .header('cache-control', 'no-store')
          .send(await (await endpoint)(toWebRequest(request, call), request.body, call))
      },
    })
  })
  // Clients look for a stream here, and end sessions: there are none.
  app.route({
    method: ['GET', 'DELETE'],
    url: '/mcp',
    handler({ method }, reply) {
      void reply.header('allow', 'POST')
      throw new Failure('method_not_allowed', { method, allowed: 'POST' })
    },
  })
}

/** An image is one long text: millions of small values would hold up the server while they are parsed. */
function acceptOwnJson(scope: FastifyInstance): void {
  const parse = scope.getDefaultJsonParser('error', 'error')
  scope.removeContentTypeParser('application/json')
  scope.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    assertUnencodedBody(request, 'application/json')
    assertFewValues(body as string, ',[{')
    void parse(request, body as string, done)
  })
}

/** The protocol has had none since its version of 2025-06-18, and a hundred calls in one would count as a single request. */
const batchRefused = () =>
  new Failure('invalid_input', { field: 'body', problem: 'must be one message, not a batch of them' })

const accountTurn = createKeyedSemaphores({
  permits: limits.mcp.maxOfAccount,
  maxQueued: 50,
  maxWaitMs: limits.mcp.maxWaitMs,
  rejectWith: busy,
})
const largeTurn = createSemaphore({
  permits: limits.mcp.maxLargeBodies,
  maxQueued: 50,
  maxWaitMs: limits.mcp.maxWaitMs,
  rejectWith: busy,
})

function busy(): Failure {
  return new Failure('busy', {}, { retryAfterS: 2 })
}

/** Waits until this request of its account may be read, and holds its place until the response is sent. @throws {Failure} busy */
async function takeTurn(reply: FastifyReply, { caller }: McpCall): Promise<void> {
  holdUntilClosed(reply, await accountTurn(caller.account.id))
}

interface Receiving {
  request: FastifyRequest
  reply: FastifyReply
  body: RequestPayload
  call: McpCall | undefined
}

/**
 * A large body counts as an upload, is received on the disk, so that a slow client holds up nobody, and then waits for its
 * turn to be read into memory.
 * @throws {Failure} api_key_scope, body_too_large, busy, storage_full; those of admitUpload
 */
async function receiveBody(deps: Deps, { request, reply, body, call }: Receiving): Promise<RequestPayload> {
  if (!call) throw new Failure('authentication_required')
  const { caller, address } = call
  const length = Number(request.headers['content-length'] ?? Infinity)
  if (length <= smallBytes) return body
  if (!mayUpload(caller)) {
    if (length < Infinity) throw imageRefused()
    return Readable.from(smallBody(chunksOf(request)))
  }
  assertDeclaredBytes(request, largeLimit)
  const admission = await admitUpload(deps, { caller, address, key: undefined })
  call.admission = admission
  try {
    await using held = new ResourceStack()
    const space = held.use(await reserveDisk(deps, Math.min(length, largeLimit.maxBytes)))
    const saved = await saveBody(deps, request)
    held.use({ [Symbol.dispose]: () => saved.destroy() })
    held.use(await largeTurn())
    call.releaseBody = space.release
    holdUntilClosed(reply, held.move())
    return saved
  } catch (error) {
    if (wasNotTaken(error) || request.raw.destroyed) await admission.uncount()
    throw error
  }
}

/** Its file is deleted, and its bytes stay until the stream is closed. */
async function saveBody(deps: Deps, request: FastifyRequest): Promise<ReadStream> {
  await using folder = await makeUploadFolder(deps)
  const path = join(folder.path, 'body')
  await saveChunks(path, limitBytes(largeLimit)(chunksOf(request)))
  return (await open(path)).createReadStream()
}

/** Until the response is sent, or its client has gone. */
function holdUntilClosed({ raw, log }: FastifyReply, held: AsyncDisposable | Disposable): void {
  const end = async () => {
    try {
      await using _held = held
    } catch (error) {
      log.error({ err: error }, 'What a call held could not be released')
    }
  }
  if (raw.closed) void end()
  else raw.once('close', () => void end())
}

const { maxBodyBytes: smallBytes } = limits.json
const mayUpload = ({ by }: UserCaller) => 'apiKeyId' in by && by.grant.scopes.includes('upload')
/** Whatever is this large is an image. */
const imageRefused = () => new Failure('api_key_scope', { scope: 'upload' })
const smallBody = limitBytes({ maxBytes: smallBytes, refusal: imageRefused() })
const { maxBodyBytes: maxBytes } = limits.mcp
const largeLimit = { maxBytes, refusal: new Failure('body_too_large', { maxBytes }) }

/** An upload has been counted as one, as every request before its body is read. */
function isUpload(body: unknown): boolean {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } | null }
  return method === 'tools/call' && params?.name === 'upload_image'
}

/** @throws {Failure} foreign_origin, authentication_required, and those of identifyWithinRate */
async function authenticate(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<McpCall> {
  // Pages of other origins are not meant, whatever key they have.
  if (isForeignOrigin(deps.config, request)) throw new Failure('foreign_origin')
  const address = clientAddress(request)
  const caller = await identifyWithinRate(deps, reply, address, () => headerCredential(request), 'upload')
  noteCaller(request, caller)
  if (!hasKey(caller)) {
    await countAddress(deps, reply, address)
    void reply.header('www-authenticate', 'Bearer')
    throw new Failure('authentication_required')
  }
  return {
    caller,
    address,
    ip: fullClientAddress(request),
    baseUrl: imageBaseUrl(deps.config, request),
    siteUrl: baseUrl(deps.config, request),
  }
}

const hasKey = (caller: Caller): caller is UserCaller => caller.kind === 'user' && 'apiKeyId' in caller.by

/** The body is passed beside it. */
function toWebRequest({ headers }: FastifyRequest, { siteUrl }: McpCall): Request {
  const names = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id', 'mcp-method', 'mcp-name']
  const passed = names.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value] as [string, string]] : []
  })
  return new Request(`${siteUrl}/mcp`, { method: 'POST', headers: passed, body: '{}' })
}
