// Names of tags: `travel/italy` is below `travel`.
import { cleanName } from './clean-name.ts'
import { limits } from './limits.ts'

/**
 * A tag as it is stored: in lower case and NFC, with single spaces, and without what is empty between slashes. Commas
 * and quotes, which separate tags and end them in a query, become spaces.
 * @returns undefined: nothing is left, or it is too long or too deep
 */
export function normalizeTag(sent: string): string | undefined {
  const { maxLength, maxDepth } = limits.tags
  // Bounds the work; letters may take several code units before they are composed.
  if (sent.length > 4 * maxLength) return undefined
  // Composed again, because lower case decomposes a few letters.
  const parts = cleanName(sent.normalize('NFC').toLowerCase().replace(/[",]/g, ' '))
    .split('/')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const tag = parts.join('/')
  return tag === '' || tag.length > maxLength || parts.length > maxDepth ? undefined : tag
}

/** Sorted, each once; undefined when one is not a tag. */
export function normalizeTags(sent: readonly string[]): string[] | undefined {
  const tags = sent.map(normalizeTag)
  return tags.includes(undefined) ? undefined : [...new Set(tags.filter((tag) => tag !== undefined))].toSorted()
}

/** For lists with commas between the tags, where one at the end is no mistake. */
export const withoutBlank = (sent: readonly string[]): string[] => sent.filter((tag) => tag.trim() !== '')

/** Whether a tag is another one or below it. */
export const isWithinTag = (tag: string, parent: string): boolean => tag === parent || tag.startsWith(`${parent}/`)

/** As a term of a query. */
export const tagTerm = (tag: string): string => (/^none$|\s/.test(tag) ? `tag:"${tag}"` : `tag:${tag}`)

/** Names of the colours that a tag can have; the page chooses shades that are readable in both themes. */
export const tagColours = ['grey', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink'] as const
export type TagColour = (typeof tagColours)[number]
