// Serializes pipelined requests: otherwise responses queue in memory for a client that never reads.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'

type Exchange = [request: IncomingMessage, response: ServerResponse]
/** Registers a listener for the end of the response. Cheaper than another `once('close')`. */
export type OnClose = (listener: () => void) => void
type Handle = (...args: [...Exchange, onClose: OnClose]) => void

interface Connection {
  isBusy: boolean
  queue: Exchange[]
}

/** Browsers do not pipeline (RFC 9112, section 9.3.2); other clients queue a dozen requests, 2 kB each. */
const maxQueued = 16

/** @returns a request listener that calls `handle` for one request of a connection at a time */
export function serializeRequests(
  log: Pick<FastifyBaseLogger, 'info'>,
  handle: Handle,
): (...exchange: Exchange) => void {
  const connections = new WeakMap<Socket, Connection>()

  const start = (connection: Connection, [request, response]: Exchange) => {
    connection.isBusy = true
    let listener: (() => void) | undefined
    // Emitted for an aborted response too: the first response of a connection has the socket.
    response.on('close', () => {
      listener?.()
      const next = connection.queue.shift()
      if (!next) connection.isBusy = false
      else if (request.socket.writable) start(connection, next)
      // Requests after an abort or `connection: close` are dropped (RFC 9112, section 9.6).
      else logDropped(request.socket, connection.queue.splice(0).length + 1)
    })
    handle(request, response, (added) => (listener = added))
  }
  const logDropped = (socket: Socket, dropped: number) => {
    log.info({ address: socket.remoteAddress, dropped }, 'Connection closed with pipelined requests queued')
  }

  return (request, response) => {
    const { socket } = request
    // The parser still emits requests that it had read before the socket ended.
    if (!socket.writable) return
    let connection = connections.get(socket)
    if (!connection) connections.set(socket, (connection = { isBusy: false, queue: [] }))
    if (!connection.isBusy) start(connection, [request, response])
    else if (connection.queue.push([request, response]) > maxQueued) {
      logDropped(socket, connection.queue.splice(0).length)
      socket.destroy()
    }
  }
}
