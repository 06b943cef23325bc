// Generates values for the fields of the contract from their schemas: valid, nearly valid, and
// arbitrary ones.
import fc from 'fast-check'
import { type Json, referenceTo } from '../contract/derive/json-schema.ts'

/** Strings that often break servers, for any field. */
const hostileTexts = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\ufeff',
  '\u202e',
  'ä\u0301🦊',
  'x'.repeat(300),
  "' or 1=1 --",
  '%',
  '%00',
  '%2e%2e%2f',
  '../../etc/passwd',
  '<script>',
  '{{7*7}}',
  '$(id)',
  'a\r\nSet-Cookie: b=c',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'true',
  '-1',
  '0',
  '00',
  '1e3',
  '0x10',
  '99999999999999999999',
  '١٢٣',
  '2026-02-30T25:61:00Z',
]
export const anyText = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 40 }),
)
export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  anyText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    0,
    -1,
    0.5,
    1e308,
    Number.MAX_SAFE_INTEGER,
    true,
    null,
    [],
    {},
    [[]],
    { $gt: '' },
    { length: -1 },
    { constructor: { prototype: { polluted: true } } },
    Array(300).fill(0),
    'x'.repeat(20_000),
  ),
)

/** Valid values of a schema. @param schemas targets of references */
export function validValue(schema: Json, schemas: Json): fc.Arbitrary<unknown> {
  const { $ref, anyOf, oneOf, enum: choice, const: only, type, examples } = schema as Schema
  if ($ref !== undefined) return validValue(schemas[$ref.slice(referenceTo.length)] as Json, schemas)
  const several = anyOf ?? oneOf
  if (several) return fc.oneof(...several.map((one) => validValue(one, schemas)))
  if (only !== undefined) return fc.constant(only)
  if (choice) return fc.constantFrom(...choice)
  const made = ofType(type, schema, schemas)
  return examples?.length ? fc.oneof(fc.constantFrom(...examples), made) : made
}

interface Schema {
  $ref?: string
  anyOf?: Json[]
  oneOf?: Json[]
  enum?: unknown[]
  const?: unknown
  type?: string
  examples?: unknown[]
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: Json
  properties?: Record<string, Json>
  required?: string[]
}

function ofType(type: string | undefined, schema: Schema, schemas: Json): fc.Arbitrary<unknown> {
  const { minimum = 0, maximum = 1000, items = {}, minItems = 0, maxItems = 5, properties = {}, required = [] } = schema
  switch (type) {
    case 'string':
      return text(schema)
    case 'integer':
    case 'number':
      return fc.integer({ min: minimum, max: maximum })
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(validValue(items, schemas), {
        minLength: minItems,
        maxLength: Math.max(minItems, Math.min(5, maxItems)),
      })
    case 'object':
      return fc.record(
        mapValues(properties, (property) => validValue(property, schemas)),
        { requiredKeys: required },
      )
    case undefined:
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function text({ pattern, format, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  if (format === 'email') return fc.emailAddress()
  // The generator of matching strings does not support Unicode classes.
  if (pattern !== undefined && !pattern.includes('\\p')) return fc.stringMatching(new RegExp(pattern))
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 40) })
}

/** Values one step beyond the limits of the schema, or of another type. */
export function nearlyValidValue(schema: Json, schemas: Json): fc.Arbitrary<unknown> {
  const { type, minLength = 0, maxLength, minimum = 0, maximum, enum: choice } = schema as Schema
  const invalidValues: unknown[] = [
    null,
    '',
    [],
    {},
    true,
    1.5,
    `${maximum ?? ''}`,
    'x'.repeat(Math.max(0, minLength - 1)),
    minimum - 1,
  ]
  if (maxLength !== undefined)
    invalidValues.push('x'.repeat(maxLength), 'x'.repeat(maxLength + 1), '🦊'.repeat(maxLength))
  if (maximum !== undefined) invalidValues.push(maximum, maximum + 1, `${maximum} `, `+${maximum}`)
  if (choice)
    invalidValues.push(...choice.map((value) => String(value).toUpperCase()), ...choice.map((value) => [value]))
  if (type === 'object')
    return fc
      .tuple(validValue(schema, schemas), fc.dictionary(anyText, anyValue, { maxKeys: 2 }))
      .map(([own, more]) => ({ ...(own as object), ...more }))
  return fc.constantFrom(...invalidValues)
}

export const mapValues = <A, B>(record: Record<string, A>, change: (value: A, key: string) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
