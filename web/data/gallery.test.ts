import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Image } from '../../contract/images.ts'
import { limits } from '../../contract/limits.ts'

const pageSize = limits.list.outlinePage
const idOf = (n: number) => `image-${n}`
const imageOf = (id: string) => ({ id, width: 300, height: 200, size: 1 }) as Image

/** The user's images as a server has them, and what it was asked. */
const server = { ids: [] as string[], asked: [] as string[], refuses: (_address: string) => false }
const cursorAfter = (id: string | undefined) => `after-${id}`

function reply(address: string): Response {
  const { pathname, searchParams } = new URL(address)
  server.asked.push(pathname + (searchParams.get('cursor') ?? ''))
  if (server.refuses(address)) return Response.json({ error: 'no' }, { status: 400 })
  const found = server.ids.filter((id) => id.includes(searchParams.get('q') ?? ''))
  if (pathname.endsWith('/outline')) {
    const ends = found.filter((_, at) => (at + 1) % pageSize === 0 && at + 1 < found.length)
    return Response.json({ ratios: found.map(() => 150), cursors: ends.map(cursorAfter) })
  }
  const from = found.findIndex((id) => cursorAfter(id) === searchParams.get('cursor')) + 1
  const page = found.slice(from, from + pageSize)
  const link = from + pageSize < found.length ? '<x>; rel="next"' : ''
  return Response.json(page.map(imageOf), { headers: { link } })
}

/** A page's addresses have no host of their own. */
class RequestOnPage extends Request {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(input instanceof Request ? input : new URL(input, 'http://server'), init)
  }
}

beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal('Request', RequestOnPage)
  vi.stubGlobal('fetch', async ({ url }: Request) => reply(url))
  vi.spyOn(console, 'info').mockImplementation(() => {})
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

async function load(count: number) {
  Object.assign(server, { ids: Array.from({ length: count }, (_, n) => idOf(n)), asked: [], refuses: () => false })
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
  expect(server.asked).toEqual(['/api/images'])
})

test('of a large one only what is looked at is read', async () => {
  const { state, shown, wantImages } = await load(1050)
  expect(shown()).toHaveLength(1050)
  expect(shown()[100]).toBeUndefined()
  const { ratios } = state()
  wantImages(590, 605)
  await vi.waitFor(() => expect(shown()[605]).toBe(idOf(605)))
  expect(shown()[590]).toBe(idOf(590))
  expect(shown()[499]).toBeUndefined()
  expect(server.asked.slice(2)).toEqual(['/api/imagesafter-image-499', '/api/imagesafter-image-599'])
  // Nothing has to be laid out anew.
  expect(state().ratios).toBe(ratios)
})

test('the last page is as short as it is', async () => {
  const { shown, wantImages } = await load(1050)
  wantImages(1049, 1049)
  await vi.waitFor(() => expect(shown()[1049]).toBe(idOf(1049)))
})

test('pages that are read after images went and came fall into their slots', async () => {
  const { shown, wantImages, takeOut, putBack } = await load(350)
  const ids = [idOf(0), idOf(50), idOf(99)]
  server.ids = server.ids.filter((id) => !ids.includes(id))
  const taken = takeOut(new Set(ids))
  expect(taken.map(({ at }) => at)).toEqual([0, 50, 99])
  expect(shown()).toHaveLength(347)
  // The cursor of the second page names image 99, which is gone; the page starts where it did.
  server.ids.splice(97, 0, idOf(99))
  wantImages(100, 100)
  await vi.waitFor(() => expect(shown()[97]).toBe(idOf(100)))
  expect(shown()[196]).toBe(idOf(199))

  putBack(taken)
  expect(numbers(shown().slice(0, 200))).toEqual(Array.from({ length: 200 }, (_, n) => String(n)))
  wantImages(340, 349)
  await vi.waitFor(() => expect(shown()[349]).toBe(idOf(349)))
})

test('an image at the edge of a page returns into that page', async () => {
  const { shown, wantImages, takeOut, putBack } = await load(350)
  wantImages(210, 210)
  await vi.waitFor(() => expect(shown()[210]).toBe(idOf(210)))
  putBack(takeOut(new Set([idOf(200), idOf(99)])))
  expect([shown()[99], shown()[100], shown()[199], shown()[200]]).toEqual([idOf(99), undefined, undefined, idOf(200)])
  wantImages(100, 199)
  await vi.waitFor(() => expect(shown()[199]).toBe(idOf(199)))
  expect(numbers(shown().slice(98, 202))).toEqual(Array.from({ length: 104 }, (_, n) => String(n + 98)))
})

test('a new image stands first, and later pages move on by one', async () => {
  const { shown, wantImages, putFirst } = await load(250)
  putFirst(imageOf('new'))
  expect(shown().slice(0, 2)).toEqual(['new', idOf(0)])
  wantImages(101, 101)
  await vi.waitFor(() => expect(shown()[101]).toBe(idOf(100)))
})

test('in a filtered list only the server knows the place of a new one', async () => {
  const { shown, putFirst, loadGallery, everything } = await load(250)
  await loadGallery({ ...everything, q: 'image-24' })
  expect(numbers(shown())).toEqual(['24', '240', '241', '242', '243', '244', '245', '246', '247', '248', '249'])
  server.ids.unshift('image-24x')
  putFirst(imageOf('image-24x'))
  await vi.waitFor(() => expect(shown()[0]).toBe('image-24x'))
})

test('what was deleted in another list is undone by reading', async () => {
  const { shown, takeOut, putBack, loadGallery, everything } = await load(30)
  const taken = takeOut(new Set([idOf(3)]))
  await loadGallery({ ...everything, q: 'image-1' })
  putBack(taken)
  await vi.waitFor(() => expect(server.asked).toHaveLength(3))
  expect(shown()).not.toContain(idOf(3))
})

test('what changes while the list is read again is not lost', async () => {
  const { shown, takeOut, loadGallery, state } = await load(30)
  const reading = loadGallery()
  takeOut(new Set([idOf(3)]))
  server.ids.splice(3, 1)
  await reading
  expect(state().status).toBe('ready')
  expect(shown()).toHaveLength(29)
  expect(server.asked).toHaveLength(3)
})

test('a list that another device changed is read anew, and stays as long as it was meanwhile', async () => {
  const { shown, wantImages, galleryStore } = await load(350)
  server.ids.splice(120, 5)
  const lengths = new Set<number>()
  galleryStore.subscribe(() => lengths.add(shown().length))
  wantImages(100, 349)
  await vi.waitFor(() => expect(shown()).toHaveLength(345))
  expect([...lengths]).toEqual([350, 345])
  await vi.waitFor(() => expect(shown()[344]).toBe(idOf(349)))
})

test('a page that cannot be read waits until it is asked for again', async () => {
  const { state, shown, wantImages, retryGallery } = await load(250)
  server.refuses = (address) => address.includes('cursor')
  wantImages(150, 160)
  await vi.waitFor(() => expect(state().isPageMissing).toBe(true))
  const asked = server.asked.length
  wantImages(151, 161)
  expect(server.asked).toHaveLength(asked)
  server.refuses = () => false
  await retryGallery()
  await vi.waitFor(() => expect(shown()[160]).toBe(idOf(160)))
})

test('a list that cannot be read says so, and can be tried again', async () => {
  const { state, loadGallery, retryGallery } = await load(2)
  server.refuses = () => true
  await loadGallery()
  expect(state()).toMatchObject({ status: 'failed', items: [{ id: idOf(0) }, { id: idOf(1) }] })
  server.refuses = () => false
  await retryGallery()
  expect(state().status).toBe('ready')
})

test('the reply to a question that nobody asks any more changes nothing', async () => {
  const { shown, loadGallery, everything } = await load(30)
  const first = loadGallery({ ...everything, q: 'image-1' })
  const second = loadGallery({ ...everything, q: 'image-2' })
  await Promise.all([first, second])
  expect(shown()[0]).toBe(idOf(2))
})

test('readAll reads every page once', async () => {
  const { readAll } = await load(250)
  expect((await readAll()).map(({ id }) => id)).toEqual(server.ids)
  expect(await readAll()).toHaveLength(250)
  expect(server.asked).toHaveLength(4)
})
