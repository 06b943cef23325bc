// The typed client and the image URL builders, derived from the contract. Imports types only, so that the page loads no zod.
import type { Api } from '../endpoints/api.ts'
import type { ResponseOf, RequestOf } from '../endpoints/endpoint.ts'
import type { EngineQuery } from '../endpoints/image-engine.ts'
import { limits } from '../plain/limits.ts'
import { deletePagePath, sharePagePath, slugPath } from '../plain/page-paths.ts'
import { routes } from '../plain/routes.ts'

/** Uploads need progress events, images a URL, and mail goes through the EmailJS client. */
type Callable = {
  [N in keyof Api]: Api[N] extends { response: 'image' | 'text' | 'file' } | { upload: object } ? never : N
}[keyof Api]

/** The body that the function takes. */
export type BodyOf<N extends Callable> = RequestOf<Api[N]>['body']

/** A body can be left out when all of its fields can. */
type Sendable<E> = E extends { body: infer B } ? ({} extends B ? Omit<E, 'body'> & { body?: B } : E) : E
type Call<E> = {} extends E ? (request?: E) => unknown : (request: E) => unknown

/** One page of a list. */
export interface List<T> {
  items: T[]
  /** Of all pages (X-Total-Count); of an endpoint without pages, the number of items. */
  total: number
  /** Cursor of the next page (Link rel="next"); undefined on the last one. */
  next: string | undefined
}

type ResultOf<R> = R extends (infer T)[] ? List<T> : R

/** A response body that is an array becomes a {@link List}. */
export type Client = {
  [N in Callable]: (...args: Parameters<Call<Sendable<RequestOf<Api[N]>>>>) => Promise<ResultOf<ResponseOf<Api[N]>>>
}

export interface Outgoing {
  method: string
  /** Path and query, from the root. */
  path: string
  body?: unknown
  headers?: Record<string, string>
}

/** What the client reads of a fetch Response. */
interface JsonResponse {
  headers: { get: (name: string) => string | null }
  json: () => Promise<unknown>
}

type Parts = { params?: object; query?: object; body?: unknown; headers?: Record<string, string> }

/**
 * Returns an object with a function for each endpoint.
 * @param send sends one request and returns its response, or throws. It is responsible for timeouts, retries and tokens.
 */
export function createClient(send: (request: Outgoing) => Promise<JsonResponse>): Client {
  return Object.fromEntries(
    Object.entries(routes).map(([name, route]) => [
      name,
      async ({ params, query, body, headers }: Parts = {}) => {
        const [method = '', template = ''] = route.split(' ')
        const path = fillPath(template, params) + queryString(query)
        const response = await send({ method, path, ...(body !== undefined && { body }), ...(headers && { headers }) })
        const result: unknown = await response.json()
        return Array.isArray(result) ? listOf(result, response.headers) : result
      },
    ]),
  ) as unknown as Client
}

const listOf = (items: unknown[], headers: JsonResponse['headers']): List<unknown> => ({
  items,
  total: Number(headers.get('x-total-count') ?? items.length),
  next: nextCursor(headers.get('link')),
})

/** Reads the cursor from a Link header (RFC 8288) that names the next page. */
function nextCursor(link: string | null): string | undefined {
  const cursor = /[?&]cursor=([^&#>]*)[^>]*>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1]
  return cursor === undefined ? undefined : decodeURIComponent(cursor.replaceAll('+', ' '))
}

const pathOf = (name: keyof typeof routes) => routes[name].slice(routes[name].indexOf(' ') + 1)

function fillPath(template: string, params: object = {}): string {
  const values = params as Record<string, string | number>
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
}

function queryString(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given.length === 0 ? '' : `?${given.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')}`
}

// Marked, so that a script that uses neither does not contain all routes.
export const uploadPath = /* @__PURE__ */ pathOf('uploadImage')
export const imagesPath = /* @__PURE__ */ pathOf('listImages')

export const auditExportPath = (query: RequestOf<Api['exportAuditEntries']>['query']) =>
  pathOf('exportAuditEntries') + queryString(query)

/** @param key view key of a private image; null or missing: the address as it is */
export function withKey(address: string, key: string | null | undefined): string {
  if (key === null || key === undefined) return address
  return `${address}${address.includes('?') ? '&' : '?'}key=${key}`
}

/** URLs of originals and variants. `base` is an origin without a trailing slash, or '' for relative URLs. Widths in pixels. */
export const imageUrls = {
  /** @param extension of the original, whose bytes it is without a query */
  file: (base: string, id: string, extension: string, query: Partial<EngineQuery> = {}) =>
    base + fillPath(pathOf('getImageFile'), { id, extension }) + queryString(query),
  original: (base: string, fileName: string) => base + fillPath(pathOf('getOriginal'), { file_name: fileName }),
  thumbnail: (base: string, id: string, width: number = limits.variant.thumbnailPx) =>
    base + fillPath(pathOf('getThumbnail'), { id, width }),
  resize: (base: string, id: string, width: number = limits.variant.defaultWidthPx, height?: number) =>
    base + fillPath(pathOf(height === undefined ? 'getResized' : 'getResizedToBox'), { id, width, height }),
  jpeg: (base: string, id: string, width: number = limits.variant.defaultWidthPx) =>
    base + fillPath(pathOf('getJpeg'), { id, width }),
  webp: (base: string, id: string, quality: number = limits.variant.defaultQuality, width?: number) =>
    base + fillPath(pathOf('getWebp'), { id, quality }) + queryString({ width }),
  /** The page of the image, and its custom link. */
  sharePage: (base: string, id: string) => base + fillPath(sharePagePath, { id }),
  slug: (base: string, slug: string) => base + fillPath(slugPath, { slug }),
  /** The page that deletes the image with the token of its delete link. */
  deletePage: (base: string, id: string, token: string) => base + fillPath(deletePagePath, { id, token }),
  /** For admins: requires their token. */
  preview: (base: string, id: string) => base + fillPath(pathOf('previewImage'), { id }),
  /** For its owner, as the one below: requires their token. Not counted as a view. */
  own: (base: string, id: string) => base + fillPath(pathOf('viewOwnImage'), { id }),
  /** Of an image in the trash of its owner. */
  trashed: (base: string, id: string) => base + fillPath(pathOf('viewTrashedImage'), { id }),
  ownOriginal: (base: string, id: string) => base + fillPath(pathOf('getOwnOriginal'), { id }),
}
