// The signed-in user's images: one page at a time, newest first.
import { createClient } from '../../contract/client.ts'
import type { Image } from '../../contract/images.ts'
import { countImages } from './session.ts'
import { createStore, useStore } from './store.ts'
import { token } from './token.ts'

export interface Images {
  images: readonly Image[]
  status: 'loading' | 'ready' | 'failed'
  /** Of the next page; undefined on the last one. */
  cursor?: string | undefined
}

const empty: Images = { images: [], status: 'loading' }
const store = createStore(empty)
export const useImages = () => useStore(store)

// The next user of this browser sees nothing of the one before.
token.subscribe(() => {
  if (token.get() === null) store.set(empty)
})

export async function loadImages(): Promise<void> {
  store.set(empty)
  await loadPage([])
}

export async function loadMoreImages(): Promise<void> {
  const { images, cursor } = store.get()
  store.set({ ...store.get(), status: 'loading' })
  await loadPage(images, cursor)
}

async function loadPage(before: readonly Image[], cursor?: string): Promise<void> {
  try {
    const { images, ...rest } = await fetchPage(cursor)
    const known = new Set(before.map(({ id }) => id))
    store.set({ images: [...before, ...images.filter(({ id }) => !known.has(id))], status: 'ready', ...rest })
  } catch (error) {
    console.info('Failed to fetch images', error)
    store.set({ ...store.get(), images: before, status: 'failed' })
  }
}

async function fetchPage(cursor: string | undefined) {
  const { requestReply } = await import('./http.ts')
  let headers = new Headers()
  const client = createClient(async (request) => {
    const reply = await requestReply(request)
    headers = reply.headers
    return reply.json()
  })
  const images = await client.listImages({ query: { cursor } })
  return { images, cursor: nextCursor(headers.get('link')) }
}

/** The `cursor` of the address marked rel="next" in a Link header. */
export function nextCursor(link: string | null): string | undefined {
  const next = link?.match(/<([^>]*)>\s*;[^,]*\brel="?next"?/)?.[1]
  return next === undefined ? undefined : (new URL(next, 'http://localhost').searchParams.get('cursor') ?? undefined)
}

export function addImage(image: Image): void {
  const { images, ...rest } = store.get()
  store.set({ ...rest, images: [image, ...images] })
  countImages(1, image.size)
}

export async function deleteImage({ id }: Pick<Image, 'id'>): Promise<void> {
  const { client } = await import('./http.ts')
  await client.deleteImage({ params: { id }, body: {} })
  const { images, ...rest } = store.get()
  const deleted = images.find((image) => image.id === id)
  store.set({ ...rest, images: images.filter((image) => image !== deleted) })
  if (deleted !== undefined) countImages(-1, -deleted.size)
}

export async function extendImage({ id }: Pick<Image, 'id'>): Promise<void> {
  const { client } = await import('./http.ts')
  const { expires_at } = await client.extendImage({ params: { id }, body: {} })
  const { images, ...rest } = store.get()
  store.set({ ...rest, images: images.map((image) => (image.id === id ? { ...image, expires_at } : image)) })
}
