// Which pages of other origins may use the API (CORS_ORIGINS), and requests that come from others.
import cors from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { baseUrl } from './client-address.ts'

export async function allowOrigins(app: FastifyInstance, config: Config): Promise<void> {
  if (config.CORS_ORIGINS.length === 0) return
  await app.register(cors, {
    origin: config.CORS_ORIGINS,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: [
      ...['Link', 'X-Total-Count', 'X-Request-Id', 'Retry-After', 'X-Challenge'],
      ...['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
      // Of resumable uploads.
      ...['Location', 'Upload-Offset', 'Upload-Length', 'Upload-Metadata', 'Upload-Expires'],
      ...['Tus-Resumable', 'Tus-Version', 'Tus-Extension', 'Tus-Max-Size'],
    ],
  })
}

/** Whether this is from a page of another origin, not in CORS_ORIGINS. Programs send no Origin. */
export function isForeignOrigin(config: Config, request: FastifyRequest): boolean {
  const { origin } = request.headers
  if (origin === undefined) return false
  const known = [baseUrl(config, request), ...config.CORS_ORIGINS]
  return !known.some((url) => new URL(url).origin === origin)
}
