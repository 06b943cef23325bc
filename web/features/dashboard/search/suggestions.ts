// What completes a search while it is typed: operators with what they mean, their usual values, and the user's tags.
import { formatNames, formats } from '../../../../contract/plain/formats.ts'
import { parseImageQuery } from '../../../../contract/plain/image-query.ts'
import { tagTerm } from '../../../../contract/plain/tag-names.ts'
import { albumTerm, findAlbums } from '../../../model/images/album-titles.ts'
import { findTags } from '../../../model/images/tags.ts'
import { countedImages } from '../../../texts/counts.ts'
import { search as texts } from '../../../texts/tags/search-messages.ts'
import type { ComboOption } from '../../../ui/combobox/use-combobox.ts'

export interface Suggestion extends ComboOption {
  /** Replaces the term at the caret. */
  text: string
}

/** The term before the caret, as far as it is typed. */
export function termAt(query: string, caret: number): { start: number; hyphen: string; typed: string } {
  const before = query.slice(0, caret)
  // Spaces in quotes are part of it.
  const last = [...before.matchAll(/(?:[^\s"]|"[^"]*(?:"|$))+/g)].at(-1)
  const term = last && last.index + last[0].length === before.length ? last[0] : ''
  const hyphen = term.startsWith('-') ? '-' : ''
  return { start: before.length - term.length, hyphen, typed: term.slice(hyphen.length) }
}

type Explained = keyof typeof texts.operators
const explained = Object.keys(texts.operators) as Explained[]

const staticValues: readonly (readonly [string, string])[] = [
  ...Object.entries(texts.values),
  ...formatNames.map((name) => [`type:${name}`, formats[name].label] as const),
]

export async function suggestionsFor(query: string, caret: number): Promise<Suggestion[]> {
  const { typed } = termAt(query, caret)
  const lower = typed.toLowerCase()
  const [, tagPart] = /^tag:"?([^"]*)/i.exec(typed) ?? []
  const values = staticValues
    .filter(([term]) => term.startsWith(lower) && lower.includes(':') && term !== lower)
    .map(([term, detail]): Suggestion => ({ id: term, label: term, detail, text: term }))
  if (tagPart !== undefined) return [...(await tagSuggestions(tagPart)), ...values]
  const [, albumPart] = /^album:"?([^"]*)/i.exec(typed) ?? []
  if (albumPart !== undefined) return [...(await albumSuggestions(albumPart)), ...values]
  if (lower.includes(':')) return values
  const operators = explained
    .filter((name) => name.startsWith(lower))
    .map((name): Suggestion => ({ id: name, label: `${name}:`, detail: texts.operators[name], text: `${name}:` }))
  return lower.length < 2 ? operators : [...operators, ...(await tagSuggestions(lower)).slice(0, 5)]
}

async function tagSuggestions(part: string): Promise<Suggestion[]> {
  const found = await findTags(part)
  return found.map(({ name, images, colour }) => ({
    id: `tag ${name}`,
    label: name,
    detail: countedImages(images),
    colour,
    text: tagTerm(name),
  }))
}

async function albumSuggestions(part: string): Promise<Suggestion[]> {
  const found = await findAlbums(part)
  return found.map(({ id, title, images }) => ({
    id: `album ${id}`,
    label: title,
    detail: countedImages(images),
    text: albumTerm({ id, title }),
  }))
}

/** The query with the term at the caret replaced, and where the caret is then. */
export function complete(query: string, caret: number, { text }: Suggestion): { query: string; caret: number } {
  const { start, hyphen } = termAt(query, caret)
  const rest = query.slice(caret).trimStart()
  // What follows an operator is still to be typed.
  const head = `${query.slice(0, start)}${hyphen}${text}${text.endsWith(':') ? '' : ' '}`
  return { query: head + rest, caret: head.length }
}

/** The terms that chips show, each with the query without it. Words stay in the field. */
export const chipsOf = (query: string): { label: string; rest: string }[] =>
  parseImageQuery(query)
    .terms.filter(({ kind }) => kind !== 'text')
    .map(({ start, end }) => ({
      label: query.slice(start, end),
      rest: `${query.slice(0, start).trimEnd()} ${query.slice(end).trimStart()}`.trim(),
    }))
