// Images on a host of their own: an uploaded file never shares an origin with the page and its tokens.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { Failure } from '../domain/failure.ts'
import { baseUrl } from './client-address.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response is the bytes of an image. */
    isPicture?: boolean
  }
}

/** The origin of image URLs in responses. */
export const pictureUrl = (config: Config, request: FastifyRequest): string =>
  config.MEDIA_ORIGIN ?? baseUrl(config, request)

/**
 * Serves images only on the host of MEDIA_ORIGIN, and nothing else there. Links may name any host: requests for images on
 * other hosts are redirected. @throws {Failure} endpoint_not_found
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

/** For pages of other sites and for scripts, as the image itself. Not cacheable: the operator may remove the setting. */
function sendThere(request: FastifyRequest, reply: FastifyReply, origin: string): FastifyReply {
  // A request may contain an absolute URL (RFC 9112, section 3.2.2), whose host must not become the target of a redirect.
  const path = request.url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
  return reply
    .headers({
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    .redirect(origin + path, 308)
}

/** Decided by the Host header only: headers that proxies add may come from the client. */
export function isForMedia({ MEDIA_ORIGIN: origin }: Config, { headers }: Pick<IncomingMessage, 'headers'>): boolean {
  if (origin === undefined || headers.host === undefined) return false
  const { host, port, protocol } = new URL(origin)
  const sent = headers.host.toLowerCase()
  return sent === host || (port === '' && sent === `${host}:${protocol === 'https:' ? 443 : 80}`)
}
