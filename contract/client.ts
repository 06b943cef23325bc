// The typed client and the image URL builders, derived from the contract. Types only from it, so that no zod reaches the page.
import type { Api } from './api.ts'
import type { ReplyOf, RequestOf } from './endpoint.ts'
import { limits } from './limits.ts'
import { routes } from './routes.ts'

/** The endpoints with a JSON reply and no file: what the client can call. Uploads need progress, pictures a URL, mail its own client. */
type Callable = {
  [N in keyof Api]: Api[N] extends { reply: 'image' | 'text' | 'file' } | { upload: object } ? never : N
}[keyof Api]

type Call<E> = {} extends E ? (request?: E) => unknown : (request: E) => unknown

export type Client = {
  [N in Callable]: (...args: Parameters<Call<RequestOf<Api[N]>>>) => Promise<ReplyOf<Api[N]>>
}

export interface Outgoing {
  method: string
  /** Path and query, from the root. */
  path: string
  body?: unknown
  headers?: Record<string, string>
}

type Parts = { params?: object; query?: object; body?: unknown; headers?: Record<string, string> }

/**
 * A function for each endpoint.
 * @param send sends one request and answers its JSON, or throws: timeouts, retries and tokens are its business.
 */
export function createClient(send: (request: Outgoing) => Promise<unknown>): Client {
  return Object.fromEntries(
    Object.entries(routes).map(([name, route]) => [
      name,
      ({ params, query, body, headers }: Parts = {}) => {
        const [method = '', template = ''] = route.split(' ')
        const path = fillPath(template, params) + queryString(query)
        return send({ method, path, ...(body !== undefined && { body }), ...(headers && { headers }) })
      },
    ]),
  ) as unknown as Client
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

export const uploadPath = pathOf('uploadImage')

/** Addresses of an image's bytes. `base` is the origin with no slash at the end, '' for this page's own. Widths in pixels. */
export const imageUrls = {
  original: (base: string, fileName: string) => base + fillPath(pathOf('getOriginal'), { file_name: fileName }),
  thumbnail: (base: string, id: string, width: number = limits.variant.thumbnailPx) =>
    base + fillPath(pathOf('getThumbnail'), { id, width }),
  resize: (base: string, id: string, width: number = limits.variant.defaultWidthPx, height?: number) =>
    base + fillPath(pathOf(height === undefined ? 'getResized' : 'getResizedToBox'), { id, width, height }),
  jpeg: (base: string, id: string, width: number = limits.variant.defaultWidthPx) =>
    base + fillPath(pathOf('getJpeg'), { id, width }),
  webp: (base: string, id: string, quality: number = limits.variant.defaultQuality, width?: number) =>
    base + fillPath(pathOf('getWebp'), { id, quality }) + queryString({ width }),
}
