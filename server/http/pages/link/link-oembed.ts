// oEmbed of a link: its first image, which leads to the page.
import { limits } from '../../../../contract/plain/limits.ts'
import { altOf } from '../../../domain/images/shared-image.ts'
import { openLink } from '../../../domain/links/open-link.ts'
import type { Deps, ResponseOrigins } from '../../../domain/shared/deps.ts'
import { Failure } from '../../../domain/shared/failure.ts'
import { markup } from '../html.ts'
import { cardOf, coverOf } from './link-image.ts'
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
  const visit = { ...address, cookie: undefined, isRobot: true, isHead: true, isFromOwnPage: false, siteUrl, limit: 1 }
  const opened = await openLink(deps, visit).catch((error: unknown) => {
    const isLimited = error instanceof Failure && error.code === 'robot_excluded'
    throw isLimited ? new Failure('image_not_public', {}, { cause: error }) : error
  })
  if (opened.kind === 'password') throw new Failure('image_not_public')
  const shown = shownLink(opened, { language: 'en', isFirst: true })
  const page = siteUrl + shown.path
  const cover = coverOf(shown)
  const leftMs = (opened.link.ends_at ?? Infinity) - deps.now()
  const common = {
    version: '1.0',
    title: shown.title,
    ...(shown.ownerName === null ? {} : { author_name: shown.ownerName }),
    provider_name: deps.config.SITE_NAME,
    provider_url: siteUrl,
    cache_age: Math.floor(Math.min(limits.share.oembedCacheMs, leftMs) / 1000),
  }
  if (!cover) return { ...common, type: 'link' }
  const { previewPx } = limits.share
  const card = cardOf(cover, base, { width: Math.min(width, previewPx), height: Math.min(height, previewPx) })
  const size = markup`width="${card.width}" height="${card.height}"`
  const image = markup`<img src="${card.url}" alt="${altOf(cover.row)}" ${size} loading="lazy" style="max-width:100%;height:auto">`
  return {
    ...common,
    type: 'rich',
    html: markup`<a href="${page}">${image}</a>`.markup,
    width: card.width,
    height: card.height,
    thumbnail_url: card.url,
    thumbnail_width: card.width,
    thumbnail_height: card.height,
  }
}
