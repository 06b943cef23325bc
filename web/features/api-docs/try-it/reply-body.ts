// How the body of an answer is shown, by its type.
import { prettyJson } from './draft.ts'

export type ShownBody =
  | { kind: 'none' }
  | { kind: 'tooLarge' }
  | { kind: 'json'; text: string; value: unknown; length: number }
  | { kind: 'text'; text: string; length: number }
  | { kind: 'image'; blob: Blob }
  | { kind: 'file'; blob: Blob }

/** @param maxChars what is longer is cut; `length` is that of the whole */
export async function shownBody(blob: Blob | undefined, maxChars: number): Promise<ShownBody> {
  if (blob === undefined) return { kind: 'tooLarge' }
  if (blob.size === 0) return { kind: 'none' }
  if (blob.type.startsWith('image/')) return { kind: 'image', blob }
  const isJson = /[/+]json\b/.test(blob.type)
  if (!isJson && !blob.type.startsWith('text/')) return { kind: 'file', blob }
  const text = await blob.text()
  const parsed = isJson ? parse(text) : undefined
  if (parsed === undefined) return { kind: 'text', text: cut(text, maxChars), length: text.length }
  const pretty = printed(parsed.value)
  // As it came, where it cannot be laid out.
  if (pretty === undefined) return { kind: 'text', text: cut(text, maxChars), length: text.length }
  return { kind: 'json', text: cut(pretty, maxChars), value: parsed.value, length: pretty.length }
}

/** undefined where it is nested deeper than the stack, or longer than a text may be. */
function printed(value: unknown): string | undefined {
  try {
    return prettyJson(value)
  } catch (error) {
    console.info('The answer is too much to lay out', error)
    return undefined
  }
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    console.info('The answer calls itself JSON and is not', error)
    return undefined
  }
}

/** Not within a character. */
const cut = (text: string, max: number) => text.slice(0, max).replace(/[\ud800-\udbff]$/, '')
