// Serves images on a separate host: uploads share no origin with the page and its tokens.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { baseUrl } from './client-address.ts'
import { endpointNotFound } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response is the bytes of an image. */
    isImage?: boolean
  }
}

/** The origin of image URLs in responses. */
export const imageBaseUrl = (config: Config, request: FastifyRequest): string =>
  config.MEDIA_ORIGIN ?? baseUrl(config, request)

/**
 * Serves images only on the host of MEDIA_ORIGIN, and nothing else there. Requests for images on
 * other hosts are redirected. @throws {Failure} endpoint_not_found
 */
export function separateMediaHost(app: FastifyInstance, config: Config): void {
  const origin = config.MEDIA_ORIGIN
  if (origin === undefined) return
  app.addHook('onRequest', async (request, reply) => {
    const isImage = request.routeOptions.config.isImage === true
    if (isForMedia(config, request)) {
      if (!isImage) throw endpointNotFound(request)
    } else if (isImage) return redirectToMedia(request, reply, origin)
  })
}

/** Readable by other origins like the image. Not cacheable: the operator may remove the setting. */
function redirectToMedia(request: FastifyRequest, reply: FastifyReply, origin: string): FastifyReply {
  // The host of an absolute URL (RFC 9112, section 3.2.2) must not become that of the redirect.
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
