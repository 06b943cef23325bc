import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Image } from '../../../contract/endpoints/images.ts'
import { limits } from '../../../contract/plain/limits.ts'

const pageSize = limits.list.outlinePage
const idOf = (n: number) => `image-${n}`
const imageOf = (id: string) => ({ id, width: 300, height: 200, size: 1 }) as Image

/** The user's images on the server, and the requests it received. */
const server = { ids: [] as string[], requests: [] as string[], rejects: (_address: string) => false }
const cursorAfter = (id: string | undefined) => `after-${id}`

function respond(address: string): Response {
  const { pathname, searchParams } = new URL(address)
  server.requests.push(pathname + (searchParams.get('cursor') ?? ''))
  if (server.rejects(address)) return Response.json({ error: 'no' }, { status: 400 })
  const found = server.ids.filter((id) => id.includes(searchParams.get('q') ?? ''))
  if (pathname.endsWith('/outline')) {
    const ends = found.filter((_, at) => (at + 1) % pageSize === 0 && at + 1 < found.length)
    return Response.json({ ratios: found.map(() => 150), cursors: ends.map(cursorAfter) })
  }
  const from = found.findIndex((id) => cursorAfter(id) === searchParams.get('cursor')) + 1
  const page = found.slice(from, from + pageSize)
  const link = from + pageSize < found.length ? `</api/images?cursor=${cursorAfter(page.at(-1))}>; rel="next"` : ''
  return Response.json(page.map(imageOf), { headers: { link, 'x-total-count': String(found.length) } })
}

/** The page's addresses are relative. */
class RequestOnPage extends Request {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(input instanceof Request ? input : new URL(input, 'http://server'), init)
  }
}

beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal('Request', RequestOnPage)
  vi.stubGlobal('fetch', async ({ url }: Request) => respond(url))
  vi.spyOn(console, 'info').mockImplementation(() => {})
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

async function load(count: number) {
  Object.assign(server, { ids: Array.from({ length: count }, (_, n) => idOf(n)), requests: [], rejects: () => false })
  const gallery = await import('./gallery.ts')
  await gallery.loadGallery()
  const shown = () => gallery.galleryStore.get().items.map((item) => item?.id)
  return { ...gallery, state: gallery.galleryStore.get, shown }
}
const numbers = (ids: readonly (string | undefined)[]) => ids.map((id) => id?.replace('image-', ''))

test('a small list is one request', async () => {
  const { state, shown } = await load(3)
  expect(state()).toMatchObject({ status: 'ready', ratios: [150, 150, 150] })
  expect(numbers(shown())).toEqual(['0', '1', '2'])
  expect(server.requests).toEqual(['/api/images'])
})

test('of a large list only the pages in view are loaded', async () => {
  const { state, shown, showRange } = await load(1050)
  expect(shown()).toHaveLength(1050)
  expect(shown()[100]).toBeUndefined()
  const { ratios } = state()
  showRange(590, 605)
  await vi.waitFor(() => expect(shown()[605]).toBe(idOf(605)))
  expect(shown()[590]).toBe(idOf(590))
  expect(shown()[499]).toBeUndefined()
  expect(server.requests.slice(2)).toEqual(['/api/imagesafter-image-499', '/api/imagesafter-image-599'])
  // The layout does not change.
  expect(state().ratios).toBe(ratios)
})

test('the last page may be shorter than the others', async () => {
  const { shown, showRange } = await load(1050)
  showRange(1049, 1049)
  await vi.waitFor(() => expect(shown()[1049]).toBe(idOf(1049)))
})

test('pages loaded after removals and insertions fall into their slots', async () => {
  const { shown, showRange, removeImages, reinsertImages } = await load(350)
  const ids = [idOf(0), idOf(50), idOf(99)]
  server.ids = server.ids.filter((id) => !ids.includes(id))
  const removed = removeImages(new Set(ids))
  expect(removed.map(({ at }) => at)).toEqual([0, 50, 99])
  expect(shown()).toHaveLength(347)
  // The cursor of the second page names image 99, which is deleted; the page still starts where it
  // did.
  server.ids.splice(97, 0, idOf(99))
  showRange(100, 100)
  await vi.waitFor(() => expect(shown()[97]).toBe(idOf(100)))
  expect(shown()[196]).toBe(idOf(199))

  reinsertImages(removed)
  expect(numbers(shown().slice(0, 200))).toEqual(Array.from({ length: 200 }, (_, n) => String(n)))
  showRange(340, 349)
  await vi.waitFor(() => expect(shown()[349]).toBe(idOf(349)))
})

test('an image at the edge of a page is reinserted into that page', async () => {
  const { shown, showRange, removeImages, reinsertImages } = await load(350)
  showRange(210, 210)
  await vi.waitFor(() => expect(shown()[210]).toBe(idOf(210)))
  reinsertImages(removeImages(new Set([idOf(200), idOf(99)])))
  expect([shown()[99], shown()[100], shown()[199], shown()[200]]).toEqual([idOf(99), undefined, undefined, idOf(200)])
  showRange(100, 199)
  await vi.waitFor(() => expect(shown()[199]).toBe(idOf(199)))
  expect(numbers(shown().slice(98, 202))).toEqual(Array.from({ length: 104 }, (_, n) => String(n + 98)))
})

test('a new image is first, and later pages move by one', async () => {
  const { shown, showRange, addFirst } = await load(250)
  addFirst(imageOf('new'))
  expect(shown().slice(0, 2)).toEqual(['new', idOf(0)])
  showRange(101, 101)
  await vi.waitFor(() => expect(shown()[101]).toBe(idOf(100)))
})

test('a filtered list is loaded again after an upload: only the server knows the position', async () => {
  const { shown, addFirst, loadGallery, unfilteredQuery } = await load(250)
  await loadGallery({ ...unfilteredQuery, q: 'image-24' })
  expect(numbers(shown())).toEqual(['24', '240', '241', '242', '243', '244', '245', '246', '247', '248', '249'])
  server.ids.unshift('image-24x')
  addFirst(imageOf('image-24x'))
  await vi.waitFor(() => expect(shown()[0]).toBe('image-24x'))
})

test('undoing a deletion made in another list loads the list again', async () => {
  const { shown, removeImages, reinsertImages, loadGallery, unfilteredQuery } = await load(30)
  const removed = removeImages(new Set([idOf(3)]))
  await loadGallery({ ...unfilteredQuery, q: 'image-1' })
  reinsertImages(removed)
  await vi.waitFor(() => expect(server.requests).toHaveLength(3))
  expect(shown()).not.toContain(idOf(3))
})

test('an image removed while the list reloads stays removed', async () => {
  const { shown, removeImages, loadGallery, state } = await load(30)
  const reload = loadGallery()
  removeImages(new Set([idOf(3)]))
  server.ids.splice(3, 1)
  await reload
  expect(state().status).toBe('ready')
  expect(shown()).toHaveLength(29)
  expect(server.requests).toHaveLength(3)
})

test('a list that another device changed is loaded again, and keeps its length meanwhile', async () => {
  const { shown, showRange, galleryStore } = await load(350)
  server.ids.splice(120, 5)
  const lengths = new Set<number>()
  galleryStore.subscribe(() => lengths.add(shown().length))
  showRange(100, 349)
  await vi.waitFor(() => expect(shown()).toHaveLength(345))
  expect([...lengths]).toEqual([350, 345])
  await vi.waitFor(() => expect(shown()[344]).toBe(idOf(349)))
})

test('a page that failed to load is not requested again until a retry', async () => {
  const { state, shown, showRange, retryGallery } = await load(250)
  server.rejects = (address) => address.includes('cursor')
  showRange(150, 160)
  await vi.waitFor(() => expect(state().isPageMissing).toBe(true))
  const requests = server.requests.length
  showRange(151, 161)
  expect(server.requests).toHaveLength(requests)
  server.rejects = () => false
  await retryGallery()
  await vi.waitFor(() => expect(shown()[160]).toBe(idOf(160)))
})

test('a list that failed to load has that status and can be retried', async () => {
  const { state, loadGallery, retryGallery } = await load(2)
  server.rejects = () => true
  await loadGallery()
  expect(state()).toMatchObject({ status: 'failed', items: [{ id: idOf(0) }, { id: idOf(1) }] })
  server.rejects = () => false
  await retryGallery()
  expect(state().status).toBe('ready')
})

test('the response to a superseded query is ignored', async () => {
  const { shown, loadGallery, unfilteredQuery } = await load(30)
  const first = loadGallery({ ...unfilteredQuery, q: 'image-1' })
  const second = loadGallery({ ...unfilteredQuery, q: 'image-2' })
  await Promise.all([first, second])
  expect(shown()[0]).toBe(idOf(2))
})

test('loadAll loads every page once', async () => {
  const { loadAll } = await load(250)
  expect((await loadAll()).map(({ id }) => id)).toEqual(server.ids)
  expect(await loadAll()).toHaveLength(250)
  expect(server.requests).toHaveLength(4)
})

test('uploads under a filter reload the list at once, and once more after all of them', async () => {
  vi.useFakeTimers()
  const { addFirst, loadGallery, state } = await load(3)
  await loadGallery({ ...state().query, sort: 'name' as never })
  server.requests = []
  for (let n = 0; n < 20; n++) addFirst(imageOf(`new-${n}`))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(server.requests).toHaveLength(2)
  vi.useRealTimers()
})

test('a refused list is asked for once', async () => {
  const { openGallery, preloadGallery, state } = await load(1)
  const { token } = await import('../token.ts')
  token.set('a-token')
  server.rejects = () => true
  server.requests = []
  await preloadGallery(state().query)
  await openGallery(state().query)
  expect(server.requests).toEqual(['/api/images'])
  expect(state().status).toBe('failed')
})

test('a reload does not empty the pages in view', async () => {
  const { loadGallery, shown, showRange, galleryStore } = await load(1050)
  showRange(590, 605)
  await vi.waitFor(() => expect(shown()[605]).toBe(idOf(605)))
  const seen: boolean[] = []
  galleryStore.subscribe(() => seen.push(shown()[590] !== undefined && shown()[605] !== undefined))
  server.ids.unshift(idOf(2000))
  await loadGallery()
  expect(numbers([shown()[0], shown()[591], shown()[605]])).toEqual(['2000', '590', '604'])
  expect(new Set(seen)).toEqual(new Set([true]))
})

async function loadAlbum(count: number) {
  const gallery = await load(count)
  server.requests = []
  await gallery.loadGallery({ ...gallery.state().query, album: 'a' })
  return gallery
}

test('the list of an album grows by the page after those that were seen', async () => {
  const { state, showRange } = await loadAlbum(250)
  expect(state().items).toHaveLength(200)
  expect(state().items[100]).toBeUndefined()
  showRange(90, 110)
  await vi.waitFor(() => expect(state().items).toHaveLength(250))
  expect(state().items[199]?.id).toBe(idOf(199))
  showRange(199, 210)
  await vi.waitFor(() => expect(state().items[249]?.id).toBe(idOf(249)))
  expect(server.requests.every((path) => path.startsWith('/api/albums/a/images'))).toBe(true)
})

test('all images of an album are loaded for actions on all', async () => {
  const { loadAll } = await loadAlbum(250)
  expect(await loadAll()).toHaveLength(250)
})

test('an album does not show the images of the list before it', async () => {
  const { state, loadGallery } = await load(3)
  const loaded = loadGallery({ ...state().query, album: 'a' })
  expect(state().items).toEqual([])
  await loaded
  expect(state().items).toHaveLength(3)
})

test('images are moved in front of another one, or to the end', async () => {
  const { moveImages, shown } = await loadAlbum(5)
  expect(moveImages([idOf(3), idOf(1)], idOf(0))).toBe(true)
  expect(numbers(shown())).toEqual(['3', '1', '0', '2', '4'])
  expect(moveImages([idOf(3)], undefined)).toBe(true)
  expect(numbers(shown())).toEqual(['1', '0', '2', '4', '3'])
  expect(moveImages([idOf(9)], undefined)).toBe(false)
  expect(moveImages([idOf(1)], 'not loaded')).toBe(false)
})

test('all images are asked for while only the first page is there', async () => {
  const { loadGallery, loadAll, state } = await load(250)
  let sendOutline = () => {}
  const outlineAsked = new Promise<void>((resolve) => (sendOutline = resolve))
  vi.stubGlobal('fetch', async ({ url }: Request) => {
    if (url.includes('/outline')) await outlineAsked
    return respond(url)
  })
  const { unfilteredQuery } = await import('./gallery.ts')
  const loaded = loadGallery({ ...unfilteredQuery, q: 'image' })
  await vi.waitFor(() => expect(state()).toMatchObject({ status: 'ready', query: { q: 'image' } }))
  const all = loadAll()
  sendOutline()
  await loaded
  expect(await all).toHaveLength(250)
})
