// The HTML of a share page: what people see (what chats show of it: share-preview.ts), and where programs find its oEmbed.
import { imageUrls, withKey } from '../../../../contract/derive/client.ts'
import { formatBytes } from '../../../../contract/plain/format-bytes.ts'
import { formats } from '../../../../contract/plain/formats.ts'
import { limits } from '../../../../contract/plain/limits.ts'
import { paths } from '../../../../contract/plain/page-paths.ts'
import { keptExpiry } from '../../../db/never-expires.ts'
import type { ResponseOrigins } from '../../../domain/shared/deps.ts'
import type { ImageRow } from '../../../domain/images/image-row.ts'
import { altOf, type SharedImage, titleOf } from '../../../domain/images/shared-image.ts'
import { Html, type HtmlPage, inline, markup } from '../html.ts'
import { noIndex, type PageFrame } from '../page-frame.ts'
import { oembedUrl } from './oembed.ts'
import { script, style } from './share-style-and-script.ts'
import { expiryOf, dateOf } from './page-dates.ts'
import { sizesOf, srcsetSourcesOf } from './preview-files.ts'
import { previewTags, shortened } from './share-preview.ts'
import { type Language, type Texts, textsIn } from './share-texts.ts'

interface Shown {
  shared: SharedImage
  origins: ResponseOrigins
  site: string
  frame: PageFrame
  language: Language
  isIndexed: boolean
  /** Strangers can upload. */
  isOpen: boolean
  nowMs: number
}

const pageStyle = inline('style', style)
const pageScript = inline('script', script)
const nothing = new Html('')

export function sharePage({ shared, origins, site, frame, language, isIndexed, isOpen, nowMs }: Shown): HtmlPage {
  const { row, ownerName } = shared
  const { baseUrl, siteUrl } = origins
  const text = textsIn(language)
  const [title, alt] = [titleOf(row), altOf(row)]
  const page = withKey(imageUrls.sharePage(siteUrl, row.id), row.key)
  const original = withKey(imageUrls.original(baseUrl, row.file_name), row.key)
  const by = ownerName === null ? [] : [text.by(ownerName)]
  const facts = [`${row.width} × ${row.height}`, formats[row.format].label, formatBytes(row.bytes)]
  const sizes = displayedSizes(row)
  const styles = [pageStyle, inline('style', imageStyle(row))]

  const head = [
    ...previewTags({
      row,
      title,
      alt,
      site,
      page,
      baseUrl,
      description: [...by, ...(row.alt === '' ? facts : [shortened(row.alt)])].join(' · '),
    }),
    ...(isIndexed ? [] : [noIndex]),
    ...(row.views_left === null ? [markup`<meta name="theme-color" content="${row.placeholder}">`] : []),
    markup`<link rel="canonical" href="${page}">`,
    markup`<link rel="alternate" type="application/json+oembed" href="${oembedUrl(siteUrl, page, 'json')}" title="${title}">`,
    markup`<link rel="alternate" type="text/xml+oembed" href="${oembedUrl(siteUrl, page, 'xml')}" title="${title}">`,
  ]
  const body = markup`<main>
<a class="picture" href="${original}" data-sizes="${sizes}">
<img ${sourceOf(row, baseUrl)} sizes="${sizes}" alt="${alt}" width="${row.width}" height="${row.height}">
</a>
<div class="columns">
<section>
<h1>${title}</h1>
${by.map((line) => markup`<p>${line}</p>`)}
<p>${[...facts, dateOf(row.created_at, language)].join(' · ')}</p>
${row.expires_at === keptExpiry ? [] : markup`<p>${expiryOf(row, language, nowMs)}</p>`}
<p class="actions">
<a class="button" href="${original}" download="${row.original_name}">${text.download}</a>
<button class="button" type="button" data-share="${page}" hidden>${text.share}</button>
</p>
</section>
<section>
${codeField({ label: text.page, code: row.slug === null ? page : withKey(imageUrls.slug(siteUrl, row.slug), row.key), at: 0, text, isMain: true })}
<details>
<summary>${text.embed}</summary>
${embedCodes({ row, alt, page, original, text }).map((code, at) => codeField({ ...code, at: at + 1, text }))}
</details>
</section>
<section>
${sizeList(row, baseUrl, text)}
<a class="report" href="${siteUrl}${paths.report}?image=${reported(row)}">${text.report}</a>
${isOpen ? markup`<p class="actions"><a class="button" href="${siteUrl}${paths.home}">${text.hostYourOwn}</a></p>` : nothing}
</section>
</div>
<p class="status" role="status"></p>
</main>`
  return frame({ language, title, head, styles, scripts: [pageScript], body })
}

/**
 * As wide as the page and as high as the window allow, never enlarged. A tall picture is at least
 * 20rem wide: more than the window shows at once. @param page the width that the page offers, in CSS
 */
const displayedWidth = ({ width, height }: ImageRow, page: string) =>
  `min(${page}, ${width}px, max(20rem, ${((78 * width) / height).toFixed(2)}vh))`

/** In the widths that share-style-and-script.ts gives the page on large screens, in pixels. */
const displayedSizes = (row: SharedImage['row']) =>
  [
    `(min-width: 3200px) ${displayedWidth(row, '2033px')}`,
    `(min-width: 2200px) ${displayedWidth(row, '1445px')}`,
    displayedWidth(row, '100vw, 1152px'),
  ].join(', ')

/** The image has its size before it is loaded and, unless its views are limited, a blurred copy in its place. */
function imageStyle(row: SharedImage['row']): string {
  const blur = row.blur === null ? '' : ` url(data:image/webp;base64,${row.blur}) center / cover`
  const preview = row.views_left === null ? row.placeholder + blur : 'none'
  const background = row.has_alpha === 1 ? checkerboard : preview
  return `.picture img { width: ${displayedWidth(row, '100%')}; background: ${background}; }`
}

/** Behind transparency: a grey that contrasts with dark and light drawings, as in the image viewer. */
const checkerboard = 'repeating-conic-gradient(#6d7075 0 25%, #808388 0 50%) 0 0 / 24px 24px'

function sourceOf(row: SharedImage['row'], baseUrl: string): Html {
  const sources = srcsetSourcesOf(row, baseUrl)
  const wanted = sources.find(({ width }) => width >= limits.variant.defaultWidthPx) ?? sources.at(-1)
  if (!wanted) return markup`src="${withKey(imageUrls.original(baseUrl, row.file_name), row.key)}"`
  return markup`src="${wanted.url}" srcset="${sources.map(({ url, width }) => `${url} ${width}w`).join(', ')}"`
}

function sizeList(row: SharedImage['row'], baseUrl: string, text: Texts): Html {
  const variants = sizesOf(row, baseUrl)
  if (variants.length === 0) return nothing
  const heightAt = (width: number) => Math.max(1, Math.round((row.height * width) / row.width))
  const links = [
    ...variants.map(({ url, width }) => ({ url, label: `${width} × ${heightAt(width)}` })),
    { url: withKey(imageUrls.original(baseUrl, row.file_name), row.key), label: text.original },
  ]
  return markup`<h2>${text.sizes}</h2>
<ul>${links.map(({ url, label }) => markup`<li><a href="${url}">${label}</a></li>`)}</ul>`
}

interface Linked {
  row: SharedImage['row']
  alt: string
  page: string
  original: string
  text: Texts
}

interface Code {
  label: string
  code: string
}

function embedCodes({ row, alt, page, original, text }: Linked): Code[] {
  const image = markup`<img src="${original}" alt="${alt}" width="${row.width}" height="${row.height}">`
  return [
    { label: text.direct, code: original },
    { label: 'Markdown', code: `[![${alt.replace(/[\\[\]`*_<>!]/g, '\\$&')}](${original})](${page})` },
    { label: 'BBCode', code: `[url=${page}][img]${original}[/img][/url]` },
    { label: 'HTML', code: markup`<a href="${page}">${image}</a>`.markup },
  ]
}

interface Field extends Code {
  at: number
  text: Texts
  isMain?: boolean
}

/** @param field.isMain the link that people copy most */
function codeField({ label, code, at, text, isMain = false }: Field): Html {
  const [look, name, caption] = isMain
    ? ['button primary', text.copyLink, text.copyLink]
    : ['button', `${text.copy}: ${label}`, text.copy]
  return markup`<div class="link">
<label for="code-${at}">${label}</label>
<input id="code-${at}" readonly value="${code}">
<button class="${look}" type="button" data-copy="${text.copied}" aria-label="${name}" hidden>${caption}</button>
</div>`
}

/** The form takes whatever names the image. */
const reported = ({ id, key }: SharedImage['row']) => (key === undefined ? id : encodeURIComponent(withKey(id, key)))
