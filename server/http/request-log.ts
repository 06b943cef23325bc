// Logs one line per request. The path has no query, which may contain private data.
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { loggedAddress } from '../domain/addresses.ts'
import type { Deps } from '../domain/deps.ts'
import { networkOf } from './client-address.ts'
import { notedOf } from './log-facts.ts'
import { redactPath } from './redact-path.ts'

export interface LoggedRequest {
  reqId: string
  method: string
  url: string
  status: number
  ms: number
  address: string | undefined
}

export type LogRequest = (request: LoggedRequest, facts?: object) => void

/** Returns a log that writes every field `address` in the form of LOG_ADDRESSES. */
export function formatAddresses(deps: Pick<Deps, 'config' | 'addressKey'>, log: FastifyBaseLogger): FastifyBaseLogger {
  if (deps.config.LOG_ADDRESSES === 'full') return log
  const address = (written: unknown) => loggedAddress(deps, networkOf(String(written)) ?? 'unknown')
  return log.child({}, { serializers: { address } })
}

export function createRequestLog(log: FastifyBaseLogger): LogRequest {
  // No field listed here is secret. Redaction would cost six times as much as the line itself.
  const lines = log.child({}, { redact: [] })
  return ({ reqId, method, url, status, ms, address }, facts) =>
    lines.info(
      {
        reqId,
        method,
        path: redactPath(url.split('?', 1)[0] ?? ''),
        status,
        ms: Math.round(ms * 10) / 10,
        address,
        ...facts,
      },
      'request',
    )
}

/** Logs the requests that the framework handles. */
export function logRequests(app: FastifyInstance, logRequest: LogRequest): void {
  const logged = new WeakSet<FastifyRequest>()
  const log = (request: FastifyRequest, reply: FastifyReply) => {
    if (logged.has(request)) return
    logged.add(request)
    logRequest(
      {
        reqId: request.id,
        method: request.method,
        url: request.url,
        status: reply.statusCode,
        ms: reply.elapsedTime,
        address: request.ip,
      },
      notedOf(request),
    )
  }
  app.addHook('onResponse', async (request, reply) => log(request, reply))
  // The response to a disconnected client never finishes: logged at its close, or when sent later.
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.once('close', () => {
      if (reply.raw.headersSent) log(request, reply)
    })
  })
  app.addHook('onSend', async (request, reply) => {
    if (reply.raw.closed || request.raw.socket.destroyed) log(request, reply)
  })
}
