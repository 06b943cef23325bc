// The page of a link: its images as a justified grid, one image large, and the albums inside, without a script. The script
// (web/link-page/) adds the viewer, the slideshow and loading while scrolling.
import { withKey, imageUrls } from '../../../../contract/derive/client.ts'
import { formatBytes } from '../../../../contract/plain/format-bytes.ts'
import { formats } from '../../../../contract/plain/formats.ts'
import type { ResponseOrigins } from '../../../domain/shared/deps.ts'
import { altOf, titleOf } from '../../../domain/images/shared-image.ts'
import { Html, type HtmlPage, type Inline, inline, markup } from '../html.ts'
import { noIndex, type PageFrame } from '../page-frame.ts'
import { type Language, textsIn } from '../share/share-texts.ts'
import { filesOf, type LinkedImage } from './link-files.ts'
import { linkStyle } from './link-style.ts'
import { type LinkTexts, linkTextsIn } from './link-texts.ts'

export interface LinkedAlbum {
  title: string
  images: number
  path: string
  cover: LinkedImage
}

export interface ShownLink {
  title: string
  description: string
  /** null: as on share pages. */
  ownerName: string | null
  /** How many images there are in total. */
  count: number
  albums: LinkedAlbum[]
  images: LinkedImage[]
  /** Whether there is only one image. */
  isSingle: boolean
  /** The album or link that this album is in. */
  parent: { title: string; path: string } | null
  path: string
  /** Of the next images. */
  nextPath: string | null
  /** Of all images; null: there is no such download. */
  download: { path: string; images: number | null; bytes: number } | null
  mayDownload: boolean
  /** The path of what chats show; null: one of the images. */
  collagePath: string | null
}

interface Framed {
  shown: ShownLink
  origins: ResponseOrigins
  frame: PageFrame
  language: Language
  /** Of the built script; undefined: the page has none. */
  scriptPath: string | undefined
  preview: Html[]
}

/** Of the images in the first response: a blurred copy costs 150 bytes, and only these are seen before they are loaded. */
const blurred = 16
/** What is certainly on the first screen loads at once. */
const eager = 6

const themeScript = inline(
  'script',
  `
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {}
`,
)

export function linkPage({ shown, origins, frame, language, scriptPath, preview }: Framed): HtmlPage {
  const text = linkTextsIn(language)
  const scripts: Inline[] = [themeScript]
  if (scriptPath !== undefined)
    scripts.push({ element: markup`<script type="module" src="${scriptPath}"></script>`, source: "'self'" })
  const context: Context = { shown, base: origins.baseUrl, text, language }
  const images = shown.images.map((image, at) => tile(image, at, context))
  const body = markup`<main>
${shown.isSingle ? single(images, context) : several(images, context)}
${viewer(shown, text, textsIn(language).download)}
</main>`
  const styles = [linkStyle, placeStyle(shown)]
  return {
    ...frame({ language, title: shown.title, head: [noIndex, ...preview], styles, scripts, body }),
    hasFetch: true,
  }
}

interface Context {
  shown: ShownLink
  /** Of image URLs. */
  base: string
  text: LinkTexts
  language: Language
}

function several(images: Html[], context: Context): Html {
  const { shown, text } = context
  const few = hasFew(shown) ? ' few' : ''
  const isEmpty = images.length === 0 && shown.albums.length === 0
  return markup`${head(context)}
${shown.albums.length === 0 ? '' : markup`<ul class="albums">${shown.albums.map((album, at) => albumTile(album, at, context))}</ul>`}
${isEmpty ? markup`<div class="empty"><h2>${text.empty}</h2><p>${text.emptyHint}</p></div>` : ''}
<div class="grid${few}" id="images">${images}</div>
${shown.nextPath === null ? '' : markup`<a class="button more" id="more" href="${shown.nextPath}">${text.more}</a>`}`
}

/** So few that they take one row of a wide window. */
const hasFew = ({ images, nextPath }: ShownLink) => nextPath === null && images.length > 0 && images.length <= 4

function head({ shown, text, language }: Context): Html {
  const { title, description, ownerName, count, download } = shown
  const facts = [
    ...(ownerName === null ? [] : [textsIn(language).by(ownerName)]),
    ...(count === 0 || title === text.images(count) ? [] : [text.images(count)]),
  ]
  const size = download === null ? '' : formatBytes(download.bytes)
  const what =
    download === null || download.images === null || download.images === count
      ? size
      : `${text.images(download.images)}, ${size}`
  return markup`<div class="head">
<div>
${upLink(shown)}
<h1>${title}</h1>
${description === '' ? '' : markup`<p class="lead">${description}</p>`}
${facts.length === 0 ? '' : markup`<p class="facts">${facts.join(' · ')}</p>`}
</div>
<p class="actions">
${shown.images.length < 2 ? '' : markup`<button class="button primary" type="button" id="play" disabled>${text.slideshow}</button>`}
${download === null ? '' : markup`<a class="button" href="${download.path}">${text.downloadAll(what)}</a>`}
</p>
</div>`
}

const upLink = ({ parent }: ShownLink) =>
  parent === null ? '' : markup`<a class="up" href="${parent.path}">${parent.title}</a>`

function single(images: Html[], context: Context): Html {
  const { shown, base, language } = context
  const [image] = shown.images
  if (!image) return head(context)
  const { row } = image
  const { by, download } = textsIn(language)
  const facts = [
    ...(shown.ownerName === null ? [] : [by(shown.ownerName)]),
    `${row.width} × ${row.height}`,
    formats[row.format].label,
    ...(image.maxPx === null ? [formatBytes(row.bytes)] : []),
  ]
  const { saved } = filesOf(image, base)
  return markup`<div class="one" id="images">${images}</div>
<div class="head">
<div>
${upLink(shown)}
<h1>${shown.title}</h1>
${shown.description === '' ? '' : markup`<p class="lead">${shown.description}</p>`}
<p class="facts">${facts.join(' · ')}</p>
</div>
${shown.mayDownload ? markup`<p class="actions"><a class="button" href="${saved}" download="${row.original_name}">${download}</a></p>` : ''}
</div>`
}

function tile(image: LinkedImage, at: number, { shown, base, text }: Context): Html {
  const { row } = image
  // A thumbnail would take one of its views.
  if (row.views_left !== null)
    return markup`<a class="limited" id="i${row.id}" href="${withKey(imageUrls.sharePage('', row.id), row.key)}">${text.limited}</a>`
  const { small, sources, large, saved } = filesOf(image, base)
  const srcset =
    sources.length < 2
      ? ''
      : markup` srcset="${sources.map(({ url, width }) => `${url} ${width}w`).join(', ')}" sizes="${sizesOf(row, shown.isSingle)}"`
  const [title, alt] = [titleOf(row), altOf(row)]
  const caption = title === alt || row.title === '' ? '' : markup` data-title="${title}"`
  const file = shown.mayDownload ? markup` data-file="${saved}" data-name="${row.original_name}"` : ''
  const loading = at < eager ? '' : markup` loading="lazy"`
  return markup`<a id="i${row.id}" href="${large}"${caption}${file}><img src="${small}"${srcset} alt="${alt}" width="${row.width}" height="${row.height}"${loading}></a>`
}

/** About as wide as in the grid: `--h` of link-style.ts, and what a row grows at most on average. */
const sizesOf = (row: LinkedImage['row'], isSingle: boolean) =>
  isSingle
    ? `min(100vw, ${Math.round((78 * row.width) / row.height)}vh)`
    : `calc(${ratioOf(row)} * 1.2 * clamp(8rem, 20vw, 17rem))`

/** In the grid, very tall and very wide images are cut. */
function ratioOf({ width, height }: LinkedImage['row']): number {
  const ratio = Math.min(3.5, Math.max(0.5, width / height))
  return Math.round(ratio * 1000) / 1000
}

function albumTile({ title, images, path, cover }: LinkedAlbum, at: number, { base, text }: Context): Html {
  const files = cover.row.views_left !== null ? null : filesOf(cover, base)
  const image = files === null ? '' : markup`<img src="${files.small}" alt="" loading="lazy">`
  return markup`<li><a href="${path}"><span class="cover" id="a${at}">${image}</span><strong>${title}</strong><small>${text.images(images)}</small></a></li>`
}

/** Every image has its place, and its colours in it, before it is loaded. Read by the script from the pages it loads. */
function placeStyle(shown: ShownLink): Inline {
  const { images, albums, isSingle } = shown
  const rules = images.map(({ row }, at) => {
    const ratio = isSingle ? (row.width / row.height).toFixed(4) : ratioOf(row)
    return `#i${row.id}{--r:${ratio};--c:${coloursOf(row, isSingle || at < blurred)}}`
  })
  if (isSingle) rules.push(...images.map(({ row }) => `main{--w:${singleWidth(row)}}`))
  else if (hasFew(shown))
    rules.push(`#images{--sum:${images.reduce((sum, { row }) => sum + ratioOf(row), 0).toFixed(3)}}`)
  const covers = albums.map(({ cover }, at) =>
    cover.row.views_left !== null ? '' : `#a${at}{--c:${coloursOf(cover.row, false)}}`,
  )
  const content = [...rules, ...covers].join('\n')
  const { source } = inline('style', content)
  return { element: new Html(`<style id="places">${content}</style>`), source }
}

/** As wide as the page and as high as the window allow, never enlarged; at least readable where it is tall. */
const singleWidth = ({ width, height }: LinkedImage['row']) =>
  `min(100%,${width}px,max(20rem,${((78 * width) / height).toFixed(1)}vh))`

function coloursOf(row: LinkedImage['row'], isBlurred: boolean): string {
  if (row.views_left !== null) return 'var(--surface-2)'
  // Behind transparency: a grey that contrasts with dark and light drawings.
  if (row.has_alpha === 1) return '#7a7d82'
  const blur = isBlurred && row.blur !== null ? ` url(data:image/webp;base64,${row.blur}) center / cover` : ''
  return row.placeholder + blur
}

const icons = {
  close: '<path d="M18 6 6 18M6 6l12 12"/>',
  previous: '<path d="m15 18-6-6 6-6"/>',
  next: '<path d="m9 18 6-6-6-6"/>',
  play: '<path class="play" d="m7 4 13 8-13 8z"/><path class="pause" d="M8 5v14M16 5v14"/>',
  download: '<path d="M12 3v12m-5-5 5 5 5-5M5 21h14"/>',
}
const icon = (name: keyof typeof icons) => new Html(`<svg viewBox="0 0 24 24" aria-hidden="true">${icons[name]}</svg>`)

function viewer({ images, count }: ShownLink, text: LinkTexts, download: string): Html {
  if (images.every(({ row }) => row.views_left !== null)) return new Html('')
  return markup`<dialog class="viewer" aria-label="${text.viewer}">
<div class="stage"></div>
<div class="bar">
<output data-count="${count}"></output>
<button class="round" type="button" id="run" aria-pressed="false" aria-label="${text.play}" data-pause="${text.pause}">${icon('play')}</button>
<a class="round" id="save" aria-label="${download}" hidden>${icon('download')}</a>
<button class="round" type="button" id="close" aria-label="${text.close}">${icon('close')}</button>
</div>
<button class="side round" type="button" id="previous" aria-label="${text.previous}">${icon('previous')}</button>
<button class="side round" type="button" id="next" aria-label="${text.next}">${icon('next')}</button>
<p class="caption" aria-live="polite"></p>
</dialog>`
}
