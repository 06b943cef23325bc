// The signed-in user's images as one long list, of which only what is looked at is read. Small galleries are one page; of a
// large one the outline tells every shape and where each page starts, so that it can be laid out and entered anywhere.
import { createClient, type Client } from '../../contract/client.ts'
import type { Image } from '../../contract/images.ts'
import { limits } from '../../contract/limits.ts'
import { createStore, useStore } from './store.ts'
import { token } from './token.ts'

type ListQuery = NonNullable<NonNullable<Parameters<Client['outlineImages']>[0]>['query']>

export interface GalleryQuery {
  q: string
  sort: NonNullable<ListQuery['sort']>
  type: ListQuery['type']
  expires: ListQuery['expires']
}
export const everything: GalleryQuery = { q: '', sort: 'newest', type: undefined, expires: undefined }

export interface Gallery {
  query: GalleryQuery
  /** loading: of the first page. What was there before stays meanwhile. */
  status: 'loading' | 'ready' | 'failed'
  /** A slot for each image that the query finds; undefined until its page is read. */
  items: readonly (Image | undefined)[]
  /** Width in hundredths of the height, one for each slot. */
  ratios: readonly number[]
  /** A page in view could not be read. */
  isPageMissing: boolean
}

const empty: Gallery = { query: everything, status: 'loading', items: [], ratios: [], isPageMissing: false }
const store = createStore(empty)
export const useGallery = () => useStore(store)

/** Where each page starts. The first has no cursor. */
interface Start {
  at: number
  cursor: string | undefined
}
let starts: Start[] = []
let wanted = { first: 0, last: 0 }
const underWay = new Set<string>()
/** Counts the loads: the reply to a question that nobody asks any more changes nothing. */
let generation = 0

const pageSize = limits.list.outlinePage
const maxUnderWay = 3

// The next user of this browser sees nothing of the one before.
token.subscribe(() => {
  if (token.get() === null) forget()
})

function forget(): void {
  generation++
  starts = []
  underWay.clear()
  store.set(empty)
}

/** Reads the list from its beginning. @param query what to read from now on; as before when it is not given */
export async function loadGallery(query: GalleryQuery = store.get().query): Promise<void> {
  const mine = ++generation
  underWay.clear()
  store.set({ ...store.get(), query, status: 'loading', isPageMissing: false })
  try {
    const { images, hasMore } = await fetchPage(query, undefined)
    if (mine !== generation) return
    starts = [{ at: 0, cursor: undefined }]
    store.set({ query, status: 'ready', items: images, ratios: images.map(ratioOf), isPageMissing: false })
    if (hasMore) await readOutline(query, mine)
  } catch (error) {
    if (mine !== generation) return
    console.info('Failed to fetch images', error)
    store.set({ ...store.get(), status: 'failed' })
  }
}

async function readOutline(query: GalleryQuery, mine: number): Promise<void> {
  const { client } = await import('./http.ts')
  const { ratios, cursors } = await client.outlineImages({ query: asSent(query) })
  if (mine !== generation) return
  starts = [{ at: 0, cursor: undefined }, ...cursors.map((cursor, at) => ({ at: (at + 1) * pageSize, cursor }))]
  const { items, ...rest } = store.get()
  store.set({ ...rest, ratios, items: ratios.map((_, at) => items[at]) })
  readWanted()
}

/** Tells which slots are looked at; their pages are read, the nearest first, and no others. */
export function wantImages(first: number, last: number): void {
  wanted = { first, last }
  readWanted()
}

/** Asks again for what could not be read. */
export async function retryGallery(): Promise<void> {
  if (store.get().status === 'failed') return loadGallery()
  store.set({ ...store.get(), isPageMissing: false })
  readWanted()
}

function readWanted(): void {
  const { items, status, isPageMissing } = store.get()
  if (status !== 'ready' || isPageMissing) return
  for (const [page, start] of starts.entries()) {
    if (underWay.size >= maxUnderWay) return
    const end = starts[page + 1]?.at ?? items.length
    const isWanted = start.at <= wanted.last && end > wanted.first
    const key = start.cursor ?? ''
    if (isWanted && !underWay.has(key) && items.slice(start.at, end).includes(undefined))
      void readPage(key, start.cursor)
  }
}

async function readPage(key: string, cursor: string | undefined): Promise<void> {
  const mine = generation
  underWay.add(key)
  try {
    const { images } = await fetchPage(store.get().query, cursor)
    if (mine !== generation) return
    underWay.delete(key)
    place(cursor, images)
  } catch (error) {
    if (mine !== generation) return
    underWay.delete(key)
    console.info('A page of images could not be read', error)
    store.set({ ...store.get(), isPageMissing: true })
  }
  readWanted()
}

/** Puts a page into its slots. Another device may have changed the list meanwhile: then it is read anew. */
function place(cursor: string | undefined, images: readonly Image[]): void {
  const { items, ratios, ...rest } = store.get()
  const page = starts.findIndex((start) => start.cursor === cursor)
  const { at } = starts[page] ?? { at: 0 }
  const end = starts[page + 1]?.at ?? items.length
  if (images.length < end - at) return void loadGallery()
  const shown = images.slice(0, end - at)
  store.set({
    ...rest,
    items: items.map((item, slot) => shown[slot - at] ?? item),
    ratios: ratios.map((ratio, slot) => {
      const image = shown[slot - at]
      return image === undefined ? ratio : ratioOf(image)
    }),
  })
}

/** Every image that the query finds, read to the last page: for actions on all of them. */
export async function readAll(): Promise<Image[]> {
  const mine = generation
  for (const { cursor } of [...starts]) {
    if (mine !== generation) break
    const page = starts.findIndex((start) => start.cursor === cursor)
    const at = starts[page]?.at ?? 0
    const end = starts[page + 1]?.at ?? store.get().items.length
    if (!store.get().items.slice(at, end).includes(undefined)) continue
    const { images } = await fetchPage(store.get().query, cursor)
    if (mine === generation) place(cursor, images)
  }
  return store.get().items.filter((item) => item !== undefined)
}

export const isListed = (id: string) => store.get().items.some((item) => item?.id === id)

/** A new image stands first in the list of everything; in any other it may have a place that only the server knows. */
export function putFirst(image: Image): void {
  const { query } = store.get()
  const isPlain = query.q === '' && query.sort === 'newest' && query.type === undefined && query.expires === undefined
  if (isPlain) putBack([{ at: 0, image }])
  else void loadGallery()
}

export interface Placed {
  at: number
  image: Image
}

/** Takes images out. @returns where they stood, for {@link putBack} */
export function takeOut(ids: ReadonlySet<string>): Placed[] {
  const { items, ratios, ...rest } = store.get()
  const taken = items.flatMap((image, at) => (image !== undefined && ids.has(image.id) ? [{ at, image }] : []))
  const gone = new Set(taken.map(({ at }) => at))
  store.set({
    ...rest,
    items: items.filter((_, at) => !gone.has(at)),
    ratios: ratios.filter((_, at) => !gone.has(at)),
  })
  starts = starts.map(({ at, cursor }) => ({ at: at - taken.filter((before) => before.at < at).length, cursor }))
  return taken
}

/** Puts images where they stood. */
export function putBack(placed: readonly Placed[]): void {
  const { items, ratios, ...rest } = store.get()
  const [nextItems, nextRatios] = [[...items], [...ratios]]
  for (const { at, image } of placed.toSorted((a, b) => a.at - b.at)) {
    nextItems.splice(at, 0, image)
    nextRatios.splice(at, 0, ratioOf(image))
    starts = starts.map((start) =>
      start.cursor !== undefined && start.at >= at ? { ...start, at: start.at + 1 } : start,
    )
  }
  store.set({ ...rest, items: nextItems, ratios: nextRatios })
}

/** Changes what is known of an image. */
export function amend(id: string, change: Partial<Image>): void {
  const { items, ...rest } = store.get()
  store.set({ ...rest, items: items.map((item) => (item?.id === id ? { ...item, ...change } : item)) })
}

const ratioOf = ({ width, height }: Image) => Math.round((100 * width) / Math.max(1, height))

const asSent = ({ q, ...rest }: GalleryQuery) => ({ ...rest, q: q === '' ? undefined : q })

async function fetchPage(query: GalleryQuery, cursor: string | undefined) {
  const { requestReply } = await import('./http.ts')
  let headers = new Headers()
  const client = createClient(async (request) => {
    const reply = await requestReply(request)
    headers = reply.headers
    return reply.json()
  })
  const images = await client.listImages({ query: { ...asSent(query), cursor, limit: String(pageSize) } })
  return { images, hasMore: /\brel="?next"?/.test(headers.get('link') ?? '') }
}
