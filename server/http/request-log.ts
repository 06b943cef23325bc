// One line a request, however it ends: its path without the query, which may hold what is nobody's business.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notedOf } from './log-facts.ts'

export function logRequests(app: FastifyInstance): void {
  const logged = new WeakSet<FastifyRequest>()
  const log = (request: FastifyRequest, reply: FastifyReply) => {
    if (logged.has(request)) return
    logged.add(request)
    request.log.info(
      {
        ...lineOf({
          method: request.method,
          url: request.url,
          status: reply.statusCode,
          ms: reply.elapsedTime,
          address: request.ip,
        }),
        ...notedOf(request),
      },
      'request',
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

/** What every line says, whoever writes it. */
export function lineOf({ method, url, status, ms, address }: Answered) {
  return { method, path: url.split('?')[0], status, ms: Math.round(ms * 10) / 10, address }
}

interface Answered {
  method: string
  url: string
  status: number
  ms: number
  address: string | undefined
}
