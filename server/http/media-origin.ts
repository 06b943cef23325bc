// Pictures on a host of their own: what a stranger uploaded never shares an origin with the page and its tokens.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { Failure } from '../domain/failure.ts'
import { baseUrl } from './client-address.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The answer is the bytes of a picture. */
    isPicture?: boolean
  }
}

/** What the addresses of pictures in replies begin with. */
export const pictureUrl = (config: Config, request: FastifyRequest): string =>
  config.MEDIA_ORIGIN ?? baseUrl(config, request)

/**
 * On the host of MEDIA_ORIGIN there are pictures and nothing else, and pictures are nowhere else: whoever writes a link picks its
 * host, so on every other one they are sent there. @throws {Failure} endpoint_not_found
 */
export function keepToPictures(app: FastifyInstance, config: Config): void {
  const origin = config.MEDIA_ORIGIN
  if (origin === undefined) return
  app.addHook('onRequest', async (request, reply) => {
    const isPicture = request.routeOptions.config.isPicture === true
    if (isForMedia(config, request)) {
      if (!isPicture) refuse(request)
    } else if (isPicture) return sendThere(request, reply, origin)
  })
}

/** @throws {Failure} endpoint_not_found */
function refuse(request: FastifyRequest): never {
  const path = request.url.split('?')[0] ?? ''
  throw new Failure('endpoint_not_found', { method: request.method, path: path.slice(0, 200) })
}

/** For pages of other sites and for scripts, as the picture itself. Not kept: the operator may take the setting back. */
function sendThere(request: FastifyRequest, reply: FastifyReply, origin: string): FastifyReply {
  // A request may name its whole address (RFC 9112, section 3.2.2): its host is not ours to send anybody to.
  const path = request.url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
  return reply
    .headers({
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    .redirect(origin + path, 308)
}

/** By the Host that was sent and by no other header: what a proxy adds may be the caller's own word. */
export function isForMedia({ MEDIA_ORIGIN: origin }: Config, { headers }: Pick<IncomingMessage, 'headers'>): boolean {
  if (origin === undefined || headers.host === undefined) return false
  const { host, port, protocol } = new URL(origin)
  const sent = headers.host.toLowerCase()
  return sent === host || (port === '' && sent === `${host}:${protocol === 'https:' ? 443 : 80}`)
}
