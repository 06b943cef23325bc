// The uploads of a visitor without an account, in local storage under `guest_images`.
import { useMemo } from 'react'
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import { ifThere } from './if-there.ts'
import { guestStorage, readGuestStorage, writeGuestStorage } from './guest-storage.ts'
import { parseStoredImage, type ShownImage } from './stored-image.ts'
import { jsonIn } from '../browser-storage.ts'
import { useStore } from '../store.ts'

/** An expired image is listed as expired for this long, so that users see why it disappears. */
const shownAfterExpiryMs = limits.expiryNoticeDays * dayMs

export function useGuestImages(): readonly ShownImage[] {
  const json = useStore(guestStorage)
  return useMemo(() => parseGuestImages(json, Date.now()), [json])
}

export const addGuestImage = (image: ShownImage) =>
  change((images) => [image, ...images.filter(({ id }) => id !== image.id)])

/** A deleted image and its place in the list. */
export interface RemovedGuestImage {
  image: ShownImage
  at: number
}

/**
 * Deletes an image; it can be restored for a while. It also leaves the list when the server responds that it is already
 * deleted.
 * @returns null: it was
 */
export async function deleteGuestImage(image: ShownImage): Promise<RemovedGuestImage | null> {
  const { client } = await import('../http.ts')
  const isThere = await ifThere(
    client.deleteImage({ params: { id: image.id }, query: { undo: '1' }, body: guestToken(image) }),
  )
  let at = 0
  change((images) => {
    at = images.findIndex(({ id }) => id === image.id)
    return images.filter(({ id }) => id !== image.id)
  })
  return isThere ? { image, at: Math.max(0, at) } : null
}

/** @returns false: it can no longer be restored */
export async function restoreGuestImage({ image, at }: RemovedGuestImage): Promise<boolean> {
  const { client } = await import('../http.ts')
  const isThere = await ifThere(client.restoreImage({ params: { id: image.id }, body: guestToken(image) }))
  if (isThere) change((images) => images.filter(({ id }) => id !== image.id).toSpliced(at, 0, image))
  return isThere
}

/** @returns the new expiry */
export async function extendGuestImage(image: ShownImage): Promise<string | null> {
  const { client } = await import('../http.ts')
  const { expires_at } = await client.extendImage({ params: { id: image.id }, body: guestToken(image) })
  change((images) => images.map((each) => (each.id === image.id ? { ...each, expires_at } : each)))
  return expires_at
}

/** @throws {ApiError} the token is refused, or the image is gone */
export async function saveGuestTitle(image: ShownImage, title: string): Promise<void> {
  const { client } = await import('../http.ts')
  const saved = await client.updateImage({ params: { id: image.id }, body: { ...guestToken(image), title } })
  change((images) => images.map((each) => (each.id === image.id ? { ...each, title: saved.title } : each)))
}

/** Removes images that belong to an account now. */
export const removeGuestImages = (ids: ReadonlySet<string>) =>
  change((images) => images.filter(({ id }) => !ids.has(id)))

/** Omits invalid entries, duplicates and images that expired long ago. */
export function parseGuestImages(json: string | null, nowMs: number): ShownImage[] {
  const known = new Map<string, ShownImage>()
  for (const entry of entriesOf(json)) {
    const image = parseStoredImage(entry)
    if (image === undefined || known.has(image.id)) continue
    if (image.expires_at === null || nowMs - Date.parse(image.expires_at) < shownAfterExpiryMs)
      known.set(image.id, image)
  }
  return [...known.values()]
}

function entriesOf(json: string | null): unknown[] {
  const value = jsonIn(json, 'guest_images')
  return Array.isArray(value) ? value : []
}

function change(edit: (images: readonly ShownImage[]) => readonly ShownImage[]): void {
  writeGuestStorage(JSON.stringify(edit(parseGuestImages(readGuestStorage(), Date.now()))))
}

const guestToken = ({ delete_token }: ShownImage) => (delete_token === undefined ? {} : { token: delete_token })
