// Pages that the server renders itself, without script, for links that any browser or program opens.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'

interface Page {
  title: string
  text: string[]
  image?: { url: string; origin: string; name: string }
  /** Sends a POST to the address of the page. */
  button?: { label: string; isDanger?: boolean }
}

/** Leaves the bodies of requests unread: the forms of these pages have no fields. */
export function withoutBody(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _body, done) => done(null))
}

export function sendPlainPage(reply: FastifyReply, site: string, { title, text, image, button }: Page): FastifyReply {
  const kind = button?.isDanger === true ? ' class="danger"' : ''
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
${button ? `<form method="post"><button${kind}>${escapeHtml(button.label)}</button></form>` : ''}
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
  font: inherit; font-weight: 600; color: #fff; background: light-dark(#2255d5, #3568e3); }
.danger { background: light-dark(#c91b1f, #d42931); }
:focus-visible { outline: 2px solid light-dark(#2255d5, #8ab0fe); outline-offset: 2px; }
`
const styleHash = createHash('sha256').update(style).digest('base64')
