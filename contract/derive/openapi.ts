// The OpenAPI 3.1 document, derived from the endpoints.
import type { z } from 'zod'
import { allEndpoints } from './all-endpoints.ts'
import { categories, type Endpoint, failuresOf, statusOf, takesGuestToken } from '../endpoints/endpoint.ts'
import { failures } from '../plain/failures.ts'
import { type Json, propertiesOf, toSchema } from './json-schema.ts'

/** Without `servers`, which the settings decide. */
export function buildOpenApi(title: string): Json {
  const schemas: Json = {
    Failure: {
      type: 'object',
      required: ['error', 'code'],
      properties: { error: { type: 'string' }, code: { type: 'string', enum: Object.keys(failures) } },
    },
  }
  const paths: Record<string, Json> = {}
  for (const { name, route, endpoint } of allEndpoints()) {
    const [method = '', path = ''] = route.split(' ')
    const operation = describe(name, path, endpoint, schemas)
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  }
  return withoutEmptyExamples({
    openapi: '3.1.0',
    info: {
      title,
      version: '1.0.0',
      description: 'Upload, deliver and manage images.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    tags: Object.entries(categories).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A session token from POST /api/login',
        },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'ik_...',
          description:
            'An API key from POST /api/api-keys, in the same header. Each endpoint names the scope that the key needs; ' +
            'manage includes the others',
        },
        guestToken: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Guest-Token',
          description: 'delete_token of a guest image',
        },
      },
    },
  })
}

/** An empty list means that samples omit the field: see `omitted` in contract/endpoints/schema-parts.ts. */
const withoutEmptyExamples = (document: Json): Json =>
  JSON.parse(
    JSON.stringify(document, (key, value) =>
      key === 'examples' && Array.isArray(value) && value.length === 0 ? undefined : (value as unknown),
    ),
  ) as Json

function describe(name: string, path: string, endpoint: Endpoint, schemas: Json): Json {
  const parameters = [
    ...fields(endpoint.params, schemas).map((field) => ({ ...field, in: 'path', required: true })),
    ...fields(endpoint.query, schemas).map((field) => ({ ...field, in: 'query' })),
    ...fields(endpoint.headers, schemas).map((field) => ({ ...field, in: 'header' })),
  ]
  return {
    operationId: name,
    summary: endpoint.summary,
    ...(endpoint.description === undefined ? {} : { description: endpoint.description }),
    tags: [endpoint.category],
    'x-access': endpoint.access,
    security: security(endpoint, path),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBody(endpoint, schemas),
    responses: {
      [statusOf(endpoint)]: success(endpoint, schemas),
      ...failureResponses(endpoint, schemas),
    },
  }
}

function security(endpoint: Endpoint, path: string): Json[] {
  const { access, keyScope } = endpoint
  const byKey = keyScope === undefined ? [] : [{ apiKey: [keyScope] }]
  if (access !== 'public') return [{ bearer: [] }, ...byKey]
  if (takesGuestToken(endpoint, path)) return [{ bearer: [] }, ...byKey, { guestToken: [] }]
  return keyScope === undefined ? [] : [{}, { bearer: [] }, ...byKey]
}

function requestBody({ upload, form, body, resumable }: Endpoint, schemas: Json): Json {
  if (resumable === 'bytes') {
    const content = { 'application/offset+octet-stream': { schema: { type: 'string', format: 'binary' } } }
    return { requestBody: { required: true, content } }
  }
  if (upload) {
    const texts = body ? (toSchema(body, 'input', schemas)['properties'] as Json) : {}
    const file = { type: 'string', format: 'binary', description: upload.description }
    const properties = { [upload.field]: file, ...texts }
    const byUrl = { type: 'object', required: ['url'], properties: texts }
    const content = {
      'multipart/form-data': { schema: { type: 'object', properties } },
      ...('url' in texts ? { 'application/json': { schema: byUrl } } : {}),
    }
    return { requestBody: { required: true, content } }
  }
  if (!body) return {}
  const schema = toSchema(body, 'input', schemas)
  const required = ((schema['required'] as string[] | undefined) ?? []).length > 0
  return { requestBody: { required, content: { [form ? 'multipart/form-data' : 'application/json']: { schema } } } }
}

function success({ response, fileTypes = ['application/x-tar'] }: Endpoint, schemas: Json): Json {
  if (response === 'image') {
    return { description: 'The image', content: { 'image/*': { schema: { type: 'string', format: 'binary' } } } }
  }
  if (response === 'text') return { description: 'Success', content: plainText }
  if (response === 'none') return { description: 'Success, without a body' }
  if (response === 'file') {
    return {
      description: 'The file',
      content: Object.fromEntries(fileTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
    }
  }
  return { description: 'Success', content: { 'application/json': { schema: toSchema(response, 'output', schemas) } } }
}

const plainText = { 'text/plain': { schema: { type: 'string' } } }

function failureResponses(endpoint: Endpoint, schemas: Json): Json {
  const byStatus = new Map<number, Set<string>>()
  for (const code of failuresOf(endpoint)) {
    const { status, text } = failures[code]
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(`${code}: ${text}`))
  }
  const content =
    endpoint.response === 'text' ? plainText : { 'application/json': { schema: failureSchema(endpoint, schemas) } }
  return Object.fromEntries(
    [...byStatus].map(([status, texts]) => [status, { description: [...texts].join('\n\n'), content }]),
  )
}

const failureSchema = ({ failure }: Endpoint, schemas: Json): Json =>
  failure ? toSchema(failure, 'output', schemas) : { $ref: '#/components/schemas/Failure' }

function fields(schema: z.ZodObject | undefined, schemas: Json): Json[] {
  return propertiesOf(schema, schemas).map(({ name, required, schema: { description, ...rest } }) => ({
    name,
    required,
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }))
}
