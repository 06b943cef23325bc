// The tags of the user's images.
import type { Image } from '../../../contract/endpoints/images.ts'
import type { Tag } from '../../../contract/endpoints/tags.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { client } from '../http.ts'
import { updateImage } from './gallery.ts'
import { inTurn, partsOf } from './change-images.ts'
import { imageList, tellTabs } from './other-tabs.ts'

const suggested = 12

/** The tags that contain the text, the most used first. */
export async function findTags(typed: string): Promise<readonly Tag[]> {
  const q = typed.trim().slice(0, limits.tags.maxLength)
  return (await client.listTags({ query: { ...(q !== '' && { q }), sort: 'images', limit: String(suggested) } })).items
}

export interface TagChange {
  ids: readonly string[]
  add: readonly string[]
  remove: readonly string[]
}

/** @returns what undoes it: images with the same changes together. @throws {ApiError} */
export async function changeTags({ ids, add, remove }: TagChange): Promise<TagChange[]> {
  const undo = new Map<string, { ids: string[]; add: string[]; remove: string[] }>()
  for (const part of inTurn(partsOf(ids, limits.tags.maxImages))) {
    const { images } = await client.tagImages({ body: { ids: part, add: [...add], remove: [...remove] } })
    for (const { id, tags, added, removed } of images) {
      updateImage(id, { tags })
      if (added.length + removed.length === 0) continue
      const key = JSON.stringify([added, removed])
      const same = undo.get(key) ?? { ids: [], add: removed, remove: added }
      same.ids.push(id)
      undo.set(key, same)
    }
  }
  tellTabs(imageList)
  return [...undo.values()]
}

/** The tags of all of the images, and those of some, the most frequent first. */
export function sharedTags(images: readonly Pick<Image, 'tags'>[]): {
  all: string[]
  some: { tag: string; images: number }[]
} {
  const counts = new Map<string, number>()
  for (const { tags } of images) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  const counted = [...counts].map(([tag, count]) => ({ tag, images: count }))
  return {
    all: counted
      .filter((one) => one.images === images.length)
      .map(({ tag }) => tag)
      .toSorted(),
    some: counted.filter((one) => one.images < images.length).toSorted((a, b) => b.images - a.images),
  }
}
