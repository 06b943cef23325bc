// Documentation rows and sample values of fields, derived from JSON Schemas.
import type { FieldDoc } from './endpoint-doc.ts'
import { type Json, type Property, referenceTo } from './json-schema.ts'

/** @param schemas the targets of references */
export function fieldsOf(properties: Property[], schemas: Json): FieldDoc[] {
  return properties.map((property) => fieldOf(property, schemas))
}

/** The rows of a body, including nested objects and lists. A body of any JSON object is one row. */
export function bodyFields(body: Json, schemas: Json): FieldDoc[] {
  const schema = resolved(body, schemas)
  const [first] = (schema['anyOf'] as Json[] | undefined) ?? []
  if (first) return bodyFields(first, schemas)
  const properties = Object.entries((schema['properties'] as Record<string, Json> | undefined) ?? {})
  if (properties.length === 0 && schema['additionalProperties'] !== false)
    return [fieldOf({ name: '*', required: false, schema: { description: schema['description'] } }, schemas)]
  return rowsWithin('', schema, schemas)
}

function rowsWithin(prefix: string, schema: Json, schemas: Json): FieldDoc[] {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Json>; required?: string[] }
  return Object.entries(properties).flatMap(([key, given]) => {
    const property = resolved(given, schemas)
    const name = prefix + key
    const items = resolved((property['items'] as Json | undefined) ?? {}, schemas)
    return [
      fieldOf({ name, required: required.includes(key), schema: property }, schemas),
      ...rowsWithin(`${name}.`, property, schemas),
      ...rowsWithin(`${name}[].`, items, schemas),
    ]
  })
}

function fieldOf({ name, required, schema }: Property, schemas: Json): FieldDoc {
  const { description } = schema as { description?: string }
  const sample = sampleOf(schema, schemas)
  return {
    name,
    type: typeName(schema, schemas),
    ...(description === undefined ? {} : { description }),
    required,
    ...(sample === undefined ? {} : { sample }),
  }
}

function typeName(given: Json, schemas: Json): string {
  const schema = resolved(given, schemas)
  const { anyOf, enum: values, const: only, type, format, items } = schema as SchemaKeywords
  if (anyOf) return [...new Set(anyOf.map((one) => typeName(one, schemas)))].join(' or ')
  if (values) return values.length === 1 ? values.join('') : `one of ${values.join(', ')}`
  if (only !== undefined) return JSON.stringify(only)
  if (format === 'binary') return 'file'
  if (type === 'array') return `array of ${typeName(items ?? {}, schemas)}`
  return Array.isArray(type) ? type.join(' or ') : (type ?? 'any')
}

interface SchemaKeywords {
  anyOf?: Json[]
  enum?: unknown[]
  const?: unknown
  examples?: unknown[]
  default?: unknown
  type?: string | string[]
  format?: string
  items?: Json
  properties?: Record<string, Json>
}

/** The example in the contract, or a value of the type; undefined when samples omit the field. */
export function sampleOf(given: Json, schemas: Json): unknown {
  const schema = resolved(given, schemas)
  const {
    anyOf,
    enum: values,
    const: only,
    examples,
    default: byDefault,
    type,
    format,
    items,
  } = schema as SchemaKeywords
  if (examples) return examples[0]
  if (byDefault !== undefined) return byDefault
  if (only !== undefined) return only
  if (values) return values[0]
  if (anyOf) return sampleOf(anyOf[0] ?? {}, schemas)
  if (type === 'array') return [sampleOf(items ?? {}, schemas)]
  if (type === 'object') return sampleObject(schema, schemas)
  return format !== undefined && format in samplesByFormat
    ? samplesByFormat[format]
    : (samplesByType[[type].flat()[0] ?? ''] ?? null)
}

function sampleObject({ properties = {} }: SchemaKeywords, schemas: Json): Json {
  const samples = Object.entries(properties).map(([name, schema]) => [name, sampleOf(schema, schemas)])
  return Object.fromEntries(samples.filter(([, sample]) => sample !== undefined))
}

const samplesByFormat: Record<string, unknown> = {
  'date-time': '2026-01-31T12:00:00.000Z',
  date: '2026-01-31',
  email: 'ada@example.com',
  // A file has no JSON value.
  binary: undefined,
}
const samplesByType: Record<string, unknown> = { string: 'string', integer: 0, number: 0, boolean: false }

function resolved(schema: Json, schemas: Json): Json {
  const reference = schema['$ref'] as string | undefined
  if (reference === undefined) return schema
  const { $ref, ...own } = schema
  return { ...(schemas[reference.slice(referenceTo.length)] as Json), ...own }
}
