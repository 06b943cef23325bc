// Images as clients send them: bytes, base64, a data URI or a URL, in a body of any declared type. The
// first bytes decide, because many clients declare a wrong type or none (docs/decisions/0037).
import { open, readFile, rm, writeFile } from 'node:fs/promises'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import { Failure } from '../../domain/shared/failure.ts'

/** Base64 takes 4/3 of the bytes; percent-encoding in a form and line breaks add some. */
export const maxEncodedBytes = (maxBytes: number): number => Math.ceil(maxBytes * 1.5)

type Encoding = 'bytes' | 'base64' | 'data' | 'url' | 'json' | 'form'

const headBytes = 128
/** Every image format has a byte outside of these within its first 30 bytes. */
const patterns: [Encoding, RegExp][] = [
  ['data', /^\s*data:/i],
  ['url', /^\s*https?:/i],
  ['json', /^\s*[[{]/],
  // A space is a plus sign that the client of a form did not percent-encode.
  ['base64', /^[\w+/ \r\n-]+={0,2}\s*$/],
  ['form', /^[\w%[\].-]+=/],
]

const encodingOf = (head: string): Encoding => patterns.find(([, pattern]) => pattern.test(head))?.[0] ?? 'bytes'

/** An image in a field, or in the body itself: a file, or the URL of one. */
export type EncodedImage = { path: string; bytes: number } | { url: string }
/** @property name as sent; '' without one */
export type ReceivedImage = EncodedImage & { name: string }

/**
 * Texts are read whole, a few at a time: a 10 MB image is 14 MB of base64. Slow clients take no part
 * in it, because their bodies are received on the disk.
 */
const decodingTurn = createSemaphore({
  permits: 2,
  maxQueued: 100,
  rejectWith: () => new Failure('busy', {}, { retryAfterS: 2 }),
})

/**
 * Takes base64 or a data URL off a received file, in place. Other files stay as they are.
 * @returns its path, or the URL in it
 * @throws {Failure} file_too_large, empty_file, busy
 */
export async function unwrapIfEncoded(path: string, maxBytes: number): Promise<EncodedImage> {
  const { head, bytes } = await readHead(path)
  if (bytes === 0) throw new Failure('empty_file')
  const encoding = encodingOf(head)
  if (encoding === 'bytes' || encoding === 'json' || encoding === 'form') {
    if (bytes > maxBytes) throw new Failure('file_too_large', { maxBytes })
    return { path, bytes }
  }
  using _turn = await decodingTurn()
  return await writeImage((await readFile(path, 'latin1')).trim(), encoding, path, maxBytes)
}

/**
 * Splits a received body into its fields and the images in them. A body that is neither a form nor
 * JSON is an image itself.
 * @param imageFields names of the fields that carry images; they are not in the returned fields
 * @throws {Failure} file_too_large, empty_file, malformed_json, busy
 */
export async function decodeBody(
  path: string,
  { maxBytes, imageFields }: { maxBytes: number; imageFields: readonly string[] },
): Promise<{ images: ReceivedImage[]; fields: Record<string, unknown> }> {
  const { head, bytes } = await readHead(path)
  if (bytes === 0) return { images: [], fields: {} }
  const encoding = encodingOf(head)
  if (encoding !== 'json' && encoding !== 'form')
    return { images: [{ ...(await unwrapIfEncoded(path, maxBytes)), name: '' }], fields: {} }
  using _turn = await decodingTurn()
  const text = await readFile(path, encoding === 'json' ? 'utf8' : 'latin1')
  const fields = parseText(text)
  await rm(path)
  const images: ReceivedImage[] = []
  for (const name of imageFields) {
    const values = [fields[name]].flat().filter((value) => typeof value === 'string' && value !== '')
    for (const value of values as string[]) {
      const found = encodingOf(value.slice(0, headBytes))
      if (found !== 'base64' && found !== 'data' && found !== 'url') throw notEncoded(name)
      const image = await writeImage(value.trim(), found, `${path}-${images.length}`, maxBytes)
      images.push({ ...image, name: '' })
    }
    if (values.length > 0) delete fields[name]
  }
  return { images, fields }
}

/** Such as the path of a file on the client's computer. */
const notEncoded = (field: string) =>
  new Failure('invalid_input', { field, problem: 'must be a file, base64, a data URI or a URL' })

async function writeImage(text: string, encoding: Encoding, path: string, maxBytes: number): Promise<EncodedImage> {
  if (encoding === 'url') return { url: text }
  const base64 = encoding === 'data' ? text.slice(text.indexOf(',') + 1) : text
  const bytes = Buffer.from(replaceCharacter(base64, ' ', '+'), 'base64')
  if (bytes.length === 0) throw new Failure('empty_file')
  if (bytes.length > maxBytes) throw new Failure('file_too_large', { maxBytes })
  await writeFile(path, bytes)
  return { path, bytes: bytes.length }
}

/**
 * Replaces a character in a text of bytes. Strings do that too, but with seven million matches in 14 MB it took 1.5 s.
 * @param text latin1
 */
function replaceCharacter(text: string, from: string, to: string): string {
  if (!text.includes(from)) return text
  const bytes = Buffer.from(text, 'latin1')
  const [old, replacement] = [from.charCodeAt(0), to.charCodeAt(0)]
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === old) bytes[at] = replacement
  return bytes.toString('latin1')
}

async function readHead(path: string): Promise<{ head: string; bytes: number }> {
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return { head: buffer.toString('latin1', 0, bytesRead), bytes: (await file.stat()).size }
  } finally {
    await file.close()
  }
}

/**
 * Values of a form or JSON body: millions of empty ones in 15 MB took 1.6 GB. Clients send a few
 * dozen; the separators in their texts count as well.
 */
const maxValues = 10_000

/** Returns the fields of a JSON object or a form. @throws {Failure} malformed_json, invalid_input */
export function parseText(text: string): Record<string, unknown> {
  const isJson = encodingOf(text.slice(0, headBytes)) === 'json'
  assertFewValues(text, isJson ? ',[{' : '&')
  return isJson ? parseJson(text) : parseForm(text)
}

/** Before a text is parsed. @param separators of its values @throws {Failure} invalid_input */
export function assertFewValues(text: string, separators: string): void {
  for (const separator of separators) {
    let count = 0
    for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + 1))
      if (++count > maxValues) throw new Failure('invalid_input', { field: 'body', problem: 'has too many values' })
  }
}

/** @throws {Failure} malformed_json */
function parseJson(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
  } catch (error) {
    throw new Failure('malformed_json', {}, { cause: error })
  }
}

/**
 * A repeated name has its first value; a name that ends with [] is a list, as in PHP, and has all. Names are compared, never used
 * as paths of an object.
 */
function parseForm(text: string): Record<string, unknown> {
  const fields = text.split('&').map((pair) => {
    const at = pair.indexOf('=')
    return [decodePart(pair.slice(0, at < 0 ? undefined : at)), at < 0 ? '' : decodePart(pair.slice(at + 1))] as const
  })
  return { ...Object.fromEntries(fields.toReversed()), ...listsIn(fields) }
}

/** The values of each name that ends with []. */
export function listsIn(fields: readonly (readonly [name: string, value: unknown])[]): Record<string, unknown[]> {
  const lists = new Map<string, unknown[]>()
  for (const [name, value] of fields)
    if (name.endsWith('[]')) {
      const list = lists.get(name)
      if (list) list.push(value)
      else lists.set(name, [value])
    }
  return Object.fromEntries(lists)
}

function decodePart(part: string): string {
  const spaced = replaceCharacter(part, '+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}
