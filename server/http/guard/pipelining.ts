// One answer at a time on a line: a client that asks on without reading would fill our memory with answers that wait.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'

type Asked = [request: IncomingMessage, response: ServerResponse]
/** What is given to it is called when the answer has gone, or its client has. */
export type WhenGone = (told: () => void) => void
type Answer = (...args: [...Asked, whenGone: WhenGone]) => void

interface Line {
  isAnswering: boolean
  waiting: Asked[]
}

/** No browser asks ahead (RFC 9112, section 9.3.2); what does, does it by a dozen. */
const mostWaiting = 64

/** @returns calls `answer` for the requests of a line one after the other, each when the answer before it has gone */
export function inTurn(log: Pick<FastifyBaseLogger, 'info'>, answer: Answer): (...asked: Asked) => void {
  // For as long as there is the line: made once, found at each request.
  const lines = new WeakMap<Socket, Line>()

  const begin = (line: Line, [request, response]: Asked) => {
    line.isAnswering = true
    let told: (() => void) | undefined
    // Told also of an answer that is cut off: it is the first of its line, which has the socket.
    response.once('close', () => {
      told?.()
      const next = line.waiting.shift()
      if (!next) line.isAnswering = false
      else if (request.socket.writable) begin(line, next)
      // Cut off, or ended by its last answer: what is asked after a word of closing is not carried out (RFC 9112, section 9.6).
      else tellCutOff(request.socket, line.waiting.splice(0).length + 1)
    })
    answer(request, response, (tell) => (told = tell))
  }
  const tellCutOff = (socket: Socket, unanswered: number) => {
    log.info({ address: socket.remoteAddress, unanswered }, 'Cut off with requests that waited for their turn')
  }

  return (request, response) => {
    const { socket } = request
    // What the parser had read already still comes of a line that has ended.
    if (!socket.writable) return
    let line = lines.get(socket)
    if (!line) lines.set(socket, (line = { isAnswering: false, waiting: [] }))
    if (!line.isAnswering) begin(line, [request, response])
    else if (line.waiting.push([request, response]) > mostWaiting) {
      tellCutOff(socket, line.waiting.splice(0).length)
      socket.destroy()
    }
  }
}
