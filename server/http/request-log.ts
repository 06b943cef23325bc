// One line a request, however it ends: its path without the query, which may hold what is nobody's business.
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notedOf } from './log-facts.ts'

export type WriteLine = (answered: Answered, facts?: object) => void

/** Every field is ours and named here, so nothing is looked for that must not be told: that took six times the line itself. */
export function requestLines(log: FastifyBaseLogger): WriteLine {
  const lines = log.child({}, { redact: [] })
  return ({ reqId, method, url, status, ms, address }, facts) =>
    lines.info(
      { reqId, method, path: url.split('?', 1)[0], status, ms: Math.round(ms * 10) / 10, address, ...facts },
      'request',
    )
}

export function logRequests(app: FastifyInstance, write: WriteLine): void {
  const logged = new WeakSet<FastifyRequest>()
  const log = (request: FastifyRequest, reply: FastifyReply) => {
    if (logged.has(request)) return
    logged.add(request)
    write(
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
  // An answer to a client that has left is never at its end. Where there is none yet, its line comes with it.
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.once('close', () => {
      if (reply.raw.headersSent) log(request, reply)
    })
  })
  app.addHook('onSend', async (request, reply) => {
    if (reply.raw.closed || request.raw.socket.destroyed) log(request, reply)
  })
}

interface Answered {
  reqId: string
  method: string
  url: string
  status: number
  ms: number
  address: string | undefined
}
