// Pictures on a host of their own: what a stranger uploaded never shares an origin with the page and its tokens.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { Failure } from '../domain/failure.ts'
import { baseUrl } from './address.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The answer is the bytes of a picture. */
    isPicture?: boolean
  }
}

/** What the addresses of pictures in replies begin with. */
export const pictureUrl = (config: Config, request: FastifyRequest): string =>
  config.MEDIA_ORIGIN ?? baseUrl(config, request)

/** On the host of MEDIA_ORIGIN there are pictures and nothing else. @throws {Failure} endpoint_not_found */
export function keepToPictures(app: FastifyInstance, config: Config): void {
  app.addHook('onRequest', async (request) => {
    if (!isForMedia(config, request) || request.routeOptions.config.isPicture === true) return
    const path = request.url.split('?')[0] ?? ''
    throw new Failure('endpoint_not_found', { method: request.method, path: path.slice(0, 200) })
  })
}

/** By the Host that was sent and by no other header: what a proxy adds may be the caller's own word. */
export function isForMedia({ MEDIA_ORIGIN: origin }: Config, { headers }: FastifyRequest): boolean {
  if (origin === undefined || headers.host === undefined) return false
  const { host, port, protocol } = new URL(origin)
  const sent = headers.host.toLowerCase()
  return sent === host || (port === '' && sent === `${host}:${protocol === 'https:' ? 443 : 80}`)
}
