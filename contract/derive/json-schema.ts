// Converts the contract's zod schemas to JSON Schema.
import { z } from 'zod'

export type Json = Record<string, unknown>

export interface Property {
  name: string
  required: boolean
  schema: Json
}

/** @param schemas collects the schemas that have an id, by id; they are replaced by references */
export function toSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, {
    io,
    override: ({ zodSchema, jsonSchema }) => {
      const shown = (zodSchema as unknown as z.ZodType).meta()?.['openapi']
      if (shown === undefined) return
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
      Object.assign(jsonSchema, shown)
    },
  }) as Json & { $defs?: Record<string, Json> }
  for (const [name, definition] of Object.entries($defs)) schemas[name] = plain(definition)
  if (root['id'] === undefined) return plain(root)
  const name = root['id'] as string
  schemas[name] = plain(root)
  return { $ref: referenceTo + name }
}

/** The properties that a client sends. */
export function propertiesOf(schema: z.ZodType | undefined, schemas: Json): Property[] {
  if (!schema) return []
  const { properties = {}, required = [] } = toSchema(schema, 'input', schemas) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { 'x-required': isRequired, ...rest }]) => ({
    name,
    required: required.includes(name) || isRequired === true,
    schema: rest,
  }))
}

export const referenceTo = '#/components/schemas/'

/** Removes the keys that zod adds, and points references to components of the OpenAPI document. */
function plain(schema: Json): Json {
  const { id, $schema, ...rest } = JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"${referenceTo}`)) as Json
  return rest
}
