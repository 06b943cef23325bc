// oEmbed of a link: the image of its preview, which leads to the page.
import { limits } from '../../../../contract/plain/limits.ts'
import { openLink } from '../../../domain/links/open-link.ts'
import type { Deps, ResponseOrigins } from '../../../domain/shared/deps.ts'
import { Failure } from '../../../domain/shared/failure.ts'
import { markup } from '../html.ts'
import { type Box, type Card, collageCardOf, coverCardOf } from './link-files.ts'
import { shownLink } from './shown-link.ts'

export interface LinkAddress {
  slug: string
  albumId: string | undefined
}

/** @throws {Failure} link_not_found; image_not_public: it has a password or limited views */
export async function describeLink(
  deps: Deps,
  address: LinkAddress,
  { baseUrl: base, siteUrl }: ResponseOrigins,
  { maxwidth: width = Infinity, maxheight: height = Infinity }: { maxwidth?: number; maxheight?: number },
): Promise<Record<string, string | number>> {
  // Embedding a link is not a visit: who sees the embedded image has not opened the link.
  const visit = { ...address, cookie: undefined, isRobot: true, isHead: true, isFromOwnPage: false, siteUrl }
  const opened = await openLink(deps, { ...visit, limit: limits.links.page }).catch((error: unknown) => {
    const isLimited = error instanceof Failure && error.code === 'robot_excluded'
    throw isLimited ? new Failure('image_not_public', {}, { cause: error }) : error
  })
  if (opened.kind === 'password') throw new Failure('image_not_public')
  const shown = shownLink(opened, { language: 'en', isFirst: true })
  const page = siteUrl + shown.path
  const leftMs = (opened.link.ends_at ?? Infinity) - deps.now()
  const common = {
    version: '1.0',
    title: shown.title,
    ...(shown.ownerName === null ? {} : { author_name: shown.ownerName }),
    provider_name: deps.config.SITE_NAME,
    provider_url: siteUrl,
    cache_age: Math.floor(Math.min(limits.share.oembedCacheMs, leftMs) / 1000),
  }
  const cover = coverCardOf(shown, base, { width, height })
  const collage = collageCardOf(shown, siteUrl)
  const card = collage ? scaledInto(collage, { width, height }) : cover
  if (!card || !cover) return { ...common, type: 'link' }
  const size = markup`width="${card.width}" height="${card.height}"`
  const image = markup`<img src="${card.url}" alt="${card.alt}" ${size} loading="lazy" style="max-width:100%;height:auto">`
  return {
    ...common,
    type: 'rich',
    html: markup`<a href="${page}">${image}</a>`.markup,
    width: card.width,
    height: card.height,
    // The standard bounds the file itself.
    thumbnail_url: cover.url,
    thumbnail_width: cover.width,
    thumbnail_height: cover.height,
  }
}

/** By the page that embeds it: the file has its own size. */
function scaledInto(card: Card, box: Box): Card {
  const scale = Math.min(1, box.width / card.width, box.height / card.height)
  const scaled = (px: number) => Math.max(1, Math.round(px * scale))
  return { ...card, width: scaled(card.width), height: scaled(card.height) }
}
