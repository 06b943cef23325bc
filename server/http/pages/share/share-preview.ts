// What chats show of a share page: Open Graph (https://ogp.me) and Twitter cards. Their robots run no script.
import type { SharedImage } from '../../../domain/images/shared-image.ts'
import { type Html, markup } from '../html.ts'
import { cardOf } from './preview-files.ts'

interface Preview {
  row: SharedImage['row']
  title: string
  alt: string
  site: string
  page: string
  baseUrl: string
  description: string
}

/** The start of a longer text: chats show less than its 300 characters. */
const longStart = /^.{299}(?=..)/su

export function shortened(text: string): string {
  const start = longStart.exec(text)?.[0]
  return start === undefined ? text : `${start}…`
}

/** Without the image where the preview would take a view. */
export function previewTags({ row, title, alt, site, page, baseUrl, description }: Preview): Html[] {
  const card = row.views_left === null ? cardOf(row, baseUrl) : undefined
  const properties = {
    'og:type': 'website',
    'og:site_name': site,
    'og:title': title,
    'og:description': description,
    'og:url': page,
    ...(card && {
      'og:image': card.url,
      ...(card.url.startsWith('https:') ? { 'og:image:secure_url': card.url } : {}),
      'og:image:type': card.mime,
      'og:image:width': card.width,
      'og:image:height': card.height,
      'og:image:alt': shortened(alt),
    }),
  }
  const names = {
    description,
    'twitter:card': card ? 'summary_large_image' : 'summary',
    'twitter:title': title,
    'twitter:description': description,
    ...(card && { 'twitter:image': card.url, 'twitter:image:alt': shortened(alt) }),
  }
  return [
    ...Object.entries(properties).map(
      ([property, content]) => markup`<meta property="${property}" content="${content}">`,
    ),
    ...Object.entries(names).map(([name, content]) => markup`<meta name="${name}" content="${content}">`),
  ]
}
