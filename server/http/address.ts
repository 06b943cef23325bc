// Under which address the caller sees us.
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

/** A page of another site must not upload in the name of its visitor's address. @throws {Failure} foreign_origin */
export function refuseForeignOrigin(config: Config, request: FastifyRequest): void {
  const { origin } = request.headers
  if (origin === undefined) return
  const known = [baseUrl(config, request), ...config.CORS_ORIGINS]
  if (!known.some((url) => new URL(url).origin === origin)) throw new Failure('foreign_origin')
}
