// Redirects addresses that imported images had at another host (docs/decisions/0055).
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../domain/shared/deps.ts'
import { findLegacyUrl } from '../../domain/delivery/legacy-paths.ts'
import { pathOf } from '../request/errors.ts'
import { isPageOrAsset, type Web } from './page-assets.ts'

/** Readable by other origins like the image. */
const headers = {
  'cache-control': 'public, max-age=3600',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

/** Paths of other hosts that a route here has too: share pages, unless it is an id, and originals. */
const sharedPath = /^\/(i\/(?![\w-]{22}$)|uploads\/)[^/]+$/

/** Paths of pages, files and originals of this server are not redirected. */
export function redirectLegacyPaths(app: FastifyInstance, deps: Deps, web: Web): void {
  const { LEGACY_PATHS: isOn, MEDIA_ORIGIN: origin = '' } = deps.config
  if (!isOn) return
  app.addHook('onRequest', async (request, reply) => {
    const path = pathOf(request)
    const isUnknown = request.routeOptions.url === '/*' && !path.startsWith('/assets/') && !isPageOrAsset(web, path)
    if (!['GET', 'HEAD'].includes(request.method) || !(isUnknown || sharedPath.test(path))) return
    // Caches store it: the host of the request, which the client may choose, must not be in it.
    const url = await findLegacyUrl(deps, { path, query: request.query as Record<string, unknown> }, origin)
    if (url !== undefined) return reply.headers(headers).redirect(url, 301)
  })
}
