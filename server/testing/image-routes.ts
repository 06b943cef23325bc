// Every route that names an image, and what it sends where somebody may view it: the rows of the table of access
// (server/http/delivery/image-access.test.ts). A route of the server that is in none of these lists fails that test.
import { request } from 'node:http'
import { imageUrls, withKey } from '../../contract/derive/client.ts'
import type { UploadedImage } from '../../contract/endpoints/images.ts'
import { dayMs } from '../../contract/plain/limits.ts'

export type NamedImage = Pick<UploadedImage, 'id' | 'file_name'> & { slug: string }

/** Has the shape of an image, and names none. */
export const noImage: NamedImage = {
  id: 'A'.repeat(22),
  file_name: `picture-${'A'.repeat(22)}.jpg`,
  slug: 'slug-none',
}

/** PUBLIC_URL of the tests that use these addresses. */
export const siteOfImages = 'http://img.example'

interface ViewingRoute {
  /** Status of a served image. Default 200. */
  open?: number
  /** Status of a deleted one. Default 410. */
  gone?: number
  /** Status of a quarantined one. Default 451. */
  withheld?: number
  /** Status of a private one, for whoever may view it too. Default: like a public one. */
  ofPrivate?: number
  /** The image itself or a variant, which has a host of its own where MEDIA_ORIGIN is set. */
  isImage?: true
}

/** Routes that show an image to everyone who may view it, with a key or without. */
export const viewingRoutes: Record<string, ViewingRoute> = {
  '/uploads/{file_name}': { isImage: true },
  '/i/{id}.{extension}': { isImage: true },
  '/i/{id}/{name}.{extension}': { isImage: true },
  '/api/thumbnail/{id}/{width}': { isImage: true },
  '/api/resize/{id}/{width}': { isImage: true },
  '/api/resize/{id}/{width}/{height}': { isImage: true },
  '/api/jpeg/{id}/{width}': { isImage: true },
  '/api/webp/{id}/{quality}': { isImage: true },
  '/api/analyze/{id}': {},
  '/i/{id}': {},
  '/s/{slug}': { open: 302 },
  // What the standard has for what is deleted, and for what is not available.
  '/oembed': { gone: 404, withheld: 401 },
}

/** Where an image was at another host before it was imported. No route: it redirects to the image, whose address has the rest. */
export const legacyAddress = '/old/{id}.jpg'

/** With other addresses: of a route, without the extension (ksnip), and at another host. */
export const viewingAddresses: Record<string, ViewingRoute> = {
  ...viewingRoutes,
  '/uploads/{base_name}': { isImage: true },
  [legacyAddress]: { open: 301, gone: 301, withheld: 301, ofPrivate: 404 },
}

/** Routes for whoever manages an image, and the status that another user gets of a public one. */
export const managingRoutes: Record<string, { ofPublic: number; body?: (image: NamedImage) => object }> = {
  'GET /api/images/{id}': { ofPublic: 403 },
  'GET /api/images/{id}/views': { ofPublic: 403 },
  'GET /api/images/{id}/preview': { ofPublic: 403 },
  'GET /api/images/{id}/original': { ofPublic: 403 },
  'GET /api/trash/{id}/preview': { ofPublic: 404 },
  'GET /api/admin/images/{id}/preview': { ofPublic: 403 },
  'GET /3/image/{hash}': { ofPublic: 403 },
  'GET /delete/{hash}': { ofPublic: 302 },
  'GET /d/{id}/{token}': { ofPublic: 403 },
  'POST /d/{id}/{token}': { ofPublic: 403 },
  'PATCH /api/images/{id}': { ofPublic: 403, body: () => ({ title: 'Mine' }) },
  'DELETE /api/images/{id}': { ofPublic: 403 },
  'POST /api/images/{id}/restore': { ofPublic: 403 },
  'POST /api/images/{id}/extend-expiration': { ofPublic: 403 },
  'POST /api/images/{id}/view-keys': { ofPublic: 403, body: () => ({}) },
  'DELETE /api/images/{id}/view-keys': { ofPublic: 403 },
  'POST /api/images/{id}/variants': { ofPublic: 403, body: () => ({ w: 20, h: 20 }) },
  'POST /api/admin/images/{id}/block-uploader': { ofPublic: 403, body: () => ({}) },
  'DELETE /3/image/{hash}': { ofPublic: 403 },
  'DELETE /api/v1/images/{key}': { ofPublic: 403 },
  'POST /delete': { ofPublic: 403, body: ({ id }) => ({ list: [{ hash: `${id}.${'x'.repeat(43)}` }] }) },
  'POST /api/images/visibility': { ofPublic: 200, body: ({ id }) => ({ ids: [id], visibility: 'public' }) },
  'POST /api/images/expiry': {
    ofPublic: 200,
    body: ({ id }) => ({ ids: [id], expires_at: new Date(Date.now() + 2 * dayMs).toISOString() }),
  },
  'POST /api/images/claim': { ofPublic: 200, body: ({ id }) => ({ images: [{ id, token: 'x'.repeat(43) }] }) },
  'POST /api/trash': { ofPublic: 200, body: ({ id }) => ({ ids: [id] }) },
  'POST /api/trash/restore': { ofPublic: 200, body: ({ id }) => ({ ids: [id] }) },
  'POST /api/trash/delete': { ofPublic: 200, body: ({ id }) => ({ ids: [id] }) },
  'POST /api/tags/images': { ofPublic: 200, body: ({ id }) => ({ ids: [id], add: ['mine'] }) },
  'POST /api/albums': { ofPublic: 404, body: ({ id }) => ({ title: 'Mine', images: [id] }) },
  'POST /api/albums/guest': {
    ofPublic: 404,
    body: ({ id }) => ({ images: [id, 'B'.repeat(22)].map((one) => ({ id: one, token: 'x'.repeat(43) })) }),
  },
  'POST /3/album': { ofPublic: 404, body: ({ id }) => ({ ids: [id] }) },
  'POST /api/reports': {
    ofPublic: 201,
    body: ({ id }) => ({ image: imageUrls.sharePage(siteOfImages, id), reason: 'spam' }),
  },
  'POST /api/links': { ofPublic: 404, body: ({ id }) => ({ images: [id] }) },
  'POST /api/admin/images/moderate': {
    ofPublic: 403,
    body: ({ id }) => ({ ids: [id], action: 'quarantine', reason: 'x' }),
  },
  'POST /api/admin/blocked-images': { ofPublic: 403, body: ({ id }) => ({ images: [id] }) },
}

/** Tools of the MCP endpoint that name an image, and whether another user gets an error for a public one. */
export const imageTools: Record<string, { isRefused: boolean; given: (image: NamedImage, album: string) => object }> = {
  create_album: { isRefused: true, given: ({ id }) => ({ title: 'Mine', images: [id] }) },
  add_to_album: { isRefused: false, given: ({ id }, album) => ({ album, ids: [id] }) },
  list_links: { isRefused: false, given: ({ id }) => ({ image: id }) },
  analyze_image: { isRefused: false, given: ({ id }) => ({ id }) },
  extend_image: { isRefused: true, given: ({ id }) => ({ id }) },
  set_visibility: { isRefused: true, given: ({ id }) => ({ id, visibility: 'public' }) },
  create_view_key: { isRefused: true, given: ({ id }) => ({ id, expires_in: '1h' }) },
  create_link: { isRefused: true, given: ({ id }) => ({ images: [id] }) },
  tag_images: { isRefused: false, given: ({ id }) => ({ ids: [id], add: ['mine'] }) },
  delete_image: { isRefused: true, given: ({ id }) => ({ id }) },
}

/** Tools that list what a caller has, and what is asked of them to find an image. */
export const listTools: Record<string, (image: NamedImage, album: string) => object> = {
  list_albums: () => ({}),
  list_album_images: (_, album) => ({ album }),
  list_images: () => ({}),
  search_images: ({ slug }) => ({ query: slug }),
  list_links: (_, album) => ({ album }),
  list_tags: () => ({}),
}

/** Pages and files of a link. */
export const linkRoutes = [
  'GET /l/{slug}',
  'GET /l/{slug}/{albumId}',
  'GET /l/{slug}/images.zip',
  'GET /l/{slug}/preview.jpg',
  'POST /l/{slug}',
  'POST /l/{slug}/{albumId}',
]

/** Whose parameters name something else. Lists of images among them are asked for in the table too. */
export const routesOfOthers = [
  /^\/(api\/)?users\//,
  /^\/api\/(sessions|me|login|webhooks|uploads|api-keys|links)\//,
  /^\/api\/admin\/(invites|reports)\//,
  /^\/api\/database\/backups\//,
  /^\/db\/collections\//,
  /^\/unsubscribe\//,
  // What they show is a matter of the album.
  /^\/(api(\/v1)?\/albums|api\/user\/folders|3\/album|3\/account)\//,
]

const parameters = { width: '30', height: '20', quality: '80', extension: 'jpg', name: 'photo', token: 'x'.repeat(43) }

/** The address of an image by a route of the server. */
export function addressOf(path: string, image: NamedImage, key?: string): string {
  if (path === '/oembed')
    return `/oembed?url=${encodeURIComponent(withKey(imageUrls.sharePage(siteOfImages, image.id), key))}`
  const hash = path === '/delete/{hash}' ? `${image.id}.${parameters.token}` : image.id
  const base_name = image.file_name.replace(/\.\w+$/, '')
  const values: Record<string, string> = { ...image, base_name, hash, key: image.id, ...parameters }
  return withKey(
    path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? name),
    key,
  )
}

export interface Asked {
  url: string
  method?: string
  path: string
  headers?: Record<string, string>
  /** Sent as JSON, or a text as a form. */
  body?: object | string
}

export interface Received {
  status: number
  /** In their order, without those that differ between any two responses. */
  headers: string[]
  text: string
}

/** Over node:http, which costs a third of fetch, and lets the client choose the host. */
export function ask({ url, method = 'GET', path, headers, body }: Asked): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url + path,
      { method, headers: { ...headers, ...(body !== undefined && { 'content-type': typeOf(body) }) } },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.once('error', reject)
        response.once('end', () => {
          const { rawHeaders, statusCode = 0 } = response
          const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []))
          resolve({
            status: statusCode,
            headers: lines.filter((line) => !/^(date|x-request-id):/i.test(line)),
            text: Buffer.concat(parts).toString('latin1'),
          })
        })
      },
    )
    sent.once('error', reject)
    sent.end(typeof body === 'object' ? JSON.stringify(body) : body)
  })
}

const typeOf = (body: object | string) =>
  typeof body === 'object' ? 'application/json' : 'application/x-www-form-urlencoded'

/** What of an answer tells one image from another that has names of the same length. */
export function factsOf({ status, headers, text }: Received, image: NamedImage, key = '') {
  const hide = (one: string) => {
    let hidden = one.replaceAll(image.file_name, 'FILE').replaceAll(image.id, 'ID').replaceAll(image.slug, 'SLUG')
    if (key !== '') hidden = hidden.replaceAll(key, 'KEY')
    return hidden.replaceAll(/nonce-?[="'][^"'\s;]*/g, 'NONCE').replaceAll(/nonce-[\w+/=-]+/g, 'NONCE')
  }
  return { status, headers: headers.map(hide), text: hide(text) }
}
