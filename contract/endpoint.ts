// What one endpoint is. Everything else about it (validation, handler types, OpenAPI, docs rows, client) is derived.
import type { z } from 'zod'
import type { FailureCode } from './failures.ts'

/** Who may call: anyone, whoever is signed in, or an admin. */
export type Access = 'public' | 'user' | 'admin'
export type Category = keyof typeof categories

export const categories = {
  auth: 'Accounts: register, log in, your own account; for admins all accounts',
  database: 'For admins figures, backups and cleanup; the database browser behind its PIN',
  images: 'Upload, list, extend, delete and analyze images, and every size of their bytes',
  'api-keys': 'Keys with which your own code uploads and manages your images',
  contact: 'The contact form, in the shape that the EmailJS client speaks',
}

export interface Endpoint {
  summary: string
  description?: string
  category: Category
  access: Access
  /** An API key may stand for its user here. Default deny: keys upload and manage images, nothing more. */
  acceptsApiKey?: true
  params?: z.ZodObject
  query?: z.ZodObject
  /** Request headers that mean something here, in lower case. */
  headers?: z.ZodObject
  /** JSON body. With `upload`, the text fields of the multipart form. */
  body?: z.ZodObject | z.ZodUnion
  /** The body comes as the text fields of a multipart form, without a file. */
  form?: true
  /** The name of the multipart field that carries the file. */
  upload?: { field: string; description: string }
  status: 200 | 201
  /**
   * The JSON reply, or 'image' where the bytes of a picture are the reply. 'text': plain text, refusals too, as the client of
   * another service reads it. 'file': the bytes of a file to be saved.
   */
  reply: z.ZodType | 'image' | 'text' | 'file'
  /** The name that the documentation's samples save those bytes under. */
  saveAs?: string
  failures: readonly FailureCode[]
}

export const endpoint = <const E extends Endpoint>(e: E): E => e

/** Whether it matters who calls. Where it does not, no credential is looked at, and none that has ended is refused. */
export const asksWho = ({ access, acceptsApiKey }: Endpoint): boolean => access !== 'public' || acceptsApiKey === true

/** Whether the guest token of an image may stand for a login. */
export const takesGuestToken = ({ access, acceptsApiKey }: Endpoint, path: string): boolean =>
  access === 'public' && acceptsApiKey === true && path.includes('{id}')

/** What a handler is given, after validation. */
export type InputOf<E extends Endpoint> = {
  params: E['params'] extends z.ZodType ? z.output<E['params']> : undefined
  query: E['query'] extends z.ZodType ? z.output<E['query']> : undefined
  headers: E['headers'] extends z.ZodType ? z.output<E['headers']> : undefined
  body: E['body'] extends z.ZodType ? z.output<E['body']> : undefined
}

/** What a client sends. */
export type RequestOf<E extends Endpoint> = (E['params'] extends z.ZodType
  ? { params: z.input<E['params']> }
  : { params?: undefined }) &
  (E['query'] extends z.ZodType ? { query?: z.input<E['query']> } : { query?: undefined }) &
  (E['body'] extends z.ZodType ? { body: z.input<E['body']> } : { body?: undefined }) &
  (E['headers'] extends z.ZodType ? { headers?: z.input<E['headers']> } : { headers?: undefined })

/** What an endpoint answers when it succeeds. */
export type ReplyOf<E extends Endpoint> = E['reply'] extends z.ZodType
  ? z.output<E['reply']>
  : E['reply'] extends 'text'
    ? string
    : never
