// The share page of an image, its custom link, and oEmbed (docs/decisions/0044).
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sharePagePath, slugPath } from '../../../../contract/plain/page-paths.ts'
import { imageUrls, withKey } from '../../../../contract/derive/client.ts'
import type { Config } from '../../../config.ts'
import type { Deps } from '../../../domain/shared/deps.ts'
import { findSharedImage, isKeyed } from '../../../domain/images/shared-image.ts'
import { baseUrl, clientAddress } from '../../request/client-address.ts'
import { type HtmlPage, sendHtml } from '../html.ts'
import type { PageFrame } from '../page-frame.ts'
import { noteIds } from '../../request/log-context.ts'
import { imageBaseUrl } from '../../request/media-origin.ts'
import { addVary } from '../../request/vary.ts'
import { countAddress } from '../../request/request-rate.ts'
import { viewKeyIn } from './view-key.ts'
import { bindOembed } from './oembed.ts'
import { isOpenToStrangers, sendNoImage } from './no-image-page.ts'
import { sharePage } from './share-page.ts'
import { isView } from '../../delivery/counted-views.ts'
import { languageOf } from './accepted-language.ts'

export function bindShare(app: FastifyInstance, deps: Deps, frame: PageFrame): void {
  const { config } = deps
  const method = ['GET', 'HEAD']
  bindOembed(app, deps)
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendNoImage(deps, frame, request, reply, error as FastifyError))
    scope.route({
      method,
      url: sharePagePath.replace('{id}', ':id'),
      async handler(request, reply) {
        const { id } = request.params as { id: string }
        noteIds(request, 'images', { id })
        const shared = await findSharedImage(deps, 'id', id, viewKeyIn(request))
        if (request.method === 'GET' && isView(config, request.headers)) deps.viewCounts.count(id)
        const isPublic = !isKeyed(shared.row)
        const isIndexed = isPublic && config.ROBOTS_INDEX === 'all'
        if (!isIndexed) reply.header('x-robots-tag', 'noindex')
        const page = sharePage({
          shared,
          origins: { baseUrl: imageBaseUrl(config, request), siteUrl: baseUrl(config, request) },
          site: config.SITE_NAME,
          frame,
          language: languageOf(request.headers['accept-language']),
          isIndexed,
          isOpen: isOpenToStrangers(config),
          nowMs: deps.now(),
        })
        // Stored by no cache without asking: a deleted image has no page.
        reply.header('cache-control', isPublic ? 'no-cache' : 'private, no-cache')
        return send(config, request, reply, page)
      },
    })
    scope.route({
      method,
      url: slugPath.replace('{slug}', ':slug'),
      async handler(request, reply) {
        // Custom links can be guessed, unlike ids.
        await countAddress(deps, reply, clientAddress(request))
        const { slug } = request.params as { slug: string }
        const key = viewKeyIn(request)
        const { row } = await findSharedImage(deps, 'slug', slug.toLowerCase(), key)
        noteIds(request, 'images', row)
        const page = imageUrls.sharePage(baseUrl(config, request), row.id)
        return reply
          .headers({ 'cache-control': 'no-cache', 'x-robots-tag': 'noindex' })
          .redirect(isKeyed(row) ? withKey(page, key) : page, 302)
      },
    })
  })
}

function send(config: Config, request: FastifyRequest, reply: FastifyReply, page: HtmlPage): FastifyReply {
  addVary(reply, 'Accept-Language')
  return sendHtml(reply, page, imageBaseUrl(config, request))
}
