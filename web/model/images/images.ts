// What a signed-in user does with images: on the server first, then in every list that shows them.
import type { Image } from '../../../contract/endpoints/images.ts'
import { ApiError } from '../api-error.ts'
import { expiringImages, removeExpiring } from './expiring-images.ts'
import { addFirst, isListed, type PositionedImage, removeImages, reinsertImages, updateImage } from './gallery.ts'
import { client } from '../http.ts'
import { refresh } from '../query-client.ts'
import { adjustImageTotals } from '../session.ts'
import { completeImage } from './stored-image.ts'

export function addImage(image: Image): void {
  // An interrupted upload that was sent again returns an image that the list may already have.
  if (isListed(image.id)) return
  addFirst(image)
  adjustImageTotals(1, image.size)
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

/** Deletes images in sequence until the first refusal. An already deleted one leaves the list. */
export async function deleteImages(images: readonly Pick<Image, 'id'>[]): Promise<DeletionResult> {
  const deleted = new Set<string>()
  const missing = new Set<string>()
  let result: Pick<DeletionResult, 'failure'> = {}
  try {
    for (const { id } of images) {
      try {
        await client.deleteImage({ params: { id }, query: { undo: '1' }, body: {} })
        deleted.add(id)
      } catch (error) {
        if (!(error instanceof ApiError && (error.status === 404 || error.status === 410))) throw error
        missing.add(id)
      }
    }
  } catch (failure) {
    result = { failure }
  }
  removeExpiring(new Set([...deleted, ...missing]))
  removeImages(missing)
  const removed = removeImages(deleted)
  adjustImageTotals(-deleted.size, -sizeOf(removed))
  return { ...result, count: deleted.size, removed }
}

/**
 * Restores deleted images one after another until the first refusal.
 * @returns what is still deleted, and why
 */
export async function restoreImages(
  removed: readonly PositionedImage[],
): Promise<{ left: readonly PositionedImage[]; failure?: unknown }> {
  const restored: PositionedImage[] = []
  let result: { failure?: unknown } = {}
  try {
    for (const positioned of removed) {
      await client.restoreImage({ params: { id: positioned.image.id }, body: {} })
      restored.push(positioned)
    }
  } catch (failure) {
    result = { failure }
  }
  reinsertImages(restored)
  adjustImageTotals(restored.length, sizeOf(restored))
  void refresh(expiringImages)
  return { ...result, left: removed.slice(restored.length) }
}

/** @returns the new expiry date */
export async function extendImage({ id }: Pick<Image, 'id'>): Promise<string> {
  const { expires_at } = await client.extendImage({ params: { id }, body: {} })
  updateImage(id, { expires_at })
  removeExpiring(new Set([id]))
  return expires_at
}

/** Saves the owner's texts and custom link. @throws {ApiError} a link that is taken */
export async function saveTexts({ id }: Image, texts: Partial<Pick<Image, 'title' | 'alt' | 'slug'>>): Promise<Image> {
  const changed = await client.updateImage({ params: { id }, body: texts })
  updateImage(id, changed)
  return changed
}

const sizeOf = (removed: readonly PositionedImage[]) => removed.reduce((sum, { image }) => sum + image.size, 0)
