// HTML that the server itself writes: texts are escaped where they are inserted.
import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

/** Markup, as opposed to a text. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

type Inserted = string | number | Html | readonly Html[]

/**
 * Makes HTML of a template. Inserted texts are escaped, for content and for attributes in quotes;
 * markup is not. Not named `html`, because the formatter changes the spaces of templates of that name.
 */
export function markup(template: TemplateStringsArray, ...inserted: Inserted[]): Html {
  const rest = inserted.map((value, at) => markupOf(value) + (template[at + 1] ?? ''))
  return new Html((template[0] ?? '') + rest.join(''))
}

function markupOf(value: Inserted): string {
  if (value instanceof Html) return value.markup
  if (typeof value === 'object') return value.map(({ markup }) => markup).join('\n')
  return escapeText(String(value))
}

/** XML has the same references. */
export const escapeText = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** An inline style or script, and what allows it in a content security policy. */
export interface Inline {
  element: Html
  source: string
}

/** @param content without text of users: it cannot be escaped */
export const inline = (tag: 'style' | 'script', content: string): Inline => ({
  element: new Html(`<${tag}>${content}</${tag}>`),
  source: `'sha256-${createHash('sha256').update(content).digest('base64')}'`,
})

export interface HtmlPage {
  page: Html
  styles: readonly Inline[]
  scripts?: readonly Inline[]
  /** That sends to the site itself. */
  hasForm?: boolean
  /** That the site itself serves. */
  hasFont?: boolean
  /** Whether a script loads more from the site. */
  hasFetch?: boolean
}

/**
 * Sends a page that loads nothing but images and the typeface, and runs only its own inline scripts.
 * @param imageOrigin beside that of the page
 */
export function sendHtml(
  reply: FastifyReply,
  { page, styles, scripts = [], hasForm = false, hasFont = false, hasFetch = false }: HtmlPage,
  imageOrigin: string,
): FastifyReply {
  const sources = (allowed: readonly Inline[]) =>
    allowed.length === 0 ? "'none'" : allowed.map(({ source }) => source).join(' ')
  return reply
    .headers({
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'content-security-policy': [
        "default-src 'none'",
        `style-src ${sources(styles)}`,
        `script-src ${sources(scripts)}`,
        `img-src 'self' data: ${imageOrigin}`,
        ...(hasFont ? ["font-src 'self'"] : []),
        ...(hasFetch ? ["connect-src 'self'"] : []),
        `form-action ${hasForm ? "'self'" : "'none'"}`,
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ].join('; '),
    })
    .type('text/html; charset=utf-8')
    .send(page.markup)
}
