// What the pages that the server itself writes share: head, header, look and typeface of the product. They are small and
// work without script.
import { type Html, type HtmlPage, type Inline, inline, markup } from './html.ts'

export interface FramedPage {
  language: string
  title: string
  head?: Html[]
  /** In addition to the style of the frame. */
  styles?: Inline[]
  scripts?: Inline[]
  body: Html
  hasForm?: boolean
  /** Of the start page, on the host of images: nothing but images is loaded from there. Default: on this host. */
  siteUrl?: string | undefined
}

export type PageFrame = (page: FramedPage) => HtmlPage

/** @param fontPath of the typeface among the files of the built page */
export function createPageFrame(site: string, fontPath: string | undefined): PageFrame {
  const plainStyle = inline('style', style)
  const fontStyle = fontPath === undefined ? plainStyle : inline('style', fontFace(fontPath) + style)
  return ({ language, title, head = [], styles = [], scripts = [], body, hasForm = false, siteUrl }) => {
    const isOnSite = siteUrl === undefined
    const all = [isOnSite ? fontStyle : plainStyle, ...styles]
    const icon = isOnSite ? '/favicon.svg' : iconData
    const hasFont = isOnSite && fontPath !== undefined
    const page = markup`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${site}</title>
<link rel="icon" href="${icon}" type="image/svg+xml">
${hasFont ? markup`<link rel="preload" href="${fontPath}" as="font" type="font/woff2" crossorigin>` : ''}
${head}
${all.map(({ element }) => element)}
${scripts.map(({ element }) => element)}
</head>
<body>
<header><a href="${siteUrl ?? ''}/"><img src="${icon}" alt="" width="26" height="26">${site}</a></header>
${body}
</body>
</html>
`
    return { page, styles: all, scripts, hasForm, hasFont }
  }
}

export const noIndex = markup`<meta name="robots" content="noindex">`

/**
 * `optional`: text never changes its typeface, and a slow line does not wait for it. With the preload it is usually there in
 * time. The fallback has its widths, as in web/styles.css.
 */
const fontFace = (path: string) => `
@font-face { font-family: Geist; src: url(${path}) format('woff2'); font-weight: 100 900; font-display: optional; }
@font-face { font-family: 'Geist Fallback'; src: local('Arial'), local('Liberation Sans'), local('Helvetica');
  size-adjust: 104.5%; ascent-override: 95%; descent-override: 28.5%; line-gap-override: 0%; }`

/** web/public/favicon.svg */
const iconData = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><defs><linearGradient id="p" x1="0" y1="0" x2="1" y2="1"><stop stop-color="#2255d5"/><stop offset=".55" stop-color="#12a5c9"/><stop offset="1" stop-color="#35c98b"/></linearGradient></defs><rect width="32" height="32" rx="8" fill="url(#p)"/><path d="M5 23.5 12 13.5l4.6 6.4 3-3.6 6.4 7.2z" fill="#fff"/><circle cx="21.5" cy="10.5" r="2.7" fill="#fff"/></svg>',
)}`

/** The colours, radii and sizes of web/styles.css. */
const style = `
:root { color-scheme: light dark; --bg: light-dark(#f9fafb, #0d0e11); --surface: light-dark(#fff, #15171a);
  --surface-2: light-dark(#f3f4f6, #1d1f23); --text: light-dark(#14171d, #eef0f3); --text-2: light-dark(#4b5058, #b2b6bc);
  --text-3: light-dark(#646970, #959aa1); --border: light-dark(#dde0e4, #2e3237); --border-strong: light-dark(#81878d, #6e747b);
  --accent: light-dark(#2255d5, #3568e3); --accent-hover: light-dark(#1544c0, #2b5edb);
  --accent-text: light-dark(#1c4cc8, #8ab0fe); --focus: light-dark(#2255d5, #8ab0fe);
  --danger: light-dark(#c91b1f, #d42931); --danger-hover: light-dark(#ae1216, #bd2028); }
[data-theme=light] { color-scheme: light; }
[data-theme=dark] { color-scheme: dark; }
* { box-sizing: border-box; }
html { background: var(--bg); color: var(--text); }
body { display: flex; flex-direction: column; min-height: 100vh; min-height: 100dvh; margin: 0; overflow-wrap: anywhere;
  font: .9375rem/1.375rem Geist, 'Geist Fallback', ui-sans-serif, system-ui, sans-serif;
  -webkit-font-smoothing: antialiased; text-wrap-style: pretty; }
header { padding: 0 1rem; background: var(--surface); border-bottom: 1px solid var(--border); }
header a { display: inline-flex; align-items: center; gap: .625rem; min-height: 3.75rem; color: inherit;
  font-weight: 600; text-decoration: none; }
main { width: 100%; }
h1 { margin: 0; font-size: 1.375rem; line-height: 1.75rem; font-weight: 600; letter-spacing: -.015em; text-wrap: balance; }
p { margin: .25rem 0 0; color: var(--text-2); }
a { color: var(--accent-text); text-underline-offset: 3px; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: 1rem; }
.button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.5rem; padding: 0 1rem;
  border: 1px solid var(--border-strong); border-radius: 10px; background: var(--surface); color: var(--text);
  font: inherit; font-weight: 500; text-decoration: none; white-space: nowrap; cursor: pointer; }
.button:hover { background: var(--surface-2); }
.primary { border-color: transparent; background: var(--accent); color: #fff; }
.primary:hover { background: var(--accent-hover); }
.danger { border-color: transparent; background: var(--danger); color: #fff; }
.danger:hover { background: var(--danger-hover); }
[hidden] { display: none; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
@media (pointer: coarse) { .button { min-height: 2.75rem; } }
@media (min-width: 720px) { header { padding-inline: 1.5rem; } }
@media (min-width: 2200px) { html { font-size: 106.25%; } }
@media (min-width: 3200px) { html { font-size: 118.75%; } }
@media (prefers-contrast: more) { :root { --border: var(--border-strong); } }
`
