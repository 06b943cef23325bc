// Rules for documents, and the normalization of incoming ones. Pure: no database, no clock.
import { documentId } from '../../../contract/endpoints/database-view.ts'
import { limits } from '../../../contract/plain/limits.ts'
import type { JsonObject } from '../shared/document-source.ts'
import { Failure } from '../shared/failure.ts'

const bounds = limits.documents
/** Names that reach the prototype of an object in JavaScript. */
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])
/** Fields that the server sets. */
const ownKeys = ['_id', 'createdAt', '__v']

/** An incoming document: the fields stored in columns, and the rest. */
export interface IncomingDocument {
  id: string | undefined
  /** UTC milliseconds. */
  createdAt: number | undefined
  version: number
  fields: JsonObject
}

/** @throws {Failure} invalid_input */
export function readDocument(given: unknown): IncomingDocument {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) refuse('document', 'must be an object')
  assertSafe(given)
  // Field by field: a document whose only field is $oid is no extended JSON value.
  const { _id, createdAt, __v, ...fields } = plainFields(given)
  return {
    id: readId(_id),
    createdAt: readDate(createdAt),
    version: Number.isInteger(__v) && Number(__v) >= 0 && Number(__v) <= bounds.maxVersion ? Number(__v) : 0,
    fields,
  }
}

/** Refuses patches that are invalid for any document. @throws {Failure} invalid_input */
export function assertSafePatch(fields: JsonObject): void {
  const own = ownKeys.find((key) => Object.hasOwn(fields, key))
  if (own !== undefined) refuse(own, 'cannot be changed')
  assertSafe(fields)
}

/** MongoDB treats such names as operators and paths. @throws {Failure} invalid_input */
export function assertNoOperators(edited: JsonObject): void {
  walk(edited, (key) => {
    if (key.startsWith('$') || key.includes('.')) refuse(key, 'names with a dot or a leading $ cannot be set')
  })
}

/** Returns the body as stored. @throws {Failure} body_too_large */
export function toBody(fields: JsonObject): { body: string; bytes: number } {
  const body = JSON.stringify(fields)
  const bytes = Buffer.byteLength(body)
  if (bytes > bounds.maxBytes) throw new Failure('body_too_large', { maxBytes: bounds.maxBytes })
  return { body, bytes }
}

/** Refuses invalid names, excessive depth, and non-finite numbers. @throws {Failure} invalid_input */
function assertSafe(document: object): void {
  walk(document, (key, value) => {
    if (forbiddenKeys.has(key)) refuse(key, 'is not allowed as a name')
    if (key.length > bounds.maxNameLength) refuse(key, `names have at most ${bounds.maxNameLength} characters`)
    // JSON.parse reads 1e400 as Infinity, which would be stored as null.
    if (typeof value === 'number' && !Number.isFinite(value)) refuse(key, 'is a number too large to keep')
  })
}

/** Visits every field and item. Iterative: 1 MB of JSON can be half a million levels deep. */
function walk(document: object, visit: (key: string, value: unknown) => void): void {
  let level: object[] = [document]
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > bounds.maxDepth) refuse('document', `is nested more than ${bounds.maxDepth} levels deep`)
    const next: object[] = []
    for (const parent of level) {
      const isArray = Array.isArray(parent)
      for (const [key, value] of Object.entries(parent)) {
        visit(isArray ? '' : key, value)
        if (typeof value === 'object' && value !== null) next.push(value)
      }
    }
    level = next
  }
}

/** Converts MongoDB's extended JSON (v2, and $date of v1). The depth was checked before. */
function plainValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(plainValue)
  const entries = Object.entries(value)
  const [only] = entries
  const convert = only && entries.length === 1 ? extended[only[0]] : undefined
  const converted = convert?.(only?.[1])
  return converted ?? plainFields(value)
}

const plainFields = (value: object) =>
  Object.fromEntries(Object.entries(value).map(([key, held]) => [key, plainValue(held)]))

const extended: Record<string, ((held: unknown) => string | number | undefined) | undefined> = {
  $oid: textOf,
  $numberInt: numberOf,
  $numberDouble: numberOf,
  // Integers that a JavaScript number cannot represent exactly stay strings.
  $numberLong: (held) => (Number.isSafeInteger(numberOf(held)) ? numberOf(held) : textOf(held)),
  $numberDecimal: textOf,
  $date: (held) => {
    const at = typeof held === 'object' && held !== null ? plainValue(held) : held
    const date = new Date(typeof at === 'string' || typeof at === 'number' ? at : Number.NaN)
    return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
  },
}
Object.setPrototypeOf(extended, null)

function textOf(held: unknown): string | undefined {
  return typeof held === 'string' ? held : undefined
}

function numberOf(held: unknown): number | undefined {
  const number = typeof held === 'string' && held.trim() !== '' ? Number(held) : held
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** @throws {Failure} invalid_input */
function readId(given: unknown): string | undefined {
  if (given === undefined || given === null) return undefined
  const result = documentId.safeParse(typeof given === 'number' ? String(given) : given)
  if (result.success) return result.data
  refuse('_id', result.error.issues[0]?.message ?? 'is not valid')
}

/** @throws {Failure} invalid_input */
function readDate(given: unknown): number | undefined {
  if (given === undefined || given === null) return undefined
  const at = typeof given === 'string' || typeof given === 'number' ? new Date(given).getTime() : Number.NaN
  if (Number.isNaN(at)) refuse('createdAt', 'must be a date')
  return at
}

function refuse(field: string, problem: string): never {
  throw new Failure('invalid_input', { field: field.slice(0, 100), problem })
}
