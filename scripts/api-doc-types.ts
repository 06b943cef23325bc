// Types of responses in docs/api.md, written like the fields of requests: strings unless a type follows.
import { type Json, referenceTo } from '../contract/derive/json-schema.ts'
import type { FieldDoc } from '../contract/derive/endpoint-doc.ts'
import { asRequired, bulletsOf, fieldList, kindOf, meaningsOf } from './api-doc-fields.ts'

export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
}

export interface TypeTexts {
  /** What a response contains. Empty when there is nothing but `success`. */
  ofResponse: (schema: Schema) => string
  /** A heading and a list of fields for every shared schema. */
  all: () => string
}

/** Longer lists are in the OpenAPI document. */
const maxValues = 20

export function typeTexts(schemas: Json): TypeTexts {
  const propertiesOf = (name?: string) => (name === undefined ? {} : ((schemas[name] as Schema).properties ?? {}))

  /** The largest type whose fields are all fields of this one. */
  function parentOf({ properties = {} }: Schema): string | undefined {
    const isPart = (other: Record<string, Schema>) =>
      Object.entries(other).every(([field, inner]) => plainType(inner) === plainType(properties[field] ?? {}))
    const sizeOf = (name: string) => Object.keys(propertiesOf(name)).length
    return Object.keys(schemas)
      .filter((name) => sizeOf(name) > 2 && isPart(propertiesOf(name)))
      .filter((name) => sizeOf(name) < Object.keys(properties).length)
      .toSorted((a, b) => sizeOf(b) - sizeOf(a))[0]
  }

  function ofResponse(schema: Schema): string {
    if (schema.$ref !== undefined || schema.type === 'array') return linked(plainType(schema))
    if (schema.anyOf !== undefined) return schema.anyOf.map((one) => linked(plainType(one))).join(' or ')
    const known = Object.keys(schemas).find((name) => plainType(schemas[name] as Schema) === plainType(schema))
    if (known !== undefined) return linked(known)
    const parent = parentOf(schema)
    const own = Object.entries(schema.properties ?? {})
      .filter(([field]) => field !== 'success' && !(field in propertiesOf(parent)))
      .map(([field, inner]) => fieldName(field, inner, schema.required))
      .join(', ')
    if (parent === undefined) return own
    return `${linked(parent)} and ${own}`
  }

  const linked = (type: string) => {
    const name = /^\w+/.exec(type)?.[0] ?? ''
    return name in schemas ? `[${type}](#${name.toLowerCase()})` : `\`${type}\``
  }

  function fieldName(name: string, schema: Schema, required: string[] = []): string {
    const type = plainType(schema)
    const shown = `\`${name}${required.includes(name) ? '' : '?'}\``
    if (type === 'string') return shown
    const text = linked(type)
    return `${shown} (${text.startsWith('[') ? text : type})`
  }

  function ownFields(schema: Schema): FieldDoc[] {
    const inherited = propertiesOf(parentOf(schema))
    return Object.entries(schema.properties ?? {})
      .filter(([field, { description = '' }]) => !(field in inherited) && !description.startsWith('The same as '))
      .filter(([field]) => field !== 'success')
      .map(([field, { description, ...inner }]) => ({
        name: field,
        type: plainType(inner),
        required: schema.required?.includes(field) === true,
        ...(saysNothing(description) ? {} : { description }),
      }))
  }

  const all = Object.values(schemas).map((schema) => ownFields(schema as Schema))
  const isOfSeveral = ({ description }: FieldDoc) =>
    all.filter((fields) => fields.some((field) => field.description === description)).length > 1
  const shared = new Map([...meaningsOf(all.flat())].filter(([, field]) => isOfSeveral(field)))
  const isPlain = (field: FieldDoc) =>
    field.description === undefined || shared.get(kindOf(field))?.description === field.description

  function typeText(name: string, schema: Schema): string {
    if (schema.properties === undefined) return `### ${name}\n\n${plainType(schema)}`
    const parent = parentOf(schema)
    const fields = ownFields(schema)
    const plain = fields
      .filter(isPlain)
      .map(({ name: field }) => fieldName(field, schema.properties![field]!, schema.required))
    const start = parent === undefined ? '' : `${linked(parent)} and${plain.length === 0 ? ':' : ''}`
    const described = fields.filter((field) => !isPlain(field))
    return `### ${name}\n\n${fieldList(start, plain, described)}`
  }

  return {
    ofResponse,
    all: () =>
      [
        'These fields mean the same in several types:',
        bulletsOf([...shared.values()].map(asRequired)).join('\n'),
        ...Object.entries(schemas)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, schema]) => typeText(name, schema as Schema)),
      ].join('\n\n'),
  }
}

const saysNothing = (description?: string) => description === undefined || description === 'ISO 8601, UTC'

function plainType(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(referenceTo.length)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined && schema.enum.length > maxValues) return 'string'
  if (schema.enum !== undefined) return schema.enum.map(String).join('|')
  if (schema.anyOf !== undefined) return schema.anyOf.map(plainType).join('|')
  if (Array.isArray(schema.type)) return schema.type.map((type) => plainType({ ...schema, type })).join('|')
  if (schema.type === 'array') {
    const inner = plainType(schema.items ?? {})
    return inner.includes('|') ? `(${inner})[]` : `${inner}[]`
  }
  if (schema.type !== 'object') return schema.type ?? 'any'
  const properties = Object.entries(schema.properties ?? {})
  // Every response that has it has other fields too, or is nothing else.
  const fields = properties
    .filter(([name]) => name !== 'success' || properties.length === 1)
    .map(([name, inner]) => {
      const type = plainType(inner)
      return `${name}${schema.required?.includes(name) ? '' : '?'}${type === 'string' ? '' : `: ${type}`}`
    })
  return fields.length === 0 ? 'object' : `{ ${fields.join(', ')} }`
}
