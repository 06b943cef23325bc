// The page of a delete link: GET shows the image and a button, POST deletes. Rendered here, because
// clients open it in any browser, with or without script (docs/decisions/0037).
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { imageUrls } from '../../../contract/derive/client.ts'
import { formatBytes } from '../../../contract/plain/format-bytes.ts'
import { deletePagePath, paths, sharePagePath } from '../../../contract/plain/page-paths.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import { type DeleteLink, deleteByLink, findByDeleteLink } from '../../domain/images/deletion/delete-links.ts'
import { noteIds } from '../request/log-context.ts'
import { imageBaseUrl } from '../request/media-origin.ts'
import { bindPlainPage } from './confirm-link-page.ts'
import type { PageFrame } from './page-frame.ts'

export function bindDeletePage(app: FastifyInstance, deps: Deps, frame: PageFrame): void {
  bindPlainPage(app, deps, frame, {
    path: deletePagePath,
    async describe(request) {
      const row = await findByDeleteLink(deps, linkOf(request))
      // Showing an image with limited views would take one.
      const isShown = row.views_left === null
      return {
        title: 'Delete this image?',
        button: { label: 'Delete image', isDanger: true },
        link: { label: 'Cancel', to: isShown ? sharePagePath.replace('{id}', row.id) : paths.home },
        ...(isShown && {
          image: { url: imageUrls.thumbnail(imageBaseUrl(deps.config, request), row.id), name: row.original_name },
        }),
        text: [
          row.original_name,
          `${row.width} × ${row.height}, ${formatBytes(row.bytes)}`,
          'Its links stop working. This cannot be undone.',
        ],
      }
    },
    async change(request, address) {
      await deleteByLink(deps, { caller: { kind: 'guest' }, address, link: linkOf(request) })
      return { title: 'Image deleted', text: ['Its links no longer work.'], link: start }
    },
    failed: (message) => ({ title: 'Image not deleted', text: [message], link: start }),
  })
}

const start = { label: 'Start page', to: paths.home }

function linkOf(request: FastifyRequest): DeleteLink {
  noteIds(request, 'images', request.params)
  return request.params as DeleteLink
}
