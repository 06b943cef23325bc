// What the documentation shows of an endpoint. Free of zod, so that the page can have the types.
import type { Access, Category } from './endpoint.ts'
import type { RouteName } from './routes.ts'

export interface FieldDoc {
  /** Of a field within another one: `template_params.name`, and `images[].id` within a list. '*' is any name. */
  name: string
  /** 'string', 'integer', 'one of user, admin', 'array of object' and so on; 'file' in forms. */
  type: string
  description?: string
  required: boolean
  /** Missing where calls are better made without the field. */
  sample?: unknown
}

export interface FailureDoc {
  status: number
  code: string
  /** With its holes in braces, as in failures.ts. */
  text: string
}

export interface EndpointDoc {
  name: RouteName
  /** Of method and path, for addresses: 'post-api-upload'. */
  id: string
  method: string
  path: string
  summary: string
  description?: string
  category: Category
  access: Access
  acceptsApiKey: boolean
  /** The guest token of an image may stand for a login. */
  guestToken: boolean
  params: FieldDoc[]
  query: FieldDoc[]
  /** Besides Authorization and Content-Type. */
  headers: FieldDoc[]
  body: FieldDoc[]
  bodyKind: 'none' | 'json' | 'multipart'
  /** A whole body that is accepted: of a form, its text fields. Missing where calls are better made without a body. */
  sampleBody?: unknown
  /** Of the success. */
  status: number
  replyKind: 'json' | 'image' | 'text' | 'file'
  /** The name that samples save the reply's bytes under. */
  saveAs?: string
  /** Of a JSON reply. */
  sampleReply?: unknown
  failures: FailureDoc[]
}
