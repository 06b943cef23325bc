// The service worker: the page's own files where there is no network, and what other apps share with it. Nothing of the
// API and no picture is ever kept, so that nothing of a user outlives the session, and nothing deleted lives on, in a cache.
import offline from './offline.html?raw'

declare const self: ServiceWorkerGlobalScope
/** Filled in by vite.config.ts: what is kept, and a name for this build of it. */
declare const FILES: readonly string[]
declare const BUILD: string

const pageCache = `page-${BUILD}`
/** The same document stands on every address of the page. */
const shell = '/index.html'
/** A network that says nothing for so long is none. */
const patienceMs = 3000

// A new version waits until no page of the old one is open, and takes over then: an open page may still ask for its files.
self.addEventListener('install', (event) => event.waitUntil(keepPage()))
self.addEventListener('activate', (event) => event.waitUntil(takeOver()))
self.addEventListener('fetch', (event) => {
  const reply = replyTo(event)
  if (reply !== undefined) event.respondWith(reply)
})

async function keepPage(): Promise<void> {
  const cache = await caches.open(pageCache)
  await cache.addAll([new Request(shell, { cache: 'reload' }), ...FILES])
}

async function takeOver(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith('page-') && name !== pageCache)
  await Promise.all(old.map((name) => caches.delete(name)))
  // The document is asked for while the worker starts.
  await self.registration.navigationPreload?.enable()
  await self.clients.claim()
}

/** Undefined: the browser goes on as if there were no worker. */
function replyTo(event: FetchEvent): Promise<Response> | undefined {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== self.location.origin) return
  if (request.method === 'POST' && pathname === '/share-target') return takeShared(request)
  if (request.method !== 'GET') return
  if (pathname.startsWith('/assets/')) return openAsset(request)
  const isPage = request.mode === 'navigate' && !/^\/(api|db|uploads|metrics|healthz|readyz)(\/|$)/.test(pathname)
  return isPage ? openPage(event) : undefined
}

/** From the network, so that a new version is seen at once; from the cache where that is gone or too slow. */
async function openPage(event: FetchEvent): Promise<Response> {
  const network = fetchPage(event)
  const cached = caches.match(shell, { cacheName: pageCache, ignoreVary: true })
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, patienceMs))
  try {
    return (await Promise.race([network, late])) ?? (await cached) ?? (await network)
  } catch (error) {
    console.info('No network', error)
    return (await cached) ?? offlinePage()
  }
}

async function fetchPage(event: FetchEvent): Promise<Response> {
  const preloaded = (await event.preloadResponse) as Response | undefined
  return preloaded ?? fetch(event.request)
}

/** Part of this file, because caches may be emptied when the disk is full. */
const offlinePage = () =>
  new Response(offline, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    },
  })

/** Their names change with their content: what was kept once stays true. */
async function openAsset(request: Request): Promise<Response> {
  const cache = await caches.open(pageCache)
  const kept = await cache.match(request, { ignoreVary: true })
  if (kept !== undefined) return kept
  const reply = await fetch(request)
  if (reply.status === 200) await cache.put(request, reply.clone())
  return reply
}

const maxShared = 20

/** Keeps the files until the page takes them (web/data/shared-files.ts), and opens it. */
async function takeShared(request: Request): Promise<Response> {
  try {
    const form = await request.formData()
    const files = form.getAll('image').filter((value) => value instanceof File && value.size > 0) as File[]
    const cache = await caches.open('shared')
    for (const file of files.slice(0, maxShared)) {
      const headers = { 'content-type': file.type, 'x-name': encodeURIComponent(file.name), 'x-at': String(Date.now()) }
      await cache.put(`/shared/${crypto.randomUUID()}`, new Response(file, { headers }))
    }
  } catch (error) {
    console.info('What was shared could not be read', error)
  }
  return Response.redirect('/dashboard?shared=1', 303)
}
