// What a signed-in user does with images: told to the server first, then to every list that shows them.
import type { Image } from '../../contract/images.ts'
import { ApiError } from './api-error.ts'
import { forgetExpiring, loadExpiringImages } from './expiring-images.ts'
import { amend, isListed, type Placed, putBack, putFirst, takeOut } from './gallery.ts'
import { countImages } from './session.ts'

export function addImage(image: Image): void {
  // An upload that was interrupted by a reload and sent again answers what the list has brought meanwhile.
  if (isListed(image.id)) return
  putFirst(image)
  countImages(1, image.size)
}

/** One that the list has not read, or does not hold. */
export async function findImage(id: string): Promise<Image> {
  const { client } = await import('./http.ts')
  return client.getImage({ params: { id } })
}

export interface Deleted {
  /** How many are gone by this call. */
  count: number
  /** What {@link restoreImages} needs to undo it. */
  taken: readonly Placed[]
  /** The first refusal: what came after it is still there. */
  failure?: unknown
}

/** Deletes them one after another and stops at the first refusal. What is gone already leaves the list without a word. */
export async function deleteImages(images: readonly Pick<Image, 'id'>[]): Promise<Deleted> {
  const { client } = await import('./http.ts')
  const deleted = new Set<string>()
  const ghosts = new Set<string>()
  let result: Pick<Deleted, 'failure'> = {}
  try {
    for (const { id } of images) {
      try {
        await client.deleteImage({ params: { id }, query: { undo: '1' }, body: {} })
        deleted.add(id)
      } catch (error) {
        if (!(error instanceof ApiError && (error.status === 404 || error.status === 410))) throw error
        ghosts.add(id)
      }
    }
  } catch (failure) {
    result = { failure }
  }
  forgetExpiring(new Set([...deleted, ...ghosts]))
  takeOut(ghosts)
  const taken = takeOut(deleted)
  countImages(-deleted.size, -sizeOf(taken))
  return { ...result, count: deleted.size, taken }
}

/** Brings back what was deleted a moment ago, as far as it can. @returns what is still gone, and why */
export async function restoreImages(taken: readonly Placed[]): Promise<{ left: readonly Placed[]; failure?: unknown }> {
  const { client } = await import('./http.ts')
  const restored: Placed[] = []
  let result: { failure?: unknown } = {}
  try {
    for (const placed of taken) {
      await client.restoreImage({ params: { id: placed.image.id }, body: {} })
      restored.push(placed)
    }
  } catch (failure) {
    result = { failure }
  }
  putBack(restored)
  countImages(restored.length, sizeOf(restored))
  void loadExpiringImages()
  return { ...result, left: taken.slice(restored.length) }
}

export async function extendImages(images: readonly Pick<Image, 'id'>[]): Promise<void> {
  for (const image of images) await extendImage(image)
}

/** @returns when it expires now */
export async function extendImage({ id }: Pick<Image, 'id'>): Promise<string> {
  const { client } = await import('./http.ts')
  const { expires_at } = await client.extendImage({ params: { id }, body: {} })
  amend(id, { expires_at })
  forgetExpiring(new Set([id]))
  return expires_at
}

const sizeOf = (taken: readonly Placed[]) => taken.reduce((sum, { image }) => sum + image.size, 0)
