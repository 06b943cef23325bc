// The pages of links with a text instead of images: the password, and a link that has ended.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { paths } from '../../../../contract/plain/page-paths.ts'
import type { Deps } from '../../../domain/shared/deps.ts'
import type { Failure } from '../../../domain/shared/failure.ts'
import { pathOf, prepareFailure, toFailure } from '../../request/errors.ts'
import { imageBaseUrl } from '../../request/media-origin.ts'
import { isOpenedByBrowser, openedByBrowserVary } from '../../request/opened-by-browser.ts'
import { addVary } from '../../request/vary.ts'
import { Html, type HtmlPage, markup, sendHtml } from '../html.ts'
import { noIndex, type PageFrame } from '../page-frame.ts'
import { noImageStyle } from '../share/no-image-page.ts'
import { type Language, textsIn } from '../share/share-texts.ts'
import { languageOf } from '../share/accepted-language.ts'
import { textPageStyle } from './link-style.ts'
import { inTime, linkTextsIn } from './link-texts.ts'

const lock = new Html(
  '<p class="lock"><svg viewBox="0 0 24 24" aria-hidden="true"><rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V7.5a4 4 0 0 1 8 0V11"/></svg></p>',
)

interface PasswordPage {
  frame: PageFrame
  language: Language
  /** What was wrong with the last one. */
  problem?: string
  preview?: Html[]
}

/** Says nothing of the link but that it has a password. */
export function passwordPage({ frame, language, problem, preview = [] }: PasswordPage): HtmlPage {
  const text = linkTextsIn(language)
  const wrong = problem === undefined ? '' : markup` aria-invalid="true" aria-describedby="wrong"`
  const body = markup`<main>
${lock}
<h1>${text.protected}</h1>
<p>${text.protectedHint}</p>
<form method="post">
<label for="password">${text.password}</label>
<input id="password" name="password" type="password" autocomplete="off" required autofocus maxlength="200"${wrong}>
${problem === undefined ? '' : markup`<p class="wrong" id="wrong" role="alert">${problem}</p>`}
<button class="button primary">${text.open}</button>
</form>
</main>`
  return frame({
    language,
    title: text.protected,
    head: [noIndex, ...preview],
    styles: [textPageStyle],
    body,
    hasForm: true,
  })
}

/** Every reason why a link does not open looks the same. Programs get data. */
export async function sendLinkFailure(
  { config }: Deps,
  frame: PageFrame,
  { request, reply, error }: { request: FastifyRequest; reply: FastifyReply; error: FastifyError | Failure },
): Promise<FastifyReply> {
  addVary(reply, openedByBrowserVary)
  // Handled like every other error.
  if (!isOpenedByBrowser(request.headers)) throw error
  addVary(reply, 'Accept-Language')
  const failure = prepareFailure(request, reply, toFailure(error, request))
  reply.header('x-robots-tag', 'noindex')
  const language = languageOf(request.headers['accept-language'])
  const problem = passwordProblem(failure, request, language)
  if (problem !== undefined)
    return sendPasswordPage(reply, passwordPage({ frame, language, problem }), imageBaseUrl(config, request))
  const [title, hint = ''] = wordsOf(failure, request, language)
  const body = markup`<main>
<p class="code" aria-hidden="true">${failure.status}</p>
<h1>${title}</h1>
${hint === '' ? '' : markup`<p>${hint}</p>`}
<p class="actions"><a class="button primary" href="${paths.home}">${textsIn(language).startPage}</a></p>
</main>`
  const page = frame({ language, title, head: [noIndex], styles: [noImageStyle], body })
  return sendHtml(reply, page, imageBaseUrl(config, request))
}

type Problem = Pick<Failure, 'code' | 'retryAfterS'>

/** What the form says; undefined: it is not about the password. */
function passwordProblem(
  { code, retryAfterS = 60 }: Problem,
  { method }: FastifyRequest,
  language: Language,
): string | undefined {
  const text = linkTextsIn(language)
  if (code === 'wrong_link_password') return text.wrongPassword
  return code === 'too_many_requests' && method === 'POST'
    ? text.tooManyTries(inTime(retryAfterS, language))
    : undefined
}

function wordsOf(
  { code, retryAfterS = 60 }: Problem,
  request: FastifyRequest,
  language: Language,
): [title: string, hint?: string] {
  const text = linkTextsIn(language)
  if (code === 'link_not_found') return [text.ended, text.endedHint]
  const isDownload = code === 'too_many_requests' && pathOf(request).endsWith('.zip')
  return [isDownload ? text.tooManyDownloads(inTime(retryAfterS, language)) : textsIn(language).busy]
}

/** Lets the browser say that the form comes from this site (isForeignOrigin): with the usual policy it would say nothing. */
export const sendPasswordPage = (reply: FastifyReply, page: HtmlPage, imageOrigin: string): FastifyReply =>
  sendHtml(reply.headers({ 'cache-control': 'private, no-store', 'referrer-policy': 'same-origin' }), page, imageOrigin)
