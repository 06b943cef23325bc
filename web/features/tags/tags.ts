// The tags of the user's images as a list, and what changes them everywhere.
import type { Tag } from '../../../contract/endpoints/tags.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { isWithinTag, tagTerm } from '../../../contract/plain/tag-names.ts'
import { client } from '../../model/http.ts'
import { loadGallery } from '../../model/images/gallery.ts'
import { imageList, tellTabs } from '../../model/images/other-tabs.ts'
import { changeTags } from '../../model/images/tags.ts'
import { refresh } from '../../model/query-client.ts'
import { pagedList } from '../../model/row-list.ts'
import { paths } from '../../paths.ts'

const queryKey = ['tags']
const { maxLimit } = limits.list

export const tagList = (q: string) =>
  pagedList<Tag>([...queryKey, q], (cursor) =>
    client.listTags({
      query: { limit: String(maxLimit), ...(q !== '' && { q }), ...(cursor !== undefined && { cursor }) },
    }),
  )

/** The gallery with the images that have the tag or one below it. */
export const imagesWith = (tag: string) => `${paths.dashboard}?q=${encodeURIComponent(tagTerm(tag))}`

export async function colourTag(tag: string, colour: Tag['colour']): Promise<void> {
  await client.updateTag({ body: { tag, colour } })
  await refresh({ queryKey })
}

/** @param merge false: fails where there is a tag of the new name. @returns how many images were changed. @throws {ApiError} */
export async function renameTag(tag: string, newName: string, merge = false): Promise<number> {
  const { images } = await client.updateTag({ body: { tag, new_name: newName, merge } })
  await reload()
  return images
}

/** @returns how many images were changed. @throws {ApiError} */
export async function deleteTag(tag: string): Promise<number> {
  const { images } = await client.deleteTag({ body: { tag } })
  await reload()
  return images
}

/** What a tag and those below it were before a change that forgets it. */
export interface TagsBefore {
  tag: string
  images: readonly { id: string; tags: readonly string[] }[]
  colours: readonly Pick<Tag, 'name' | 'colour'>[]
}

/** More images than these are not remembered: a change cannot be undone. */
const maxRemembered = 1000

/** Whether a change that forgets the tag can be undone. @throws {ApiError} */
export async function canBeRemembered(tag: string): Promise<boolean> {
  const { total } = await client.listImages({ query: { q: tagTerm(tag), limit: '1' } })
  return (total ?? 0) <= maxRemembered
}

/** @returns undefined: too many images have it. @throws {ApiError} */
export async function rememberTag(tag: string): Promise<TagsBefore | undefined> {
  const images: { id: string; tags: readonly string[] }[] = []
  let cursor: string | undefined
  do {
    const query = { q: tagTerm(tag), limit: String(maxLimit), ...(cursor !== undefined && { cursor }) }
    const { items, total, next } = await client.listImages({ query })
    if ((total ?? 0) > maxRemembered) return undefined
    images.push(...items.map(({ id, tags }) => ({ id, tags })))
    cursor = next
  } while (cursor !== undefined)
  const { items } = await client.listTags({ query: { q: tag, limit: String(maxLimit) } })
  return { tag, images, colours: items.filter(({ name, colour }) => colour !== null && isWithinTag(name, tag)) }
}

/** @param newName of a merged tag; undefined: it was removed. @throws {ApiError} */
export async function restoreTag({ tag, images, colours }: TagsBefore, newName?: string): Promise<void> {
  const groups = new Map<string, { ids: string[]; add: string[]; remove: string[] }>()
  for (const { id, tags } of images) {
    const add = tags.filter((one) => isWithinTag(one, tag))
    const moved = newName === undefined ? [] : add.map((one) => newName + one.slice(tag.length))
    const remove = moved.filter((one) => !tags.includes(one))
    const key = JSON.stringify([add, remove])
    const group = groups.get(key) ?? { ids: [], add, remove }
    group.ids.push(id)
    groups.set(key, group)
  }
  for (const group of groups.values()) await changeTags(group)
  for (const { name, colour } of colours) await client.updateTag({ body: { tag: name, colour } })
  await reload()
}

async function reload(): Promise<void> {
  tellTabs(imageList)
  void loadGallery()
  await refresh({ queryKey })
}
