// Recorded response headers, as the flat array that `writeHead` of node:http takes fastest.
import type { OutgoingHttpHeaders } from 'node:http'

export interface RecordedHead {
  /** Names and values alternate, in the order of the recorded response. */
  ok: string[]
  /** The headers of a 304: none about the body. */
  notModified: string[]
  /** Characters of the values that are stored for this head only. */
  ownLength: number
}

const bodyHeaders = new Set(['content-type', 'content-length', 'accept-ranges'])

/** Headers that differ between images. All others have few values, each of which is stored once. */
const imageHeaderNames = new Set([
  'content-length',
  'etag',
  'content-disposition',
  'cache-control',
  'surrogate-key',
  'cache-tag',
  'x-request-id',
])
const sharedValues = new Map<string, string>()
/** Some dozen are expected: policies, MIME types, server names. */
const maxSharedValues = 500

/** @returns the stored equal string; undefined: too many are stored already */
function sharedValue(text: string): string | undefined {
  if (!sharedValues.has(text) && sharedValues.size < maxSharedValues) sharedValues.set(text, text)
  return sharedValues.get(text)
}

export function recordHead(headers: OutgoingHttpHeaders): RecordedHead {
  let ownLength = 0
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => {
      const text = String(one)
      const shared = imageHeaderNames.has(name) ? undefined : sharedValue(text)
      if (shared === undefined) ownLength += text.length
      return [name, shared ?? text]
    }),
  )
  return { ok: entries.flat(), notModified: entries.filter(([name]) => !bodyHeaders.has(name)).flat(), ownLength }
}

/** Sets the headers that differ between two responses with the same image. */
export function withFreshValues(recorded: string[], reqId: string, cacheControl: string): string[] {
  const headers = recorded.slice()
  headers[headers.indexOf('x-request-id') + 1] = reqId
  headers[headers.indexOf('cache-control') + 1] = cacheControl
  return headers
}
