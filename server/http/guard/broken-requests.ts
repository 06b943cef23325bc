// What is no request, or none that we carry out: refused in the words of the API, and with one line in the log.
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { Failure } from '../../domain/failure.ts'
import { commonHeaders } from '../headers.ts'

/** More than the longest request line and headers together, https://nodejs.org/api/cli.html#--max-http-header-sizesize */
export const maxHeaderBytes = 16 * 1024

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'

/** What Node's parser gave up on; no route, hook or reply object exists for it. For Fastify's `clientErrorHandler`. */
export const clientErrorHandler = (config: Config) =>
  function answerClientError(this: FastifyInstance, error: ClientError, socket: AnsweringSocket): void {
    // The line broke: nobody is there to be answered.
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    answerByHand(this, config, { socket, failure: failureOf(error), why: error.code, isHead: isOfHead(error) })
  }

/** `rawPacket` is the piece of the request in which the parser gave up, mostly the first. */
type ClientError = Error & { code?: string; reason?: string; rawPacket?: unknown }

const isOfHead = ({ rawPacket }: ClientError) =>
  Buffer.isBuffer(rawPacket) && rawPacket.toString('latin1', 0, 5) === 'HEAD '
/** @NOTE `_httpMessage` is the answer under way on this line; Node's own handler of these errors looks at it as well. */
type AnsweringSocket = Duplex & { remoteAddress?: string; _httpMessage?: ServerResponse | null }

/** Texts are the parser's own, such as "Content-Length can't be present with Transfer-Encoding"; none holds what was sent. */
function failureOf({ code = '', reason, message }: ClientError): Failure {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Failure('request_timeout')
  if (code === 'HPE_HEADER_OVERFLOW') return new Failure('head_too_large', { maxBytes: maxHeaderBytes })
  if (code === 'HPE_PAUSED_H2_UPGRADE') return new Failure('malformed_request', { problem: 'HTTP/1.1 is spoken here' })
  return new Failure('malformed_request', { problem: reason ?? message.replace(/^Parse Error: /, '') })
}

interface Refusal {
  socket: AnsweringSocket
  failure: Failure
  /** For the log. */
  why: string | undefined
  /** HEAD has an answer without a body; its client would take one for the next answer. */
  isHead?: boolean
}

function answerByHand(app: FastifyInstance, config: Config, { socket, failure, why, isHead = false }: Refusal): void {
  const requestId = randomUUID()
  const { status, code, message } = failure
  app.log.info({ reqId: requestId, status, code, why, address: socket.remoteAddress }, 'request')
  // Half of another answer is out already: more bytes would be read as a part of it.
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

/** Node would answer these by itself, without a body; they take the way of every request instead, to `refuseBrokenRequest`. */
export function takeOddRequests(app: FastifyInstance, config: Config): void {
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    app.server.emit('request', request, response)
  })
  app.server.on('connect', (_request: IncomingMessage, socket: AnsweringSocket) => {
    // Node has let go of the socket, its listener too: unheard, a reset of the line would end the process.
    socket.on('error', () => {})
    const failure = new Failure('method_not_allowed', { method: 'CONNECT', allowed: methods })
    answerByHand(app, config, { socket, failure, why: 'CONNECT' })
  })
}

/**
 * Read by us, but not as the protocol wants it (RFC 9110, section 10.1.1; RFC 9112, section 3.2). Before anything of it is
 * looked at: who is served by one of two Hosts may have been let through by the other.
 * @throws {Failure} malformed_request, expectation_failed
 */
export function refuseBrokenRequest({ raw }: FastifyRequest, reply: FastifyReply): void {
  const failure = brokenRule(raw)
  if (!failure) return
  reply.header('connection', 'close')
  throw failure
}

/** @returns why it is not carried out */
export function brokenRule({ headers, rawHeaders, httpVersion }: IncomingMessage): Failure | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return new Failure('malformed_request', { problem: 'HTTP/1.1 is spoken here' })
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
