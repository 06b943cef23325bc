// How the body of a response is displayed, by its content type.
import { prettyJson } from './request-draft.ts'

export type DisplayedBody =
  | { kind: 'none' }
  | { kind: 'tooLarge' }
  | { kind: 'json'; text: string; value: unknown; length: number }
  | { kind: 'text'; text: string; length: number }
  | { kind: 'image'; blob: Blob }
  | { kind: 'file'; blob: Blob }

/** @param maxChars longer bodies are truncated; `length` is that of the whole body */
export async function displayedBody(blob: Blob | undefined, maxChars: number): Promise<DisplayedBody> {
  if (blob === undefined) return { kind: 'tooLarge' }
  if (blob.size === 0) return { kind: 'none' }
  if (blob.type.startsWith('image/')) return { kind: 'image', blob }
  const isJson = /[/+]json\b/.test(blob.type)
  if (!isJson && !blob.type.startsWith('text/')) return { kind: 'file', blob }
  const text = await blob.text()
  const parsed = isJson ? parse(text) : undefined
  if (parsed === undefined) return { kind: 'text', text: cut(text, maxChars), length: text.length }
  const pretty = printed(parsed.value)
  // Shown unformatted when it cannot be formatted.
  if (pretty === undefined) return { kind: 'text', text: cut(text, maxChars), length: text.length }
  return { kind: 'json', text: cut(pretty, maxChars), value: parsed.value, length: pretty.length }
}

/** Undefined when it is nested deeper than the stack, or longer than the longest string. */
function printed(value: unknown): string | undefined {
  try {
    return prettyJson(value)
  } catch (error) {
    console.info('The response body is too large to format', error)
    return undefined
  }
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    console.info('The response body is not valid JSON', error)
    return undefined
  }
}

/** Does not split a code point. */
const cut = (text: string, max: number) => text.slice(0, max).replace(/[\ud800-\udbff]$/, '')
