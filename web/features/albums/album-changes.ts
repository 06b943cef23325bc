// Changes of albums that can be undone. Each is done on the server, and then offered to be undone.
import type { Album } from '../../../contract/endpoints/albums.ts'
import type { Image } from '../../../contract/endpoints/images.ts'
import { ApiError, serverText } from '../../model/api-error.ts'
import { movesBack, type Move } from '../../model/albums/album-order.ts'
import {
  addToAlbum,
  changeAlbum,
  createAlbum,
  deleteAlbum,
  moveInAlbum,
  removeFromAlbum,
} from '../../model/albums/albums.ts'
import { galleryStore, loadGallery, moveImages } from '../../model/images/gallery.ts'
import { isOthers } from '../../model/images/own-image.ts'
import { albumPath } from '../../paths.ts'
import { inAlbum } from '../../texts/albums/adding-messages.ts'
import { notify } from '../../ui/toast/toast.ts'
import type { AddChange, UndoableChange } from '../../ui/undo/use-undo.ts'

type Ids = readonly string[]

/** The ids of the list on screen; undefined where it is not loaded. */
export const shownIds = () => galleryStore.get().items.map((item) => item?.id)

/**
 * Adds images to albums, and to new ones.
 * @param onMade is called for each new one: what was done stays when a later step fails, and is not done again
 * @returns undefined: they are in all of them already
 * @throws {ApiError}
 */
export async function addImages(
  images: readonly Image[],
  albums: readonly Album[],
  newTitles: Ids,
  onMade: (album: Album) => void,
): Promise<UndoableChange | undefined> {
  const ids = images.map(({ id }) => id)
  const made: Album[] = []
  for (const title of newTitles) {
    const album = await createAlbum({ title }, ids)
    made.push(album)
    onMade(album)
  }
  const added: { album: Album; ids: Ids }[] = []
  for (const album of albums) {
    const addedIds = await addToAlbum(album.id, ids)
    if (addedIds.length > 0) added.push({ album, ids: addedIds })
  }
  const changed = [...made, ...added.map(({ album }) => album)]
  const [only, ...others] = changed
  if (only === undefined) return undefined
  const count = new Set([...(made.length > 0 ? ids : []), ...added.flatMap((one) => one.ids)]).size
  return {
    text: inAlbum.added(count, others.length === 0 ? only.title : inAlbum.several(changed.length)),
    ...(others.length === 0 && { link: { to: albumPath(only.id), label: inAlbum.open } }),
    undo: undone(async () => {
      for (const album of made) await deleteAlbum(album, 'keep')
      for (const one of added) await removeFromAlbum(one.album.id, one.ids)
    }),
  }
}

/** Says if it failed. */
export async function removeImages(album: Album, images: readonly Image[], add: AddChange): Promise<void> {
  const ids = new Set(images.map(({ id }) => id))
  const before = movesBack(shownIds(), ids)
  const removed = await attempted(removeFromAlbum(album.id, [...ids]), inAlbum.removeFailed)
  if (removed === undefined) return
  if (removed.length === 0) return void notify.error(inAlbum.noneRemoved)
  const text = inAlbum.removed(removed.length, album.title)
  // Only their owner can add them again.
  const others = new Set(images.filter(isOthers).map(({ id }) => id))
  const own = new Set(removed.filter((id) => !others.has(id)))
  if (own.size === 0) return void notify.success(text)
  add({
    text,
    undo: undone(
      async () => {
        for (const run of before ?? [{ ids: [...own], before: undefined }])
          await addToAlbum(
            album.id,
            run.ids.filter((id) => own.has(id)),
            run.before,
          )
      },
      own.size < removed.length ? inAlbum.ownBack : inAlbum.back,
    ),
  })
}

/** Says if it failed. */
export async function coverWith(album: Album, image: Image, add: AddChange): Promise<void> {
  const { id, cover_id: before } = album
  const isDone = await succeeds(changeAlbum(id, { cover_id: image.id }), inAlbum.coverFailed)
  if (isDone) add({ text: inAlbum.covered, undo: undone(() => changeAlbum(id, { cover_id: before })) })
}

/**
 * Saves a move that the page shows already. After a failure the page shows the order of the server.
 * @param from the list before it
 */
export async function saveMove(
  albumId: string,
  move: Move,
  from: readonly (string | undefined)[],
  add: AddChange,
): Promise<void> {
  if (!(await succeeds(moveInAlbum(albumId, move.ids, move.before), inAlbum.moveFailed))) return loadGallery()
  const back = movesBack(from, new Set(move.ids))
  if (back === undefined) return
  add({
    text: inAlbum.moved(move.ids.length),
    undo: undone(async () => {
      const isShown = galleryStore.get().query.album === albumId
      const isMoved = isShown && back.every(({ ids, before }) => moveImages(ids, before))
      for (const { ids, before } of back) await moveInAlbum(albumId, ids, before)
      if (isShown && !isMoved) await loadGallery()
    }),
  })
}

const undone =
  (undo: () => Promise<unknown>, done = inAlbum.back) =>
  async (): Promise<undefined> => {
    if (await succeeds(undo(), inAlbum.undoFailed)) notify.success(done)
  }

const succeeds = async (work: Promise<unknown>, failed: string): Promise<boolean> =>
  (await attempted(
    work.then(() => true),
    failed,
  )) ?? false

/** Says why it failed. app/logged-in.tsx reports the end of a session. */
async function attempted<T>(work: Promise<T>, failed: string): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    console.info(failed, error)
    if (!(error instanceof ApiError && error.endsSession)) notify.error(serverText(error, failed))
    return undefined
  }
}
