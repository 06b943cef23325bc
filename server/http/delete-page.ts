// The page of a delete link: GET shows the image and a button, POST deletes. Rendered here, because
// clients open it in any browser, with or without script (docs/decisions/0037).
import { createHash } from 'node:crypto'
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
    // The form has no fields: its body is left unread.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    scope.setErrorHandler((error, request, reply) => {
      const failure = prepareFailure(request, reply, toFailure(error as FastifyError, request))
      return sendPage(reply, site, { title: 'Image not deleted', text: [failure.message] })
    })
    scope.route({
      method: ['GET', 'HEAD'],
      url,
      async handler(request, reply) {
        const { link } = await begin(request, reply)
        const row = await findByDeleteLink(deps, link)
        const base = imageBaseUrl(deps.config, request)
        return sendPage(reply, site, {
          title: 'Delete this image?',
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
      return sendPage(reply, site, { title: 'Image deleted', text: ['Its links no longer work.'] })
    })
  })
}

interface Page {
  title: string
  /** Then the page has the button. */
  image?: { url: string; origin: string; name: string }
  text: string[]
}

function sendPage(reply: FastifyReply, site: string, { title, image, text }: Page): FastifyReply {
  const form = `<form method="post"><button>Delete image</button></form>`
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(`${title} · ${site}`)}</title>
<style>${style}</style>
<a href="/">${escapeHtml(site)}</a>
<main>
<h1>${escapeHtml(title)}</h1>
${image ? `<img src="${escapeHtml(image.url)}" alt="${escapeHtml(image.name)}">` : ''}
${text.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}
${image ? form : ''}
</main>
`
  return reply
    .headers({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'content-security-policy': [
        "default-src 'none'",
        `style-src 'sha256-${styleHash}'`,
        `img-src 'self' ${image?.origin ?? ''}`.trim(),
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ].join('; '),
    })
    .type('text/html; charset=utf-8')
    .send(html)
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** The colours of web/styles.css. */
const style = `
:root { color-scheme: light dark; font: 16px/1.5 ui-sans-serif, system-ui, sans-serif;
  color: light-dark(#14171d, #eef0f3); background: light-dark(#f9fafb, #0d0e11); }
body { max-width: 28rem; margin: 0 auto; padding: 1.5rem 1rem; }
a { color: inherit; font-weight: 600; text-decoration: none; }
main { margin-top: 1.5rem; padding: 1.5rem; border-radius: 12px; overflow-wrap: anywhere;
  background: light-dark(#fff, #15171a); border: 1px solid light-dark(#dde0e4, #2e3237); }
h1 { margin: 0 0 1rem; font-size: 1.375rem; line-height: 1.25; }
img { display: block; max-width: 100%; max-height: 60vh; margin: 0 auto 1rem; border-radius: 8px; }
p { margin: 0 0 .5rem; color: light-dark(#4b5058, #b2b6bc); }
button { width: 100%; min-height: 44px; margin-top: 1rem; border: 0; border-radius: 8px; cursor: pointer;
  font: inherit; font-weight: 600; color: #fff; background: light-dark(#c91b1f, #d42931); }
:focus-visible { outline: 2px solid light-dark(#2255d5, #8ab0fe); outline-offset: 2px; }
`
const styleHash = createHash('sha256').update(style).digest('base64')
