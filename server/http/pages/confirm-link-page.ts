// Pages without script at links that any browser or program opens: GET describes a change, POST makes it.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../domain/shared/deps.ts'
import { clientAddress } from '../request/client-address.ts'
import { prepareFailure, toFailure } from '../request/errors.ts'
import { inline, markup, sendHtml } from './html.ts'
import { noIndex, type PageFrame } from './page-frame.ts'
import { imageBaseUrl } from '../request/media-origin.ts'
import { countAddress } from '../request/request-rate.ts'

interface PlainPage {
  title: string
  text: string[]
  image?: { url: string; name: string }
  /** Sends a POST to the address of the page. */
  button?: { label: string; isDanger?: boolean }
  link?: { label: string; to: string }
}

export interface PlainPageRoute {
  /** With placeholders in braces. */
  path: string
  describe: (request: FastifyRequest, address: string) => Promise<PlainPage>
  change: (request: FastifyRequest, address: string) => Promise<PlainPage>
  failed: (message: string) => PlainPage
}

/** Binds the page. Every request counts towards the limit of its address. */
export function bindPlainPage(app: FastifyInstance, deps: Deps, frame: PageFrame, route: PlainPageRoute): void {
  const url = route.path.replace(/\{(\w+)\}/g, ':$1')
  const handler = (makePage: PlainPageRoute['describe']) => async (request: FastifyRequest, reply: FastifyReply) => {
    const address = clientAddress(request)
    await countAddress(deps, reply, address)
    return sendPlainPage({ deps, frame }, request, reply, await makePage(request, address))
  }
  app.register(async (scope) => {
    // The form has no fields: the body of the request is not read.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    scope.setErrorHandler((error, request, reply) => {
      const failure = prepareFailure(request, reply, toFailure(error as FastifyError, request))
      return sendPlainPage({ deps, frame }, request, reply, route.failed(failure.message))
    })
    scope.route({ method: ['GET', 'HEAD'], url, handler: handler(route.describe) })
    scope.post(url, handler(route.change))
  })
}

function sendPlainPage(
  { deps: { config }, frame }: { deps: Deps; frame: PageFrame },
  request: FastifyRequest,
  reply: FastifyReply,
  { title, text, image, button, link }: PlainPage,
): FastifyReply {
  const body = markup`<main>
<h1>${title}</h1>
${image ? markup`<img src="${image.url}" alt="${image.name}">` : ''}
${text.map((line) => markup`<p>${line}</p>`)}
<div class="actions">
${link ? markup`<a class="button" href="${link.to}">${link.label}</a>` : ''}
${button ? markup`<form method="post"><button class="button ${button.isDanger === true ? 'danger' : 'primary'}">${button.label}</button></form>` : ''}
</div>
</main>`
  const page = frame({ language: 'en', title, head: [noIndex], styles: [style], body, hasForm: true })
  reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
  return sendHtml(reply, page, imageBaseUrl(config, request))
}

const style = inline(
  'style',
  `
main { width: calc(100% - 2rem); max-width: 28rem; margin: clamp(1rem, 9vh, 6rem) auto; padding: 1.5rem;
  border-radius: 16px; background: var(--surface); border: 1px solid var(--border); }
main img { display: block; max-width: 100%; max-height: 45vh; margin: 1rem auto; border-radius: 8px; }
h1 + p { margin-top: .75rem; }
p + p { margin-top: .5rem; }
.actions { display: grid; grid-auto-columns: minmax(0, 1fr); grid-auto-flow: column; margin-top: 1.5rem; }
form .button { width: 100%; }
`,
)
