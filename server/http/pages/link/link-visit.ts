// What a request says about the visit of a link: of whom, from where, of which album.
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../../domain/shared/deps.ts'
import { isPreviewRobot } from '../../delivery/robots.ts'
import { baseUrl } from '../../request/client-address.ts'

export function visitOf({ config }: Deps, request: FastifyRequest) {
  const { slug, albumId } = request.params as { slug: string; albumId?: string }
  return {
    slug: slug.toLowerCase(),
    albumId,
    cookie: request.headers.cookie,
    isRobot: isPreviewRobot(request.headers),
    isHead: request.method === 'HEAD',
    isFromOwnPage: request.headers['sec-fetch-site'] === 'same-origin',
    siteUrl: baseUrl(config, request),
  }
}

export const textIn = (from: unknown, name: string): string | undefined => {
  const value = (from as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'string' ? value : undefined
}
