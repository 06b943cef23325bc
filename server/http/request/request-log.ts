// Logs one line per request. The path has no query, which may contain private data.
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Logger, symbols } from 'pino'
import { loggedAddress } from '../../domain/shared/address-privacy.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import { logTime } from '../../logger.ts'
import { networkOf } from './client-address.ts'
import { type LogContext, logContextOf } from './log-context.ts'
import { redactPath } from './redact-path.ts'

export interface LoggedRequest {
  reqId: string
  method: string
  /** By `loggedPath`. */
  path: string
  status: number
  ms: number
  address: string | undefined
  /** LOG_PICTURES decides. */
  isImage: boolean
}

export type LogRequest = (request: LoggedRequest, context: LogContext) => void

type AddressDeps = Pick<Deps, 'config' | 'addressKey'>

/** An address in the form of LOG_ADDRESSES. */
const formatAddress = (deps: AddressDeps, address: string) =>
  deps.config.LOG_ADDRESSES === 'full' ? address : loggedAddress(deps, networkOf(address) ?? 'unknown')

/** Returns a log that writes every field `address` in the form of LOG_ADDRESSES. */
export const formatAddresses = (deps: AddressDeps, log: FastifyBaseLogger): FastifyBaseLogger =>
  log.child({}, { serializers: { address: (address: unknown) => formatAddress(deps, String(address)) } })

/** Without the query. */
export const loggedPath = (url = '') => redactPath(url.split('?', 1)[0] ?? '')

/** Formats the lines itself, in a third of the logger's time (docs/performance.md). */
export function createRequestLog(deps: AddressDeps, log: FastifyBaseLogger): LogRequest {
  const { LOG_PICTURES: ofImages } = deps.config
  // Where the logger writes its own lines.
  const { [symbols.streamSym]: output } = log as unknown as Record<symbol, { write(line: string): void }>
  const isEnabled = (log as Logger).isLevelEnabled('info')
  return ({ reqId, method, path, status, ms, address, isImage }, context) => {
    if (!isEnabled || (isImage && ofImages !== 'all' && (ofImages === 'off' || status < 400))) return
    const from = address === undefined ? '' : `,"address":${JSON.stringify(formatAddress(deps, address))}`
    let about = ''
    for (const [name, value] of Object.entries(context)) about += `,"${name}":${JSON.stringify(value)}`
    output?.write(
      `{"level":30,"time":"${logTime()}","reqId":"${reqId}","method":"${method}","path":${JSON.stringify(path)}` +
        `,"status":${status},"ms":${Math.round(ms * 10) / 10}${from}${about},"msg":"request"}\n`,
    )
  }
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
        path: loggedPath(request.url),
        status: reply.statusCode,
        ms: reply.elapsedTime,
        address: request.ip,
        isImage: request.routeOptions.config.isImage === true,
      },
      logContextOf(request),
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
