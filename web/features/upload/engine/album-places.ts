// The places of uploads into an album: each is added at its end, and a small file overtakes a large one that was given before it.
import { limits } from '../../../../contract/plain/limits.ts'
import { ApiError } from '../../../model/api-error.ts'
import type { Move } from '../../../model/albums/album-order.ts'
import { client } from '../../../model/http.ts'
import { galleryStore, loadGallery, moveImages } from '../../../model/images/gallery.ts'
import { partsOf } from '../../../model/images/change-images.ts'
import { runsOf } from './folder-albums.ts'
import type { StoredQueue } from './stored-queue.ts'
import { canRetry, isUnderWay } from './upload-state.ts'

/** So that a long batch takes few requests. */
const placeEveryMs = 3000
const retryMs = 10_000

/** Puts what is uploaded into the order in which it was given. What was put in order stays where its album has it since. */
export function keepAlbumPlaces(queue: Pick<StoredQueue, 'store'>): void {
  const placed = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isPlacing = false
  queue.store.subscribe(follow)

  const albumsWithNew = () =>
    new Set(queue.store.get().flatMap(({ album, image }) => (album && image && !placed.has(image.id) ? [album] : [])))

  function follow(): void {
    if (albumsWithNew().size === 0) return
    if (!queue.store.get().some((item) => isUnderWay(item) || canRetry(item))) plan(0)
    else plan(placeEveryMs)
  }

  function plan(afterMs: number): void {
    if (afterMs === 0) clearTimeout(timer)
    else if (timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      void placeAll()
    }, afterMs)
  }

  async function placeAll(): Promise<void> {
    if (isPlacing) return plan(placeEveryMs)
    isPlacing = true
    try {
      for (const album of albumsWithNew()) await place(album)
    } finally {
      isPlacing = false
    }
  }

  async function place(album: string): Promise<void> {
    const images = queue.store.get().flatMap((item) => (item.album === album && item.image ? [item.image.id] : []))
    const moved: Move[] = []
    let isRefused = false
    try {
      for (const move of placesOf(images, placed)) moved.push(await moveIn(album, move))
    } catch (error) {
      console.info('Uploads are not in the order in which they were given', error)
      if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429 || error.status === 0)
        return plan(retryMs)
      isRefused = true
    }
    // What was refused is not tried again.
    for (const id of images) placed.add(id)
    if (isRefused || moved.length > 0) await show(album, moved, isRefused)
  }
}

/** The moves that put images into their order. A new one alone behind all others has its place. */
export function placesOf(images: readonly string[], placed: ReadonlySet<string>): Move[] {
  return runsOf(images, placed).flatMap(({ ids, before }) => {
    if (before !== undefined) return [{ ids, before }]
    const last = ids.at(-1)
    return ids.length > 1 && last !== undefined ? [{ ids: ids.slice(0, -1), before: last }] : []
  })
}

/** @returns what was moved to where */
async function moveIn(album: string, { ids, before }: Move): Promise<Move> {
  try {
    // Each part goes in front of the same image, so that they follow each other.
    for (const part of partsOf(ids, limits.albums.maxImages))
      await client.moveInAlbum({ params: { id: album }, body: { ids: part, before: before ?? null } })
    return { ids, before }
  } catch (error) {
    // The user has taken that image out of the album meanwhile.
    if (before === undefined || !(error instanceof ApiError) || error.code !== 'image_not_found') throw error
    return moveIn(album, { ids, before: undefined })
  }
}

async function show(album: string, moves: readonly Move[], isRefused: boolean): Promise<void> {
  if (galleryStore.get().query.album !== album) return
  if (isRefused || !moves.every(({ ids, before }) => moveImages(ids, before))) await loadGallery()
}
