// Redirects addresses that imported images had at another host (docs/decisions/0055).
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../domain/shared/deps.ts'
import { findLegacyTarget, type LegacyTarget } from '../../domain/delivery/legacy-paths.ts'
import { cacheControl } from '../delivery/cache-headers.ts'
import { pathOf } from '../request/errors.ts'
import { isPageOrAsset, type Web } from './page-assets.ts'

/** Readable by other origins like the image, and cached and purged like it: who may not see it must not learn where it is. */
const headersOf = ({ config, now }: Pick<Deps, 'config' | 'now'>, { imageId, isThereUntil }: LegacyTarget) => ({
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  ...(isThereUntil === null
    ? { 'cache-control': 'private, no-store' }
    : {
        'cache-control': cacheControl(config, { visibility: 'public', named: null, expires_at: isThereUntil }, now()),
        'surrogate-key': imageId,
        'cache-tag': imageId,
      }),
})

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
    const found = await findLegacyTarget(deps, { path, query: request.query as Record<string, unknown> }, origin)
    if (found !== undefined) return reply.headers(headersOf(deps, found)).redirect(found.url, 301)
  })
}
