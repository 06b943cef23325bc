// The service worker: serves the page's own files without a network, and receives files that other
// apps share. It caches no API response and no image, so that no user data outlives the session or
// a deletion.
import { isPagePath } from '../../contract/plain/page-paths.ts'
import offline from './offline.html?raw'

declare const self: ServiceWorkerGlobalScope
/** Set by vite.config.ts: the files to cache, and a hash of this build. */
declare const FILES: readonly string[]
declare const BUILD: string

const pageCache = `page-${BUILD}`
/** The same document is served for every page. */
const shell = '/index.html'
/** Without a response in this time the cached page is used. */
const networkTimeoutMs = 3000

// A new version activates once no page of the old one is open and may request its files.
self.addEventListener('install', (event) => event.waitUntil(cachePage()))
self.addEventListener('activate', (event) => event.waitUntil(takeOver()))
self.addEventListener('fetch', (event) => {
  const response = respondTo(event)
  if (response !== undefined) event.respondWith(response)
})

async function cachePage(): Promise<void> {
  const cache = await caches.open(pageCache)
  await cache.addAll([new Request(shell, { cache: 'reload' }), ...FILES])
}

async function takeOver(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith('page-') && name !== pageCache)
  await Promise.all(old.map((name) => caches.delete(name)))
  // The browser requests the document while the worker starts.
  await self.registration.navigationPreload?.enable()
  await self.clients.claim()
}

/** Undefined leaves the request to the browser. */
function respondTo(event: FetchEvent): Promise<Response> | undefined {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== self.location.origin) return
  if (request.method === 'POST' && pathname === '/share-target') return receiveShared(request)
  if (request.method !== 'GET') return
  if (pathname.startsWith('/assets/')) return openAsset(request)
  return request.mode === 'navigate' && isPagePath(pathname) ? openPage(event) : undefined
}

/** From the network for the newest version; from the cache when that fails or is slow. */
async function openPage(event: FetchEvent): Promise<Response> {
  const network = fetchPage(event)
  const cached = caches.match(shell, { cacheName: pageCache, ignoreVary: true })
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, networkTimeoutMs))
  try {
    return (await Promise.race([network, late])) ?? (await cached) ?? (await network)
  } catch (error) {
    console.info('No network or no server', error)
    return (await cached) ?? offlinePage()
  }
}

/** @throws when a proxy has no server behind it: unlike its page, the cached one goes on by itself */
async function fetchPage(event: FetchEvent): Promise<Response> {
  const preloaded = (await event.preloadResponse) as Response | undefined
  const response = preloaded ?? (await fetch(event.request))
  if ([502, 503, 504].includes(response.status)) throw new Error(`The status of the page is ${response.status}`)
  return response
}

/** Inlined, because browsers may clear caches when the disk is full. */
const offlinePage = () =>
  new Response(offline, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    },
  })

/** Asset names change with their content, so a cached asset is never stale. */
async function openAsset(request: Request): Promise<Response> {
  const cache = await caches.open(pageCache)
  const cached = await cache.match(request, { ignoreVary: true })
  if (cached !== undefined) return cached
  const response = await fetch(request)
  if (response.status === 200) await cache.put(request, response.clone())
  return response
}

const maxShared = 20

/**
 * Stores the files until the page reads them (web/features/upload/shared-files.ts), and opens the page. Any site
 * can send this form: the files replace earlier ones, and the page uploads none by itself.
 */
async function receiveShared(request: Request): Promise<Response> {
  try {
    const form = await request.formData()
    const files = form.getAll('image').filter((value) => value instanceof File && value.size > 0) as File[]
    await caches.delete('shared')
    const cache = await caches.open('shared')
    for (const file of files.slice(0, maxShared)) {
      const headers = { 'content-type': file.type, 'x-name': encodeURIComponent(file.name), 'x-at': String(Date.now()) }
      await cache.put(`/shared/${crypto.randomUUID()}`, new Response(file, { headers }))
    }
  } catch (error) {
    console.info('Shared files could not be read', error)
  }
  return Response.redirect('/dashboard?shared=1', 303)
}
