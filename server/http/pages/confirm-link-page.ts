// Pages without script at links that any browser or program opens: GET describes a change, POST makes it.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../domain/shared/deps.ts'
import { clientAddress } from '../request/client-address.ts'
import { prepareFailure, toFailure } from '../request/errors.ts'
import { inline, markup, sendHtml } from './html.ts'
import { imageBaseUrl } from '../request/media-origin.ts'
import { countAddress } from '../request/rate-limit.ts'

interface PlainPage {
  title: string
  text: string[]
  image?: { url: string; name: string }
  /** Sends a POST to the address of the page. */
  button?: { label: string; isDanger?: boolean }
}

export interface PlainPageRoute {
  /** With placeholders in braces. */
  path: string
  describe: (request: FastifyRequest, address: string) => Promise<PlainPage>
  change: (request: FastifyRequest, address: string) => Promise<PlainPage>
  failed: (message: string) => PlainPage
}

/** Binds the page. Every request counts towards the limit of its address. */
export function bindPlainPage(app: FastifyInstance, deps: Deps, route: PlainPageRoute): void {
  const url = route.path.replace(/\{(\w+)\}/g, ':$1')
  const handler = (makePage: PlainPageRoute['describe']) => async (request: FastifyRequest, reply: FastifyReply) => {
    const address = clientAddress(request)
    await countAddress(deps, reply, address)
    return sendPlainPage(deps, request, reply, await makePage(request, address))
  }
  app.register(async (scope) => {
    // The form has no fields: the body of the request is not read.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    scope.setErrorHandler((error, request, reply) => {
      const failure = prepareFailure(request, reply, toFailure(error as FastifyError, request))
      return sendPlainPage(deps, request, reply, route.failed(failure.message))
    })
    scope.route({ method: ['GET', 'HEAD'], url, handler: handler(route.describe) })
    scope.post(url, handler(route.change))
  })
}

function sendPlainPage(
  { config }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { title, text, image, button }: PlainPage,
): FastifyReply {
  const kind = button?.isDanger === true ? markup` class="danger"` : ''
  const page = markup`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${config.SITE_NAME}</title>
${style.element}
<a href="/">${config.SITE_NAME}</a>
<main>
<h1>${title}</h1>
${image ? markup`<img src="${image.url}" alt="${image.name}">` : ''}
${text.map((line) => markup`<p>${line}</p>`)}
${button ? markup`<form method="post"><button${kind}>${button.label}</button></form>` : ''}
</main>
`
  reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
  return sendHtml(reply, { page, styles: [style], hasForm: true }, imageBaseUrl(config, request))
}

/** The colours of web/styles.css. */
const style = inline(
  'style',
  `
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
  font: inherit; font-weight: 600; color: #fff; background: light-dark(#2255d5, #3568e3); }
.danger { background: light-dark(#c91b1f, #d42931); }
:focus-visible { outline: 2px solid light-dark(#2255d5, #8ab0fe); outline-offset: 2px; }
`,
)
