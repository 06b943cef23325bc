// The page for people who open the address of an image that is not there.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { FailureCode } from '../../../../contract/plain/failures.ts'
import { paths } from '../../../../contract/plain/page-paths.ts'
import type { Config } from '../../../config.ts'
import { findExpiredAt } from '../../../domain/images/expiry/expired-at.ts'
import { viewableBy } from '../../../domain/images/may-view.ts'
import type { Deps } from '../../../domain/shared/deps.ts'
import { Failure } from '../../../domain/shared/failure.ts'
import { baseUrl } from '../../request/client-address.ts'
import { pathOf, prepareFailure, toFailure } from '../../request/errors.ts'
import { imageBaseUrl, isForMedia } from '../../request/media-origin.ts'
import { isOpenedByBrowser, openedByBrowserVary } from '../../request/opened-by-browser.ts'
import { addVary } from '../../request/vary.ts'
import { viewKeyIn } from './view-key.ts'
import { inline, markup, sendHtml } from '../html.ts'
import { noIndex, type PageFrame } from '../page-frame.ts'
import { dateOf } from './page-dates.ts'
import { type Language, type Texts, textsIn } from './share-texts.ts'
import { languageOf } from './accepted-language.ts'

type Problem = 'notFound' | 'gone' | 'unavailable' | 'busy'

const problems: Partial<Record<FailureCode, Problem>> = {
  image_not_found: 'notFound',
  endpoint_not_found: 'notFound',
  image_gone: 'gone',
  image_unavailable: 'unavailable',
}

/** Sends the page with the status of the failure: of requests for an image, and for its share page. */
export async function sendNoImage(
  deps: Deps,
  frame: PageFrame,
  request: FastifyRequest,
  reply: FastifyReply,
  error: FastifyError | Failure,
): Promise<FastifyReply> {
  const { config } = deps
  const { code, status } = prepareFailure(request, reply, toFailure(error, request))
  const problem = problems[code] ?? 'busy'
  const { slug } = (request.params ?? {}) as { slug?: string }
  const by = slug === undefined ? { path: pathOf(request) } : { slug: slug.toLowerCase() }
  const mayView = viewableBy(deps, { key: viewKeyIn(request) })
  const expiredAt = problem === 'gone' ? await findExpiredAt(deps, by, mayView) : null
  const language = languageOf(request.headers['accept-language'])
  const text = textsIn(language)
  const [title, hint] = wordsOf(problem, text, language, expiredAt)
  const siteUrl = isForMedia(config, request) ? baseUrl(config, request) : undefined
  const body = markup`<main>
<p class="code" aria-hidden="true">${status}</p>
<h1>${title}</h1>
${hint === undefined ? '' : markup`<p>${hint}</p>`}
<p class="actions"><a class="button primary" href="${siteUrl ?? ''}${paths.home}">${isOpenToStrangers(config) ? text.hostYourOwn : text.startPage}</a></p>
</main>`
  const page = frame({ language, title, head: [noIndex], styles: [noImageStyle], body, siteUrl })
  addVary(reply, 'Accept-Language')
  return sendHtml(reply.header('x-robots-tag', 'noindex'), page, imageBaseUrl(config, request))
}

/** Handles the errors of requests for images: a page for people who open the address, data for programs and <img>. */
export const handleImageErrors =
  (deps: Deps, frame: PageFrame) =>
  async (error: FastifyError | Failure, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    addVary(reply, openedByBrowserVary)
    const isShown = error instanceof Failure && error.code in problems && isOpenedByBrowser(request.headers)
    // Handled like every other error.
    if (!isShown) throw error
    return sendNoImage(deps, frame, request, reply, error)
  }

function wordsOf(
  problem: Problem,
  text: Texts,
  language: Language,
  expiredAt: number | null,
): [title: string, hint?: string] {
  if (problem === 'busy') return [text.busy]
  if (expiredAt !== null) return [text.expiredOn(dateOf(expiredAt, language)), text.goneHint]
  const hints = { notFound: text.notFoundHint, gone: text.goneHint, unavailable: text.unavailableHint }
  return [text[problem], hints[problem]]
}

/** Whether strangers can upload, as guests or after registering. */
export const isOpenToStrangers = ({ GUEST_UPLOADS: guests, REGISTRATION: registration }: Config) =>
  guests || registration === 'open'

/** As the page of the application for unknown addresses. */
export const noImageStyle = inline(
  'style',
  `
main { display: grid; flex: 1; place-content: center; justify-items: center; padding: 3rem 1rem 6rem; text-align: center; }
.code { margin: 0 0 .75rem; font-size: clamp(2.25rem, 1.4rem + 3.4vw, 4rem); line-height: 1.03; font-weight: 640;
  letter-spacing: -.035em; color: var(--text-3); }
main h1 { max-width: 24ch; font-size: 1.625rem; line-height: 2rem; font-weight: 620; letter-spacing: -.02em; }
main p:not([class]) { max-width: 44ch; margin-top: .75rem; font-size: 1rem; line-height: 1.5rem; text-wrap: balance; }
main .actions { margin-top: 1.75rem; }
`,
)
