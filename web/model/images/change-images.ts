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
  const { done, missing, ...result } = await changeAll(
    images.map(({ id }) => id),
    // Others are deleted already, or refused with a reason.
    async (ids) => (await client.moveToTrash({ body: { ids } })).ids,
    (id) => client.deleteImage({ params: { id }, query: { trash: '1' }, body: {} }),
  )
  deletedIds.set(new Set([...done, ...missing]))
  removeExpiring(deletedIds.get())
  removeImages(missing)
  const removed = removeImages(done)
  adjustTotals({ images: -done.size, bytes: -storageOf(removed) })
  return { ...result, count: done.size, removed }
}

interface Restored {
  count: number
  /** What is still deleted, and can be restored. */
  left: readonly PositionedImage[]
  failure?: unknown
}

/** Restores deleted images until the first refusal, those first that can be restored for the shortest time. */
export async function restoreImages(removed: readonly PositionedImage[]): Promise<Restored> {
  const { done, missing, ...result } = await changeAll(
    removed.map(({ image }) => image.id),
    // Others are gone, or were restored by a request whose response was lost.
    async (ids) => (await client.restoreFromTrash({ body: { ids } })).images.map(({ id }) => id),
    (id) => client.restoreImage({ params: { id }, body: {} }),
  )
  const back = removed.filter(({ image }) => done.has(image.id))
  reinsertImages(back)
  adjustTotals({ images: back.length, bytes: storageOf(back) })
  void refresh(expiringImages)
  const left = removed.filter(({ image }) => !done.has(image.id) && !missing.has(image.id))
  return { ...result, count: back.length, left }
}

/**
 * Changes images until the first refusal: several by requests for many, and one by one those that such a request left out.
 * @param changeMany returns the ids of those that it has changed
 * @returns `missing`: those that are not there
 */
async function changeAll(
  ids: readonly string[],
  changeMany: (ids: string[]) => Promise<readonly string[]>,
  changeOne: (id: string) => Promise<unknown>,
): Promise<{ done: ReadonlySet<string>; missing: ReadonlySet<string>; failure?: unknown }> {
  const done = new Set<string>()
  const missing = new Set<string>()
  const one = async (id: string) => void ((await ifThere(changeOne(id))) ? done : missing).add(id)
  const many = async (part: string[]) => {
    for (const id of await changeMany(part)) done.add(id)
    for (const id of part) if (!done.has(id)) await one(id)
  }
  const result = await (ids.length > 1
    ? untilRefused(partsOf(ids, limits.list.maxLimit), many)
    : untilRefused(ids, one))
  return { ...result, done, missing }
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
