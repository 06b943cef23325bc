// What a signed-in user does with images: on the server first, then in every list that shows them.
import type { Image } from '../../../contract/endpoints/images.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { expiringImages, removeExpiring } from './expiring-images.ts'
import { addFirst, isListed, type PositionedImage, removeImages, reinsertImages, updateImage } from './gallery.ts'
import { client } from '../http.ts'
import { ifThere } from './if-there.ts'
import { adjustTotals, imageList, tellTabs } from './other-tabs.ts'
import { refresh } from '../query-client.ts'
import { createStore } from '../store.ts'
import { trashDays } from '../site.ts'
import { completeImage } from './stored-image.ts'

export function addImage(image: Image): void {
  // An interrupted upload that was sent again returns an image that the list may already have.
  if (isListed(image.id)) return
  addFirst(image)
  adjustTotals({ images: 1, bytes: image.size })
}

/** Loads an image that is not loaded or not in the list. */
export const findImage = async (id: string): Promise<Image> => completeImage(await client.getImage({ params: { id } }))

export interface DeletionResult {
  /** How many images this call has deleted. */
  count: number
  /** What {@link restoreImages} needs to undo it. */
  removed: readonly PositionedImage[]
  /** The first refusal: the images after it were not deleted. */
  failure?: unknown
}

/** Those of the last deletion. */
export const deletedIds = createStore<ReadonlySet<string>>(new Set())

/** Deletes images until the first refusal. An already deleted one leaves the list. */
export async function deleteImages(images: readonly Pick<Image, 'id'>[]): Promise<DeletionResult> {
  const deleted = new Set<string>()
  const missing = new Set<string>()
  const deleteOne = async ({ id }: Pick<Image, 'id'>) => {
    const isThere = await ifThere(client.deleteImage({ params: { id }, query: { trash: '1' }, body: {} }))
    ;(isThere ? deleted : missing).add(id)
  }
  const result =
    images.length > 1
      ? await untilRefused(partsOf(images, limits.list.maxLimit), async (part) => {
          const moved = new Set((await client.moveToTrash({ body: { ids: part.map(({ id }) => id) } })).ids)
          for (const id of moved) deleted.add(id)
          // Already deleted, or refused with a reason.
          for (const image of part) if (!moved.has(image.id)) await deleteOne(image)
        })
      : await untilRefused(images, deleteOne)
  deletedIds.set(new Set([...deleted, ...missing]))
  removeExpiring(deletedIds.get())
  removeImages(missing)
  const removed = removeImages(deleted)
  adjustTotals({ images: -deleted.size, bytes: -storageOf(removed) })
  return { ...result, count: deleted.size, removed }
}

interface Restored {
  count: number
  /** What is still deleted, and can be restored. */
  left: readonly PositionedImage[]
  failure?: unknown
}

/** Restores deleted images until the first refusal, those first that can be restored for the shortest time. */
export async function restoreImages(removed: readonly PositionedImage[]): Promise<Restored> {
  const restored = new Set<PositionedImage>()
  const gone = new Set<PositionedImage>()
  const restoreOne = async (positioned: PositionedImage) => {
    const isThere = await ifThere(client.restoreImage({ params: { id: positioned.image.id }, body: {} }))
    ;(isThere ? restored : gone).add(positioned)
  }
  const result =
    removed.length > 1
      ? await untilRefused(partsOf(removed, limits.list.maxLimit), async (part) => {
          const ids = part.map(({ image }) => image.id)
          const back = new Set((await client.restoreFromTrash({ body: { ids } })).images.map(({ id }) => id))
          for (const positioned of part) if (back.has(positioned.image.id)) restored.add(positioned)
          // Gone, or restored by a request whose response was lost.
          for (const positioned of part) if (!back.has(positioned.image.id)) await restoreOne(positioned)
        })
      : await untilRefused(removed, restoreOne)
  const back = removed.filter((positioned) => restored.has(positioned))
  reinsertImages(back)
  adjustTotals({ images: back.length, bytes: storageOf(back) })
  void refresh(expiringImages)
  const left = removed.filter((positioned) => !restored.has(positioned) && !gone.has(positioned))
  return { ...result, count: back.length, left }
}

/** Has the browser ask, where it is needed, before the page is left. @returns ends that */
function askBeforeLeaving(isNeeded: boolean): () => void {
  if (!isNeeded) return () => {}
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  addEventListener('beforeunload', ask)
  return () => removeEventListener('beforeunload', ask)
}

/** A browser opens six connections to a server of HTTP/1.1. */
const atOnce = 6

/** Runs `work` on all, a few at a time and in their order, until one fails. */
async function untilRefused<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<{ failure?: unknown }> {
  const rest = all.values()
  const failures: unknown[] = []
  const worker = async () => {
    for (const one of rest) {
      if (failures.length > 0) return
      await work(one).catch((error: unknown) => failures.push(error))
    }
  }
  const allow = askBeforeLeaving(all.length > 1)
  await Promise.all(Array.from({ length: atOnce }, worker))
  allow()
  return failures.length === 0 ? {} : { failure: failures[0] }
}

/** Yields the parts one after another; leaving the page meanwhile would do only some. */
export function* inTurn<T>(parts: readonly T[]): Generator<T> {
  const allow = askBeforeLeaving(parts.length > 1)
  try {
    yield* parts
  } finally {
    allow()
  }
}

/** @returns `all` in parts of at most `size`: each is one request, and RATE_LIMIT bounds those of a user */
export const partsOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size))

/** @returns the new expiry date; null: it is kept */
export async function extendImage({ id }: Pick<Image, 'id'>): Promise<string | null> {
  const { expires_at } = await client.extendImage({ params: { id }, body: {} })
  updateImage(id, { expires_at })
  removeExpiring(new Set([id]))
  tellTabs(imageList)
  return expires_at
}

/** Saves the owner's texts and custom link. @throws {ApiError} a link that is taken */
export async function saveTexts(
  { id }: Image,
  texts: Partial<Pick<Image, 'title' | 'alt' | 'slug' | 'tags'>>,
): Promise<Image> {
  const changed = await client.updateImage({ params: { id }, body: texts })
  updateImage(id, changed)
  tellTabs(imageList)
  return changed
}

/** What is in the trash still takes storage. */
const storageOf = (removed: readonly PositionedImage[]) =>
  trashDays > 0 ? 0 : removed.reduce((sum, { image }) => sum + image.size, 0)
