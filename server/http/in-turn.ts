// One answer at a time on a line: a client that asks on without reading would fill our memory with answers that wait.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** No browser asks ahead (RFC 9112, section 9.3.2); what does, does it by a dozen. */
const mostWaiting = 64

/** @returns calls `answer` for the requests of a line one after the other, each when the answer before it has gone */
export function inTurn(log: Pick<FastifyBaseLogger, 'info'>, answer: Answer): Answer {
  const lines = new WeakMap<Socket, Parameters<Answer>[]>()

  const begin = (waiting: Parameters<Answer>[], request: IncomingMessage, response: ServerResponse) => {
    // Told also of an answer that is cut off: it is the first of its line, which has the socket.
    response.once('close', () => {
      const next = waiting.shift()
      if (!next) lines.delete(request.socket)
      else if (request.socket.writable) begin(waiting, ...next)
      // Cut off, or ended by its last answer: what is asked after a word of closing is not carried out (RFC 9112, section 9.6).
      else forget(request.socket, waiting.splice(0).length + 1)
    })
    answer(request, response)
  }
  const forget = (socket: Socket, unanswered: number) => {
    lines.delete(socket)
    log.info({ address: socket.remoteAddress, unanswered }, 'Cut off with requests that waited for their turn')
  }

  return (request, response) => {
    const { socket } = request
    // What the parser had read already still comes of a line that has ended.
    if (!socket.writable) return
    const waiting = lines.get(socket)
    if (!waiting) {
      const none: Parameters<Answer>[] = []
      lines.set(socket, none)
      begin(none, request, response)
    } else if (waiting.push([request, response]) > mostWaiting) {
      forget(socket, waiting.splice(0).length)
      socket.destroy()
    }
  }
}
