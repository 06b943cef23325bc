// The headers of an answer, kept for the next ones like it: flat, as node:http takes them fastest.
import type { OutgoingHttpHeaders } from 'node:http'

export interface RecordedHeaders {
  /** Names and values in turn, in the order of the first answer. */
  whole: string[]
  /** Those of a 304: nothing about a body. */
  unchanged: string[]
}

const ofBody = new Set(['content-type', 'content-length', 'accept-ranges'])

export function recordHeaders(headers: OutgoingHttpHeaders): RecordedHeaders {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, String(one)]),
  )
  return { whole: entries.flat(), unchanged: entries.filter(([name]) => !ofBody.has(name)).flat() }
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
