// Documentation of one endpoint, as data. Without zod, so that the page can import the types.
import type { Access, Category } from '../endpoints/endpoint.ts'
import type { EndpointName } from './all-endpoints.ts'
import type { Scope } from '../plain/scopes.ts'

export interface FieldDoc {
  /** Nested fields have a path: `template_params.name`, and `images[].id` in a list. '*' is any name. */
  name: string
  /** 'string', 'integer', 'one of user, admin', 'array of object' and so on; 'file' in forms. */
  type: string
  description?: string
  required: boolean
  /** Absent when sample requests omit the field. */
  sample?: unknown
}

export interface FailureDoc {
  status: number
  code: string
  /** With its placeholders in braces, as in contract/plain/failures.ts. */
  text: string
}

export interface EndpointDoc {
  name: EndpointName
  /** Made of method and path, for URLs: 'post-api-upload'. */
  id: string
  method: string
  path: string
  summary: string
  description?: string
  category: Category
  access: Access
  /** The scope that an API key needs. Absent: API keys are refused. */
  keyScope?: Scope
  /** Accepts the guest token of an image instead of a login. */
  guestToken: boolean
  params: FieldDoc[]
  query: FieldDoc[]
  /** Other than Authorization and Content-Type. */
  headers: FieldDoc[]
  body: FieldDoc[]
  /** 'bytes': a file as it is, as application/offset+octet-stream. */
  bodyKind: 'none' | 'json' | 'multipart' | 'bytes'
  /** A complete valid body; of a form, its text fields. Absent when sample requests have no body. */
  sampleBody?: unknown
  /** Of a successful response. */
  status: number
  responseKind: 'json' | 'image' | 'text' | 'file' | 'none'
  /** File name under which samples save the response body. */
  saveAs?: string
  /** Of a JSON response. */
  sampleResponse?: unknown
  failures: FailureDoc[]
}
