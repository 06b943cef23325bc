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
/** For whoever is no component. */
export const galleryStore = createStore(empty)
export const useGallery = () => useStore(galleryStore)

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
/** Counts what was put in and taken out. */
let changes = 0

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
  galleryStore.set(empty)
}

/** Reads the list from its beginning. @param query what to read from now on; as before when it is not given */
export async function loadGallery(query: GalleryQuery = galleryStore.get().query): Promise<void> {
  const isAgain = query === galleryStore.get().query && galleryStore.get().items.length > 0
  const mine = ++generation
  const known = changes
  const isCurrent = () => mine === generation && known === changes
  underWay.clear()
  galleryStore.set({ ...galleryStore.get(), query, status: 'loading', isPageMissing: false })
  try {
    const { images, hasMore } = await fetchPage(query, undefined)
    if (!isCurrent()) return await reloadUnless(mine !== generation, query)
    // Who reads a long list again stands somewhere in it: it does not shrink to its first page in between.
    if (!hasMore || !isAgain) show(query, images)
    const outline = hasMore ? await fetchOutline(query) : undefined
    if (!isCurrent()) return await reloadUnless(mine !== generation, query)
    if (outline !== undefined) showOutlined(query, outline, images)
  } catch (error) {
    if (mine !== generation) return
    console.info('Failed to fetch images', error)
    galleryStore.set({ ...galleryStore.get(), status: 'failed' })
  }
}

/** Shows the list as far as its first page goes. */
function show(query: GalleryQuery, images: readonly Image[]): void {
  starts = [{ at: 0, cursor: undefined }]
  galleryStore.set({ query, status: 'ready', items: images, ratios: images.map(ratioOf), isPageMissing: false })
}

/** What was uploaded or deleted here while a list was on its way is in it or not, nobody can tell: it is read again. */
async function reloadUnless(isReplaced: boolean, query: GalleryQuery): Promise<void> {
  if (!isReplaced) await loadGallery(query)
}

async function fetchOutline(query: GalleryQuery) {
  const { client } = await import('./http.ts')
  return client.outlineImages({ query: asSent(query) })
}

function showOutlined(
  query: GalleryQuery,
  { ratios, cursors }: { ratios: readonly number[]; cursors: readonly string[] },
  firstPage: readonly Image[],
): void {
  starts = [{ at: 0, cursor: undefined }, ...cursors.map((cursor, at) => ({ at: (at + 1) * pageSize, cursor }))]
  const items = ratios.map((_, at) => firstPage[at])
  galleryStore.set({ query, status: 'ready', items, ratios, isPageMissing: false })
  readWanted()
}

/** Tells which slots are looked at; their pages are read and no others. @param last included */
export function wantImages(first: number, last: number): void {
  wanted = { first, last }
  readWanted()
}

/** Asks again for what could not be read. */
export async function retryGallery(): Promise<void> {
  if (galleryStore.get().status === 'failed') return loadGallery()
  galleryStore.set({ ...galleryStore.get(), isPageMissing: false })
  readWanted()
}

function readWanted(): void {
  const { items, status, isPageMissing } = galleryStore.get()
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
    const { images } = await fetchPage(galleryStore.get().query, cursor)
    if (mine !== generation) return
    underWay.delete(key)
    place(cursor, images)
  } catch (error) {
    if (mine !== generation) return
    underWay.delete(key)
    console.info('A page of images could not be read', error)
    galleryStore.set({ ...galleryStore.get(), isPageMissing: true })
  }
  readWanted()
}

/** Puts a page into its slots. Another device may have changed the list meanwhile: then it is read anew. */
function place(cursor: string | undefined, images: readonly Image[]): void {
  const { items, ratios, ...rest } = galleryStore.get()
  const page = starts.findIndex((start) => start.cursor === cursor)
  const { at } = starts[page] ?? { at: 0 }
  const end = starts[page + 1]?.at ?? items.length
  const shown = images.slice(0, end - at)
  const neighbours = [items[at - 1]?.id, items[end]?.id]
  const isOther = shown.length < end - at || shown.some(({ id }) => neighbours.includes(id))
  if (isOther) return void loadGallery()
  const nextRatios = shown.map(ratioOf)
  galleryStore.set({
    ...rest,
    items: items.toSpliced(at, shown.length, ...shown),
    // The same array while it says the same: a new one has the whole list laid out anew.
    ratios: nextRatios.every((ratio, slot) => ratio === ratios[at + slot])
      ? ratios
      : ratios.toSpliced(at, shown.length, ...nextRatios),
  })
}

/** Every image that the query finds, read to the last page: for actions on all of them. */
export async function readAll(): Promise<Image[]> {
  if (galleryStore.get().status !== 'ready') await loadGallery()
  if (galleryStore.get().status !== 'ready') throw new Error('The list of images could not be read')
  const mine = generation
  for (const { cursor } of [...starts]) {
    const page = starts.findIndex((start) => start.cursor === cursor)
    const at = starts[page]?.at ?? 0
    const end = starts[page + 1]?.at ?? galleryStore.get().items.length
    if (!galleryStore.get().items.slice(at, end).includes(undefined)) continue
    const { images } = await fetchPage(galleryStore.get().query, cursor)
    if (mine === generation) place(cursor, images)
    // Read anew meanwhile: half of one list and half of another is neither.
    if (mine !== generation) return readAll()
  }
  return galleryStore.get().items.filter((item) => item !== undefined)
}

export const isListed = (id: string) => galleryStore.get().items.some((item) => item?.id === id)

/** A new image stands first in the list of everything; in any other it may have a place that only the server knows. */
export function putFirst(image: Image): void {
  const { query, status } = galleryStore.get()
  const isPlain = query.q === '' && query.sort === 'newest' && query.type === undefined && query.expires === undefined
  if (isPlain && status === 'ready') putBack([{ at: 0, page: 0, load: generation, image }])
  else void loadGallery()
}

/** Where an image stood: in which slot, in which page, of which reading of the list. */
export interface Placed {
  at: number
  page: number
  load: number
  image: Image
}

/** Takes images out. @returns where they stood, for {@link putBack} */
export function takeOut(ids: ReadonlySet<string>): Placed[] {
  changes++
  const { items, ratios, ...rest } = galleryStore.get()
  const taken = items.flatMap((image, at) =>
    image !== undefined && ids.has(image.id) ? [{ at, page: pageAt(at), load: generation, image }] : [],
  )
  const gone = new Set(taken.map(({ at }) => at))
  galleryStore.set({
    ...rest,
    items: items.filter((_, at) => !gone.has(at)),
    ratios: ratios.filter((_, at) => !gone.has(at)),
  })
  starts = starts.map(({ at, cursor }) => ({ at: at - taken.filter((before) => before.at < at).length, cursor }))
  return taken
}

/** The last page that starts at or before a slot: an emptied one starts where the next does. */
const pageAt = (slot: number) => starts.findLastIndex(({ at }) => at <= slot)

/** Puts images where they stood. In a list that was read since, only the server knows where that is. */
export function putBack(placed: readonly Placed[]): void {
  if (placed.some(({ load }) => load !== generation)) return void loadGallery()
  changes++
  const { items, ratios, ...rest } = galleryStore.get()
  const [nextItems, nextRatios] = [[...items], [...ratios]]
  for (const { at, page, image } of placed.toSorted((a, b) => a.at - b.at)) {
    nextItems.splice(at, 0, image)
    nextRatios.splice(at, 0, ratioOf(image))
    starts = starts.map((start, n) => (n > page ? { ...start, at: start.at + 1 } : start))
  }
  galleryStore.set({ ...rest, items: nextItems, ratios: nextRatios })
}

/** Changes what is known of an image. */
export function amend(id: string, change: Partial<Image>): void {
  const { items, ...rest } = galleryStore.get()
  galleryStore.set({ ...rest, items: items.map((item) => (item?.id === id ? { ...item, ...change } : item)) })
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
