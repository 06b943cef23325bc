// oEmbed (https://oembed.com): describes the image behind any address of it, for sites that embed links.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { api } from '../../../../contract/endpoints/api.ts'
import { imageUrls, withKey } from '../../../../contract/derive/client.ts'
import { limits } from '../../../../contract/plain/limits.ts'
import { sharePagePath, slugPath } from '../../../../contract/plain/page-paths.ts'
import { identifiesCaller } from '../../../../contract/endpoints/endpoint.ts'
import { type RouteName, routes } from '../../../../contract/plain/routes.ts'
import { numberText } from '../../../../contract/endpoints/schema-parts.ts'
import type { Deps } from '../../../domain/shared/deps.ts'
import { Failure } from '../../../domain/shared/failure.ts'
import { originalId } from '../../../domain/delivery/originals.ts'
import { altOf, findSharedImage, type SharedImage, titleOf } from '../../../domain/images/shared-image.ts'
import { baseUrl, clientAddress } from '../../request/client-address.ts'
import { escapeText, markup } from '../html.ts'
import { noteIds } from '../../request/log-context.ts'
import { imageBaseUrl } from '../../request/media-origin.ts'
import { countAddress } from '../../request/request-rate.ts'
import { validate } from '../../request/validate.ts'
import { describeLink, type LinkAddress } from '../link/link-oembed.ts'
import { previewOf, type ShownFile, srcsetSourcesOf } from './preview-files.ts'

export const oembedPath = '/oembed'

const side = numberText(6, 1, 999_999, { description: 'Pixels' }).optional()
const query = z.object({
  url: z.string().max(limits.remote.maxUrlLength),
  maxwidth: side,
  maxheight: side,
  format: z.string().max(20).optional(),
  type: z.enum(['photo', 'rich']).optional(),
})
type Query = z.output<typeof query>

export function bindOembed(app: FastifyInstance, deps: Deps): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: oembedPath,
    async handler(request, reply) {
      // For consumers that run in a browser; their failures too.
      reply.headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' })
      await countAddress(deps, reply, clientAddress(request))
      const wanted = validate(query, request.query) as Query
      const { format = 'json' } = wanted
      if (format !== 'json' && format !== 'xml') throw new Failure('oembed_format', { format })
      const origins = { baseUrl: imageBaseUrl(deps.config, request), siteUrl: baseUrl(deps.config, request) }
      const link = linkIn(wanted.url, Object.values(origins))
      if (link) return send(reply, format, await describeLink(deps, link, origins, wanted))
      const shared = await findByUrl(deps, wanted.url, Object.values(origins))
      noteIds(request, 'images', shared.row)
      return send(reply, format, describe(deps, shared, origins, wanted))
    },
  })
}

/** @throws {Failure} image_not_found; image_not_public: quarantined, of a suspended user, or with limited views */
async function findByUrl(deps: Deps, url: string, origins: string[]): Promise<SharedImage> {
  const found = imageIn(url, origins)
  if (!found) throw new Failure('image_not_found')
  try {
    const shared = await findSharedImage(deps, ...found, new URL(url).searchParams.get('key') ?? undefined)
    // Who embeds it would take its views.
    if (shared.row.views_left !== null) throw new Failure('image_not_public')
    return shared
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    // The standard has 404 for what has no response, and 401 for what is not public.
    if (error.code === 'image_gone') throw new Failure('image_not_found', {}, { cause: error })
    if (error.code === 'image_unavailable') throw new Failure('image_not_public', {}, { cause: error })
    throw error
  }
}

/** Every address of an image: its page, its custom link, the original and the variants. */
const addresses = [sharePagePath, slugPath, ...publicImagePaths()].map(
  (path) =>
    new RegExp(
      `^${path.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, (_, name) => `(?<${name}>${name === 'id' ? '[\\w-]+' : '[^/]+'})`)}$`,
    ),
)

function publicImagePaths(): string[] {
  const names = (Object.keys(routes) as RouteName[]).filter(
    (name) => api[name].response === 'image' && !identifiesCaller(api[name]),
  )
  return names.map((name) => routes[name].replace(/^\w+ /, ''))
}

/** The path of an address on one of our hosts. */
function pathOn(text: string, origins: string[]): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { host, pathname } = new URL(text)
  // http and https: a proxy may redirect one to the other.
  return origins.some((origin) => new URL(origin).host === host) ? pathname : undefined
}

function imageIn(text: string, origins: string[]): ['id' | 'slug', string] | undefined {
  const pathname = pathOn(text, origins)
  if (pathname === undefined) return undefined
  for (const address of addresses) {
    const { id, slug, file_name: fileName } = address.exec(pathname)?.groups ?? {}
    if (slug !== undefined) return ['slug', slug.toLowerCase()]
    if (fileName !== undefined) return ['id', originalId(fileName)]
    if (id !== undefined) return ['id', id]
  }
  return undefined
}

function linkIn(text: string, origins: string[]): LinkAddress | undefined {
  const { slug, albumId } = linkAddress.exec(pathOn(text, origins) ?? '')?.groups ?? {}
  return slug === undefined ? undefined : { slug, albumId }
}

const linkAddress = /^\/l\/(?<slug>[\w-]+)(?:\/(?<albumId>[\w-]{22}))?$/

type Origins = { baseUrl: string; siteUrl: string }

function describe(deps: Deps, { row, ownerName }: SharedImage, { baseUrl: base, siteUrl }: Origins, wanted: Query) {
  const { maxwidth: width = Infinity, maxheight: height = Infinity, type = 'photo' } = wanted
  const photo = previewOf(row, base, {
    width: Math.min(width, limits.variant.maxSidePx),
    height: Math.min(height, limits.variant.maxSidePx),
  })
  const { thumbnailPx } = limits.variant
  const thumbnail = previewOf(row, base, {
    width: Math.min(width, thumbnailPx),
    height: Math.min(height, thumbnailPx),
  })
  const page = withKey(imageUrls.sharePage(siteUrl, row.id), row.key)
  return {
    version: '1.0',
    type,
    title: titleOf(row),
    ...(ownerName === null ? {} : { author_name: ownerName }),
    provider_name: deps.config.SITE_NAME,
    provider_url: siteUrl,
    // A consumer may not show the image after its expiry.
    cache_age: Math.floor(Math.min(limits.share.oembedCacheMs, row.expires_at - deps.now()) / 1000),
    ...(type === 'photo' ? { url: photo.url } : { html: snippet(row, page, base, photo) }),
    width: photo.width,
    height: photo.height,
    thumbnail_url: thumbnail.url,
    thumbnail_width: thumbnail.width,
    thumbnail_height: thumbnail.height,
  }
}

/** Sites insert it as it is. */
function snippet(row: SharedImage['row'], page: string, base: string, photo: ShownFile): string {
  const sources = srcsetSourcesOf(row, base).filter(({ width }) => width <= photo.width)
  const srcset = sources.map(({ url, width }) => `${url} ${width}w`).join(', ')
  const sizes = `(min-width: ${photo.width}px) ${photo.width}px, 100vw`
  const responsive = sources.length < 2 ? markup`` : markup` srcset="${srcset}" sizes="${sizes}"`
  const size = markup`width="${photo.width}" height="${photo.height}"`
  const image = markup`<img src="${photo.url}"${responsive} alt="${altOf(row)}" ${size} loading="lazy" style="max-width:100%;height:auto">`
  return markup`<a href="${page}">${image}</a>`.markup
}

function send(reply: FastifyReply, format: 'json' | 'xml', oembed: Record<string, string | number>): FastifyReply {
  reply.header('cache-control', 'no-cache')
  if (format === 'json') return reply.send(oembed)
  const fields = Object.entries(oembed).map(([name, value]) => `<${name}>${escapeXml(String(value))}</${name}>`)
  return reply
    .type('text/xml; charset=utf-8')
    .send(`<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>${fields.join('')}</oembed>\n`)
}

/** XML has no reference to control characters and noncharacters (https://www.w3.org/TR/xml/#charsets). */
const escapeXml = (text: string) =>
  escapeText(text.replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, ''))

/** The addresses of the two forms, for the page that they describe. */
export const oembedUrl = (siteUrl: string, page: string, format: 'json' | 'xml'): string =>
  `${siteUrl}${oembedPath}?url=${encodeURIComponent(page)}&format=${format}`
