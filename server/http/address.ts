// Under which address the caller sees us.
import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { Failure } from '../domain/failure.ts'

/** PUBLIC_URL, else what the request says, which is only believed when it looks like a host. */
export function baseUrl(config: Config, request: FastifyRequest): string {
  if (config.PUBLIC_URL !== undefined) return config.PUBLIC_URL
  return /^[\w.-]{1,253}(:\d{1,5})?$|^\[[\da-fA-F:.]{2,45}\](:\d{1,5})?$/.test(request.host)
    ? `${request.protocol}://${request.host}`
    : `http://${config.HOST}:${config.PORT}`
}

/** Whom limits count: the client's address, an IPv6 network of 64 bits as one, since it belongs to one household. */
export function clientAddress(request: FastifyRequest): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(request.ip)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(request.ip)) return request.ip
  const [head = '', tail = ''] = request.ip.split('%')[0]?.split('::') ?? []
  const front = head.split(':').filter(Boolean)
  const back = tail.split(':').filter(Boolean)
  const zeros = request.ip.includes('::') ? Array<string>(8 - front.length - back.length).fill('0') : []
  return `${[...front, ...zeros, ...back].slice(0, 4).join(':')}::/64`
}

/** A page of another site must not upload in the name of its visitor's address. @throws {Failure} foreign_origin */
export function refuseForeignOrigin(config: Config, request: FastifyRequest): void {
  if (isForeignOrigin(config, request)) throw new Failure('foreign_origin')
}

/** Whether a page of another site sent this, one that the operator has not named. Programs send no Origin. */
export function isForeignOrigin(config: Config, request: FastifyRequest): boolean {
  const { origin } = request.headers
  if (origin === undefined) return false
  const known = [baseUrl(config, request), ...config.CORS_ORIGINS]
  return !known.some((url) => new URL(url).origin === origin)
}
