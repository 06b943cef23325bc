// Redirects addresses that imported images had at another host (docs/decisions/0055).
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../domain/deps.ts'
import { findLegacyUrl } from '../domain/images/legacy-paths.ts'
import { pathOf } from './errors.ts'
import { imageBaseUrl } from './media-origin.ts'

/** Readable by other origins like the image. */
const headers = {
  'cache-control': 'public, max-age=3600',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

/** Paths of other hosts that a route here has too: share pages, unless it is an id, and originals. */
const sharedPath = /^\/(i\/(?![\w-]{22}$)|uploads\/)[^/]+$/

export function redirectLegacyPaths(app: FastifyInstance, deps: Deps): void {
  if (!deps.config.LEGACY_PATHS) return
  app.addHook('onRequest', async (request, reply) => {
    const path = pathOf(request)
    const isUnknown = request.routeOptions.url === '/*' && !path.startsWith('/assets/')
    if (!['GET', 'HEAD'].includes(request.method) || !(isUnknown || sharedPath.test(path))) return
    const url = await findLegacyUrl(deps, path, imageBaseUrl(deps.config, request))
    if (url !== undefined) return reply.headers(headers).redirect(url, 301)
  })
}
