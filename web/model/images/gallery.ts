// The signed-in user's images as one long list, of which only the pages in view are loaded. A large
// list is laid out by its outline: the aspect ratio of each image and the cursor of each page. This
// is a store of its own, not a query of query-client.ts: pages change their start and length with
// each upload and deletion, and 100,000 slots are updated in place.
import type { Client } from '../../../contract/derive/client.ts'
import type { Image } from '../../../contract/endpoints/images.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { client } from '../http.ts'
import { followTabs, imageList } from './other-tabs.ts'
import { completeImage } from './stored-image.ts'
import { createStore, useStore } from '../store.ts'
import { endRemovedSession, token } from '../token.ts'

type ListQuery = NonNullable<NonNullable<Parameters<Client['outlineImages']>[0]>['query']>

export interface GalleryQuery {
  q: string
  sort: NonNullable<ListQuery['sort']>
  type: ListQuery['type']
  expires: ListQuery['expires']
  /** The images of this album, in its order. The rest of the query does not apply. */
  album?: string
}
export const unfilteredQuery: GalleryQuery = { q: '', sort: 'newest', type: undefined, expires: undefined }

export interface Gallery {
  query: GalleryQuery
  /** Of the first page. While it loads, the previous images stay. */
  status: 'loading' | 'ready' | 'failed'
  /** A slot for each image that the query finds; undefined until its page is loaded. */
  items: readonly (Image | undefined)[]
  /** Width in hundredths of the height, one for each slot. */
  ratios: readonly number[]
  /** Of an album: its images, also those that have no slot yet. */
  total: number
  /** A page in view failed to load. */
  isPageMissing: boolean
  /** Why: of a failed list or a missing page. */
  failure?: unknown
}

const empty: Gallery = {
  query: unfilteredQuery,
  status: 'loading',
  items: [],
  ratios: [],
  total: 0,
  isPageMissing: false,
}
/** For code outside components. */
export const galleryStore = createStore(empty)
export const useGallery = () => useStore(galleryStore)

/** Where each page starts. The first has no cursor. */
interface Start {
  at: number
  cursor: string | undefined
}
let starts: Start[] = []
let inView = { first: 0, last: 0 }
/** Cursors of the pages that are loading. */
const loading = new Set<string | undefined>()
/** Counts the loads: a response to an older load is ignored. */
let generation = 0
/** Counts the insertions and removals. */
let changes = 0

const pageSize = limits.list.outlinePage
const maxParallel = 3

// The next user of this browser must not see the images of the previous one.
token.subscribe(() => {
  if (token.get() !== null) return
  generation++
  starts = []
  preloaded = undefined
  isStale = false
  loading.clear()
  galleryStore.set(empty)
})

/** The query whose list was loaded before its page was rendered, until that page takes it. */
let preloaded: { query: string; atMs: number } | undefined
/** A list that is older is loaded again by the page that shows it. */
const preloadValidMs = 10_000
/** A page is shown without its images when they take longer than this. */
const imagesWaitMs = 300

/** Loads the list for a page that is not rendered yet; resolves when it can be. */
export async function preloadGallery(query: GalleryQuery): Promise<void> {
  if (token.get() === null) return
  preloaded = { query: JSON.stringify(query), atMs: Date.now() }
  void loadGallery(query)
  await new Promise<void>((resolve) => {
    const stop = galleryStore.subscribe(() => galleryStore.get().status !== 'loading' && end())
    const timer = setTimeout(end, imagesWaitMs)
    function end() {
      stop()
      clearTimeout(timer)
      resolve()
    }
  })
}

/** Loads the list for a page that is opened, unless {@link preloadGallery} has. */
export async function openGallery(query: GalleryQuery): Promise<void> {
  const isPreloaded = preloaded?.query === JSON.stringify(query) && Date.now() - preloaded.atMs < preloadValidMs
  preloaded = undefined
  if (!isPreloaded) await loadGallery(query)
}

/** Ends when the list is complete: before, its first page is shown while the outline of the others loads. */
let lastLoad = Promise.resolve()

/** Loads the list from its start. @param query the new query; by default the current one */
export function loadGallery(query: GalleryQuery = galleryStore.get().query): Promise<void> {
  return (lastLoad = loadList(query))
}

async function loadList(query: GalleryQuery): Promise<void> {
  if (endRemovedSession()) return
  const before = galleryStore.get()
  const isReload = query === before.query && before.items.length > 0
  const mine = ++generation
  const changesBefore = changes
  const isCurrent = () => mine === generation && changesBefore === changes
  loading.clear()
  // The images of another album, or of none, are not those that were asked for.
  const kept = query.album === before.query.album ? before : empty
  galleryStore.set({ ...kept, query, status: 'loading', isPageMissing: false })
  try {
    if (query.album !== undefined) return await loadAlbum(query, isCurrent)
    const { images, next } = await fetchPage(query, undefined)
    const hasMore = next !== undefined
    if (!isCurrent()) return await reloadUnless(mine !== generation, query)
    // The user may be anywhere in a long list: a reload must not shrink it to its first page.
    if (!hasMore || !isReload) show(query, images)
    const outline = hasMore ? await fetchOutline(query) : undefined
    const seen = outline !== undefined && isReload ? await fetchInView(query, outline.cursors) : []
    if (!isCurrent()) return await reloadUnless(mine !== generation, query)
    if (outline !== undefined) showOutlined(query, outline, [...images, ...seen])
  } catch (error) {
    if (mine !== generation) return
    console.info('Failed to fetch images', error)
    galleryStore.set({ ...galleryStore.get(), status: 'failed', failure: error })
  }
}

/** An album has no outline: its list grows by a page of blanks at its end, which is loaded once it is in view. */
async function loadAlbum(query: GalleryQuery, isCurrent: () => boolean): Promise<void> {
  const mine = generation
  const images: Image[] = []
  const loaded: Start[] = []
  let cursor: string | undefined
  let total = 0
  // A reload must not shrink the list above what the user sees.
  do {
    const page = await fetchPage(query, cursor)
    if (!isCurrent()) return reloadUnless(mine !== generation, query)
    loaded.push({ at: images.length, cursor })
    images.push(...page.images)
    ;({ next: cursor, total } = page)
  } while (cursor !== undefined && images.length <= inView.last && images.length < maxReloaded)
  show(query, images, total)
  starts = loaded
  growBy(cursor, total)
  loadInView()
}

const maxReloaded = 10 * pageSize

/** Appends blanks for the page of the cursor. @param total of the album */
function growBy(cursor: string | undefined, total: number): void {
  const { items, ratios, ...rest } = galleryStore.get()
  const blanks = Math.min(pageSize, Math.max(1, total - items.length))
  if (cursor === undefined) return galleryStore.set({ ...galleryStore.get(), total })
  starts = [...starts, { at: items.length, cursor }]
  galleryStore.set({
    ...rest,
    total,
    items: [...items, ...Array.from({ length: blanks }, () => undefined)],
    ratios: [...ratios, ...Array.from({ length: blanks }, () => blankRatio)],
  })
}

const blankRatio = 133

/** Shows the first page as the whole list. */
function show(query: GalleryQuery, images: readonly Image[], total = images.length): void {
  starts = [{ at: 0, cursor: undefined }]
  galleryStore.set({ query, status: 'ready', items: images, ratios: images.map(ratioOf), total, isPageMissing: false })
}

/** An image uploaded or deleted during the load may be in the list or not: it is loaded again. */
async function reloadUnless(isReplaced: boolean, query: GalleryQuery): Promise<void> {
  if (!isReplaced) await loadGallery(query)
}

const fetchOutline = (query: GalleryQuery) => client.outlineImages({ query: paramsOf(query) })

/** The pages after the first that the user sees: a reload must not empty them. @returns slots from the second page on */
async function fetchInView(query: GalleryQuery, cursors: readonly string[]): Promise<(Image | undefined)[]> {
  const slots: (Image | undefined)[] = []
  const pages = cursors.map((cursor, at) => ({ cursor, at: at * pageSize }))
  const seen = pages.filter(({ at }) => at + pageSize <= inView.last && at + 2 * pageSize > inView.first)
  await Promise.all(
    seen.slice(0, maxParallel).map(async ({ cursor, at }) => {
      const { images } = await fetchPage(query, cursor)
      for (const [slot, image] of images.entries()) slots[at + slot] = image
    }),
  )
  return slots
}

/** @param loaded by slot */
function showOutlined(
  query: GalleryQuery,
  { ratios, cursors }: { ratios: readonly number[]; cursors: readonly string[] },
  loaded: readonly (Image | undefined)[],
): void {
  starts = [{ at: 0, cursor: undefined }, ...cursors.map((cursor, at) => ({ at: (at + 1) * pageSize, cursor }))]
  const items = ratios.map((_, at) => loaded[at])
  galleryStore.set({ query, status: 'ready', items, ratios, total: items.length, isPageMissing: false })
  loadInView()
}

/** Loads the list again when another tab has changed it. @returns ends that */
export const followOtherTabs = () =>
  followTabs((subjects) => {
    if (subjects === 'all' || subjects.has(imageList)) void loadGallery()
  })

/** Sets which slots are in view; only their pages are loaded. @param last inclusive */
export function showRange(first: number, last: number): void {
  inView = { first, last }
  loadInView()
}

/** Loads again what failed to load. */
export async function retryGallery(): Promise<void> {
  if (galleryStore.get().status === 'failed') return loadGallery()
  galleryStore.set({ ...galleryStore.get(), isPageMissing: false })
  loadInView()
}

function loadInView(): void {
  const { status, isPageMissing } = galleryStore.get()
  if (status !== 'ready' || isPageMissing) return
  for (const [page, { cursor }] of starts.entries()) {
    if (loading.size >= maxParallel) return
    const slots = slotsOf(page)
    const isInView = slots.at <= inView.last && slots.end > inView.first
    if (isInView && !loading.has(cursor) && isMissing(slots)) void loadPage(cursor)
  }
}

const slotsOf = (page: number) => ({
  at: starts[page]?.at ?? 0,
  end: starts[page + 1]?.at ?? galleryStore.get().items.length,
})
const isMissing = ({ at, end }: ReturnType<typeof slotsOf>) =>
  galleryStore.get().items.slice(at, end).includes(undefined)

async function loadPage(cursor: string | undefined): Promise<void> {
  if (endRemovedSession()) return
  const mine = generation
  loading.add(cursor)
  try {
    await fetchInto(cursor, mine)
  } catch (error) {
    if (mine !== generation) return
    console.info('Failed to fetch a page of images', error)
    galleryStore.set({ ...galleryStore.get(), isPageMissing: true, failure: error })
  }
  if (mine !== generation) return
  loading.delete(cursor)
  loadInView()
}

/** Loads a page into its slots, unless the list is replaced meanwhile. @param mine the load of the list */
async function fetchInto(cursor: string | undefined, mine: number): Promise<void> {
  const { images, next, total } = await fetchPage(galleryStore.get().query, cursor)
  if (mine === generation) insertPage(cursor, images)
  if (mine === generation && isLastOfAlbum(cursor)) growBy(next, total)
}

/**
 * Puts a page into its slots, or reloads a list that another device has changed meanwhile. In the order of views, an image
 * that is being viewed may move far.
 */
function insertPage(cursor: string | undefined, images: readonly Image[]): void {
  const { items, ratios, ...rest } = galleryStore.get()
  const { at, end } = slotsOf(starts.findIndex((start) => start.cursor === cursor))
  // An album may have got more than there were blanks for.
  const shown = isLastOfAlbum(cursor) ? images : images.slice(0, end - at)
  const others = rest.query.sort.startsWith('views')
    ? new Set(items.map((item, slot) => (slot < at || slot >= end ? item?.id : undefined)))
    : new Set([items[at - 1]?.id, items[end]?.id])
  const hasChanged = shown.length < end - at || shown.some(({ id }) => others.has(id))
  if (hasChanged) return void loadGallery()
  const nextRatios = shown.map(ratioOf)
  galleryStore.set({
    ...rest,
    items: items.toSpliced(at, shown.length, ...shown),
    // The same array while its content is the same: a new one would lay out the whole list again.
    ratios: nextRatios.every((ratio, slot) => ratio === ratios[at + slot])
      ? ratios
      : ratios.toSpliced(at, shown.length, ...nextRatios),
  })
}

/** Loads every page and returns all images that the query finds, for actions on all of them. */
export async function loadAll(): Promise<Image[]> {
  await lastLoad
  if (galleryStore.get().status !== 'ready') await loadGallery()
  if (galleryStore.get().status !== 'ready') throw new Error('The list of images failed to load')
  const mine = generation
  // The list of an album grows meanwhile.
  for (let page = 0; page < starts.length; page++) {
    if (!isMissing(slotsOf(page))) continue
    await fetchInto(starts[page]?.cursor, mine)
    // The list was reloaded meanwhile: parts of both must not be mixed.
    if (mine !== generation) return loadAll()
  }
  return galleryStore.get().items.filter((item) => item !== undefined)
}

const isLastOfAlbum = (cursor: string | undefined) =>
  galleryStore.get().query.album !== undefined && starts.at(-1)?.cursor === cursor

export const isListed = (id: string) => galleryStore.get().items.some((item) => item?.id === id)

/** Inserts a new image first if the list is unfiltered; else only the server knows its place. */
export function addFirst(image: Image): void {
  const { query, status } = galleryStore.get()
  const isPlain =
    query.album === undefined &&
    query.q === '' &&
    query.sort === 'newest' &&
    query.type === undefined &&
    query.expires === undefined
  if (isPlain && status === 'ready') reinsertImages([{ at: 0, page: 0, load: generation, image }])
  else void reloadAfterUploads()
}

/** An upload has ended since the last reload started. */
let isStale = false
let isReloading = false
/** A reload takes two requests, of the 120 that a user may send in a minute. */
const reloadEveryMs = 5000

/** Reloads at once, and after a while again when more uploads have ended. */
async function reloadAfterUploads(): Promise<void> {
  isStale = true
  if (isReloading) return
  isReloading = true
  while (isStale) {
    isStale = false
    await loadGallery()
    await new Promise((resolve) => setTimeout(resolve, reloadEveryMs))
  }
  isReloading = false
}

/** A removed image and its position: slot and page, in the list of one load. */
export interface PositionedImage {
  at: number
  page: number
  load: number
  image: Image
}

/** Removes images. @returns their positions, for {@link reinsertImages} */
export function removeImages(ids: ReadonlySet<string>): PositionedImage[] {
  changes++
  const { items, ratios, ...rest } = galleryStore.get()
  const removed = items.flatMap((image, at) =>
    image !== undefined && ids.has(image.id) ? [{ at, page: pageAt(at), load: generation, image }] : [],
  )
  const slots = new Set(removed.map(({ at }) => at))
  galleryStore.set({
    ...rest,
    items: items.filter((_, at) => !slots.has(at)),
    ratios: ratios.filter((_, at) => !slots.has(at)),
    total: rest.total - removed.length,
  })
  starts = starts.map(({ at, cursor }) => ({ at: at - removed.filter((before) => before.at < at).length, cursor }))
  return removed
}

/** The last page that starts at or before a slot; an empty page starts where the next one does. */
const pageAt = (slot: number) => starts.findLastIndex(({ at }) => at <= slot)

/** Inserts removed images at their positions. After a reload only the server knows these. */
export function reinsertImages(removed: readonly PositionedImage[]): void {
  if (removed.some(({ load }) => load !== generation)) return void loadGallery()
  changes++
  const { items, ratios, ...rest } = galleryStore.get()
  const [nextItems, nextRatios] = [[...items], [...ratios]]
  for (const { at, page, image } of removed.toSorted((a, b) => a.at - b.at)) {
    nextItems.splice(at, 0, image)
    nextRatios.splice(at, 0, ratioOf(image))
    starts = starts.map((start, n) => (n > page ? { ...start, at: start.at + 1 } : start))
  }
  galleryStore.set({ ...rest, items: nextItems, ratios: nextRatios, total: rest.total + removed.length })
}

/**
 * Puts images in front of another one, in their order.
 * @param before undefined: at the end
 * @returns whether the list has the place
 */
export function moveImages(ids: readonly string[], before: string | undefined): boolean {
  const { items, ratios, ...rest } = galleryStore.get()
  const moved = new Set(ids)
  const slots = [...items.keys()].filter((at) => !moved.has(items[at]?.id ?? ''))
  const to = before === undefined ? slots.length : slots.findIndex((at) => items[at]?.id === before)
  const own = ids.map((id) => items.findIndex((item) => item?.id === id))
  if (to < 0 || own.includes(-1)) return false
  changes++
  const order = slots.toSpliced(to, 0, ...own)
  galleryStore.set({
    ...rest,
    items: order.map((at) => items[at]),
    ratios: order.map((at) => ratios[at] ?? blankRatio),
  })
  return true
}

/** Changes fields of an image. */
export function updateImage(id: string, change: Partial<Image>): void {
  const { items, ...rest } = galleryStore.get()
  galleryStore.set({ ...rest, items: items.map((item) => (item?.id === id ? { ...item, ...change } : item)) })
}

/** Square where the size is unknown. */
const ratioOf = ({ width, height }: Image) => (width > 0 && height > 0 ? Math.round((100 * width) / height) : 100)

const paramsOf = ({ q, sort, type, expires }: GalleryQuery) => ({ sort, type, expires, q: q === '' ? undefined : q })

async function fetchPage(query: GalleryQuery, cursor: string | undefined) {
  const page = { cursor, limit: String(pageSize) }
  const { items, next, total } = await (query.album === undefined
    ? client.listImages({ query: { ...paramsOf(query), ...page } })
    : client.listAlbumImages({ params: { id: query.album }, query: page }))
  return { images: items.map(completeImage), next, total }
}
