// The page of a delete link: GET shows the image and a button, POST deletes. Rendered here, because
// clients open it in any browser, with or without script (docs/decisions/0037).
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { imageUrls } from '../../contract/client.ts'
import { formatBytes } from '../../contract/format-bytes.ts'
import { deletePagePath } from '../../contract/page-paths.ts'
import type { Deps } from '../domain/deps.ts'
import { type DeleteLink, deleteByLink, findByDeleteLink } from '../domain/images/delete-links.ts'
import { clientAddress } from './client-address.ts'
import { prepareFailure, toFailure } from './errors.ts'
import { noteIds } from './log-facts.ts'
import { imageBaseUrl } from './media-origin.ts'
import { sendPlainPage, withoutBody } from './plain-page.ts'
import { countAddress } from './rate-limit.ts'

export function bindDeletePage(app: FastifyInstance, deps: Deps): void {
  const url = deletePagePath.replace(/\{(\w+)\}/g, ':$1')
  const begin = async (request: FastifyRequest, reply: FastifyReply) => {
    const address = clientAddress(request)
    await countAddress(deps, reply, address)
    noteIds(request, 'images', request.params)
    return { address, link: request.params as DeleteLink }
  }
  const { SITE_NAME: site } = deps.config
  app.register(async (scope) => {
    withoutBody(scope)
    scope.setErrorHandler((error, request, reply) => {
      const failure = prepareFailure(request, reply, toFailure(error as FastifyError, request))
      return sendPlainPage(reply, site, { title: 'Image not deleted', text: [failure.message] })
    })
    scope.route({
      method: ['GET', 'HEAD'],
      url,
      async handler(request, reply) {
        const { link } = await begin(request, reply)
        const row = await findByDeleteLink(deps, link)
        const base = imageBaseUrl(deps.config, request)
        return sendPlainPage(reply, site, {
          title: 'Delete this image?',
          button: { label: 'Delete image', isDanger: true },
          image: { url: imageUrls.thumbnail(base, row.id), origin: base, name: row.original_name },
          text: [
            row.original_name,
            `${row.width} × ${row.height}, ${formatBytes(row.bytes)}`,
            'Its links stop working. This cannot be undone.',
          ],
        })
      },
    })
    scope.post(url, async (request, reply) => {
      const given = await begin(request, reply)
      await deleteByLink(deps, { caller: { kind: 'guest' }, ...given })
      return sendPlainPage(reply, site, { title: 'Image deleted', text: ['Its links no longer work.'] })
    })
  })
}
