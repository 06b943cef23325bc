// Refuses malformed and unsupported requests with the failures of the API and one log line each.
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { Failure } from '../../domain/shared/failure.ts'
import { commonHeaders } from '../request/common-headers.ts'

/** Limit of the request line and headers together (--max-http-header-size of Node). */
export const maxHeaderBytes = 16 * 1024

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'

/** Responds to what Node's parser rejected, without routes. For Fastify's `clientErrorHandler`. */
export const clientErrorHandler = (config: Config) =>
  function respondToClientError(this: FastifyInstance, error: ClientError, socket: Socket): void {
    // The connection is broken: no response can be sent.
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    writeFailure(this.log, config, { socket, failure: failureOf(error), why: error.code, isHead: isOfHead(error) })
  }

/** `rawPacket` is the chunk in which the parser failed, mostly the first. */
type ClientError = Error & { code?: string; reason?: string; rawPacket?: unknown }

const isOfHead = ({ rawPacket }: ClientError) =>
  Buffer.isBuffer(rawPacket) && rawPacket.toString('latin1', 0, 5) === 'HEAD '
/** @NOTE `_httpMessage` is the current response; Node's own handler of these errors reads it. */
type Socket = Duplex & { remoteAddress?: string; _httpMessage?: ServerResponse | null }

/** The texts are the parser's, such as "Invalid header token"; none contains client data. */
function failureOf({ code = '', reason, message }: ClientError): Failure {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Failure('request_timeout')
  if (code === 'HPE_HEADER_OVERFLOW') return new Failure('head_too_large', { maxBytes: maxHeaderBytes })
  if (code === 'HPE_PAUSED_H2_UPGRADE')
    return new Failure('malformed_request', { problem: 'This server supports HTTP/1.1 only' })
  return new Failure('malformed_request', { problem: reason ?? message.replace(/^Parse Error: /, '') })
}

type Log = Pick<FastifyBaseLogger, 'info'>

interface Refusal {
  socket: Socket
  failure: Failure
  /** For the log. */
  why: string | undefined
  /** The response to HEAD has no body: its client would parse it as the next response. */
  isHead?: boolean
}

function writeFailure(log: Log, config: Config, { socket, failure, why, isHead = false }: Refusal): void {
  const requestId = randomUUID()
  const { status, code, message } = failure
  log.info({ reqId: requestId, status, code, why, address: socket.remoteAddress }, 'request')
  // Another response is partly sent: further bytes would be parsed as its body.
  if (!socket.writable || socket._httpMessage?.headersSent === true) return void socket.destroy()
  const body = JSON.stringify({ error: message, code })
  const headers = {
    ...commonHeaders(config, requestId),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...(status === 405 ? { allow: methods } : {}),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${isHead ? '' : body}`, () =>
    socket.destroy(),
  )
}

/** Refuses CONNECT, which Node emits with the bare socket, for the server's `connect` event. */
export const rejectConnect = (config: Config, log: Log) => (_request: IncomingMessage, socket: Socket) => {
  // Node has removed its listeners: an unhandled reset of the connection would end the process.
  socket.on('error', () => {})
  const failure = new Failure('method_not_allowed', { method: 'CONNECT', allowed: methods })
  writeFailure(log, config, { socket, failure, why: 'CONNECT' })
}

/**
 * Refuses requests that Node parses but HTTP forbids (RFC 9110, section 10.1.1; RFC 9112, section
 * 3.2). Runs first: of two Host headers a proxy may have checked one and the server use the other.
 * @throws {Failure} malformed_request, expectation_failed
 */
export function assertWellFormed({ raw }: FastifyRequest, reply: FastifyReply): void {
  const failure = brokenRule(raw)
  if (!failure) return
  reply.header('connection', 'close')
  throw failure
}

/**
 * Refuses compressed bodies: they could decompress to any size.
 * @param expected type of the body @throws {Failure} unsupported_body, naming the encoding
 */
export function assertUnencodedBody({ headers }: FastifyRequest, expected: string): void {
  const encoding = headers['content-encoding']
  if (encoding === undefined || /^(identity)?$/i.test(encoding)) return
  throw new Failure('unsupported_body', { expected: `${expected} without Content-Encoding: ${encoding.slice(0, 40)}` })
}

/** @returns the failure of a request that HTTP forbids */
export function brokenRule({ headers, rawHeaders, httpVersion }: IncomingMessage): Failure | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return new Failure('malformed_request', { problem: 'This server supports HTTP/1.1 only' })
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1'))
    return new Failure('malformed_request', { problem: 'it needs one Host' })
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
    return new Failure('expectation_failed')
  return undefined
}
