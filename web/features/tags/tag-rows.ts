import type { Tag } from '../../../contract/endpoints/tags.ts'

export interface TagRow extends Tag {
  /** How many tags it is below. */
  depth: number
}

/**
 * Tags as a tree: a tag that no image has gets a row where there are tags below it.
 * @param tags in the order of the server: each before those below it
 * @param isWhole false: some of them, which are listed as they are
 */
export function tagRows(tags: readonly Tag[], isWhole: boolean): TagRow[] {
  if (!isWhole) return tags.map((tag) => ({ ...tag, depth: 0 }))
  const rows: TagRow[] = []
  const known = new Set<string>()
  for (const tag of tags) {
    const parts = tag.name.split('/')
    for (let depth = 0; depth < parts.length; depth++) {
      const name = parts.slice(0, depth + 1).join('/')
      if (known.has(name)) continue
      known.add(name)
      rows.push(name === tag.name ? { ...tag, depth } : { name, images: 0, colour: null, depth })
    }
  }
  return rows
}
