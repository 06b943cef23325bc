// The headers of an answer, kept for the next ones like it: flat, as node:http takes them fastest.
import type { OutgoingHttpHeaders } from 'node:http'

export interface RecordedHeaders {
  /** Names and values in turn, in the order of the first answer. */
  whole: string[]
  /** Those of a 304: nothing about a body. */
  unchanged: string[]
  /** Characters of the values that no other picture's answer shares with it. */
  ownLength: number
}

const ofBody = new Set(['content-type', 'content-length', 'accept-ranges'])

/** What differs from picture to picture. All else is the same few texts, of which each is kept once. */
const ofPicture = new Set(['content-length', 'etag', 'content-disposition', 'cache-control', 'x-request-id'])
const shared = new Map<string, string>()
/** Some dozen are expected: policies, types, names of servers. */
const mostShared = 500

/** @returns the one that is kept; undefined: there are too many already */
function sharedText(text: string): string | undefined {
  if (!shared.has(text) && shared.size < mostShared) shared.set(text, text)
  return shared.get(text)
}

export function recordHeaders(headers: OutgoingHttpHeaders): RecordedHeaders {
  let ownLength = 0
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => {
      const text = String(one)
      const known = ofPicture.has(name) ? undefined : sharedText(text)
      if (known === undefined) ownLength += text.length
      return [name, known ?? text]
    }),
  )
  return { whole: entries.flat(), unchanged: entries.filter(([name]) => !ofBody.has(name)).flat(), ownLength }
}

/** @param own what each answer says anew; the recorded ones have it, too */
export function withOwn(recorded: string[], own: Record<string, string>): string[] {
  const headers = recorded.slice()
  for (let at = 0; at < headers.length; at += 2) {
    const value = own[headers[at] as string]
    if (value !== undefined) headers[at + 1] = value
  }
  return headers
}
