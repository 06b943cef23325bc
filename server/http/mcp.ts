// The MCP endpoint, for assistants with an API key (docs/decisions/0039). Its library is loaded at
// the first request.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '../../contract/limits.ts'
import type { Caller, UserCaller } from '../domain/caller.ts'
import type { Deps } from '../domain/deps.ts'
import { Failure } from '../domain/failure.ts'
import { baseUrl, clientAddress, fullClientAddress, isForeignOrigin } from './client-address.ts'
import { headerCredential } from './credentials.ts'
import { noteCaller } from './log-facts.ts'
import { imageBaseUrl } from './media-origin.ts'
import type { McpCall, McpEndpoint } from './mcp-tools.ts'
import { countAddress, countUser, identifyWithinRate } from './rate-limit.ts'

export function bindMcp(app: FastifyInstance, deps: Deps): void {
  let endpoint: Promise<McpEndpoint> | undefined
  const calls = new WeakMap<FastifyRequest, McpCall>()
  app.post('/mcp', {
    bodyLimit: limits.mcp.maxBodyBytes,
    // Its tools include an upload.
    config: { isUpload: true },
    // Before the body is read.
    async onRequest(request, reply) {
      calls.set(request, await authenticate(deps, request, reply))
    },
    async handler(request, reply) {
      endpoint ??= import('./mcp-tools.ts').then(({ openMcpEndpoint }) => openMcpEndpoint(deps))
      const call = calls.get(request)
      if (!call) throw new Failure('authentication_required')
      if (!isUpload(request.body)) await countUser(deps, reply, call.caller)
      return reply
        .header('cache-control', 'no-store')
        .send(await (await endpoint)(toWebRequest(request, call), request.body, call))
    },
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
