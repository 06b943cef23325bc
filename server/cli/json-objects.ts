// Splits a file of JSON objects, one after another or in an array, into their texts, as a stream.
import { createReadStream } from 'node:fs'
import { CommandRefused } from '../domain/backups/command-refused.ts'

/** Characters between objects: array punctuation, whitespace, and a byte order mark. */
const between = /[\s,[\]\uFEFF]/

/**
 * Yields the text of every object: of a JSON array, of NDJSON, or of multi-line objects as
 * mongoexport writes them.
 * @param maxLength in characters; a longer object is refused before it fills the memory
 * @throws {CommandRefused} with the position, when the file has another form
 */
export async function* readObjects(path: string, maxLength: number): AsyncGenerator<string> {
  let held = ''
  let depth = 0
  let arrays = 0
  let isText = false
  let isEscaped = false
  let offset = 0
  for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      const character = chunk[at] ?? ''
      if (isText) {
        if (isEscaped) isEscaped = false
        else if (character === '\\') isEscaped = true
        else if (character === '"') isText = false
      } else if (depth === 0) {
        if (character === '{') {
          depth = 1
          start = at
        } else if (!between.test(character)) {
          throw new CommandRefused(`${path} contains something other than JSON objects at character ${offset + at + 1}`)
        } else if (character === '[') arrays++
        else if (character === ']') arrays--
      } else if (character === '"') isText = true
      else if (character === '{' || character === '[') depth++
      else if (character === '}' || character === ']') {
        depth--
        if (depth > 0) continue
        yield held + chunk.slice(start, at + 1)
        held = ''
      }
    }
    if (depth > 0) held += chunk.slice(start)
    if (held.length > maxLength)
      throw new CommandRefused(`${path} contains an object of more than ${maxLength} characters`)
    offset += chunk.length
  }
  if (depth > 0 || arrays !== 0) throw new CommandRefused(`${path} is incomplete`)
}
