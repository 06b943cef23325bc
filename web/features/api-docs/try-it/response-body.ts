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
  const json = isJson ? parse(text) : undefined
  if (json === undefined) return { kind: 'text', text: cut(text, maxChars), length: text.length }
  return { kind: 'json', text: cut(json.pretty, maxChars), value: json.value, length: json.pretty.length }
}

/** Undefined for invalid JSON, and when it is nested deeper than the stack or longer than the longest string. */
function parse(text: string): { value: unknown; pretty: string } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return { value, pretty: prettyJson(value) }
  } catch (error) {
    console.info('The response body cannot be formatted as JSON', error)
    return undefined
  }
}

/** Does not split a code point. */
const cut = (text: string, max: number) => text.slice(0, max).replace(/[\ud800-\udbff]$/, '')
