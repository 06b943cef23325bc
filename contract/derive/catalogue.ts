// Documentation data of every endpoint, derived from the contract.
import type { z } from 'zod'
import { allEndpoints } from './all-endpoints.ts'
import { type Endpoint, failuresOf, statusOf, takesGuestToken } from '../endpoints/endpoint.ts'
import type { EndpointDoc, FailureDoc, FieldDoc } from './endpoint-doc.ts'
import { failures } from '../plain/failures.ts'
import { bodyFields, fieldsOf, sampleOf } from './fields.ts'
import { type Json, propertiesOf, toSchema } from './json-schema.ts'

export function buildCatalogue(): EndpointDoc[] {
  return allEndpoints().map(describe)
}

function describe({ name, route, endpoint }: ReturnType<typeof allEndpoints>[number]): EndpointDoc {
  const [method = '', path = ''] = route.split(' ')
  const { summary, description, category, access, keyScope, response, saveAs } = endpoint
  const guestToken = takesGuestToken(endpoint, path)
  return {
    name,
    id: `${method} ${path}`
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/-$/, ''),
    method,
    path,
    summary,
    ...(description === undefined ? {} : { description }),
    category,
    access,
    ...(keyScope === undefined ? {} : { keyScope }),
    guestToken,
    params: rows(endpoint.params).map((field) => ({ ...field, required: true })),
    query: rows(endpoint.query),
    headers: [...rows(endpoint.headers).map(capitalized), ...(guestToken ? [guestTokenHeader] : [])],
    ...bodyOf(endpoint),
    status: statusOf(endpoint),
    responseKind: typeof response === 'string' ? response : 'json',
    ...(saveAs === undefined ? {} : { saveAs }),
    ...(typeof response === 'string' ? {} : { sampleResponse: sampleResponse(response) }),
    failures: failureDocs(endpoint),
  }
}

function rows(schema: z.ZodObject | undefined): FieldDoc[] {
  const schemas: Json = {}
  return fieldsOf(propertiesOf(schema, schemas), schemas)
}

/** The contract has header names in lower case, the documentation shows them capitalized. */
const capitalized = (field: FieldDoc): FieldDoc => ({
  ...field,
  name: field.name.replace(/\b(?:db\b|[a-z])/g, (letters) => letters.toUpperCase()),
})

const guestTokenHeader: FieldDoc = {
  name: 'X-Guest-Token',
  type: 'string',
  description: 'delete_token of a guest image, instead of a login',
  required: false,
}

function bodyOf({ body, upload, form, resumable }: Endpoint): Pick<EndpointDoc, 'body' | 'bodyKind' | 'sampleBody'> {
  if (resumable === 'bytes') {
    const bytes = { name: 'bytes', type: 'file', description: 'The bytes from Upload-Offset on', required: true }
    return { body: [bytes], bodyKind: 'bytes' }
  }
  if (!body && !upload) return { body: [], bodyKind: 'none' }
  const schemas: Json = {}
  const schema = body ? toSchema(body, 'input', schemas) : {}
  const file = { name: upload?.field ?? '', type: 'file', description: upload?.description ?? '', required: true }
  const sample = body ? sampleOf(schema, schemas) : {}
  return {
    body: [...(upload ? [file] : []), ...(body ? bodyFields(schema, schemas) : [])],
    bodyKind: upload || form ? 'multipart' : 'json',
    ...(isEmpty(sample) ? {} : { sampleBody: sample }),
  }
}

const isEmpty = (sample: unknown) => typeof sample === 'object' && sample !== null && Object.keys(sample).length === 0

function sampleResponse(response: z.ZodType): unknown {
  const schemas: Json = {}
  return sampleOf(toSchema(response, 'output', schemas), schemas)
}

const failureDocs = (endpoint: Endpoint): FailureDoc[] =>
  failuresOf(endpoint)
    .map((code) => ({ status: failures[code].status, code, text: failures[code].text }))
    .toSorted((a, b) => a.status - b.status)
