// What chats show of a link: Open Graph (https://ogp.me) and Twitter cards.
import type { ResponseOrigins } from '../../../domain/shared/deps.ts'
import { type Html, markup } from '../html.ts'
import { oembedUrl } from '../share/oembed.ts'
import { type Language, textsIn } from '../share/share-texts.ts'
import { type Card, collageCardOf, coverCardOf } from './link-files.ts'
import type { ShownLink } from './link-page.ts'
import { linkTextsIn } from './link-texts.ts'

/** Chats show less than its 300 characters. */
const shortStart = /^.{0,300}/su

interface PreviewContext {
  site: string
  origins: ResponseOrigins
  language: Language
}

export function linkPreview(shown: ShownLink, { site, origins, language }: PreviewContext): Html[] {
  const page = origins.siteUrl + shown.path
  const card = collageCardOf(shown, origins.siteUrl) ?? coverCardOf(shown, origins.baseUrl)
  const { by } = textsIn(language)
  const description = [
    ...(shown.ownerName === null ? [] : [by(shown.ownerName)]),
    ...(shown.count === 0 ? [] : [linkTextsIn(language).images(shown.count)]),
    ...(shown.description === '' ? [] : [shown.description.replace(/\s+/g, ' ')]),
  ].join(' · ')
  return [
    ...tagsOf({ site, title: shown.title, description, page, card }),
    markup`<link rel="canonical" href="${page}">`,
    markup`<link rel="alternate" type="application/json+oembed" href="${oembedUrl(origins.siteUrl, page, 'json')}" title="${shown.title}">`,
  ]
}

/** Of a link with a password: nothing but that. */
export const lockedPreview = ({
  site,
  siteUrl,
  language,
}: {
  site: string
  siteUrl: string
  language: Language
}): Html[] =>
  tagsOf({
    site,
    title: site,
    description: linkTextsIn(language).protected,
    card: { url: `${siteUrl}/icons/icon-512.png`, mime: 'image/png', width: 512, height: 512, alt: site },
    isSmall: true,
  })

interface Preview {
  site: string
  title: string
  description: string
  page?: string
  card: Card | undefined
  isSmall?: boolean
}

function tagsOf({ site, title, description, page, card, isSmall = false }: Preview): Html[] {
  const shortened = shortStart.exec(description)?.[0] ?? ''
  const properties = {
    'og:type': 'website',
    'og:site_name': site,
    'og:title': title,
    'og:description': shortened,
    ...(page !== undefined && { 'og:url': page }),
    ...(card && {
      'og:image': card.url,
      'og:image:type': card.mime,
      'og:image:width': card.width,
      'og:image:height': card.height,
      'og:image:alt': card.alt,
    }),
  }
  const twitter = card && !isSmall ? 'summary_large_image' : 'summary'
  return [
    ...Object.entries(properties).map(
      ([property, content]) => markup`<meta property="${property}" content="${content}">`,
    ),
    markup`<meta name="description" content="${shortened}">`,
    markup`<meta name="twitter:card" content="${twitter}">`,
  ]
}
