// The declaration of one endpoint. Validation, handler types, OpenAPI, documentation and client derive from it.
import type { z } from 'zod'
import type { FailureCode } from '../plain/failures.ts'
import type { Scope } from '../plain/scopes.ts'

/** Who may call: anyone, a signed-in user, or an admin. */
export type Access = 'public' | 'user' | 'admin'
export type Category = keyof typeof categories

export const categories = {
  auth: 'Accounts: registration, login, your own account; user management for admins',
  database: 'Statistics, audit log, backups and cleanup for admins; the database browser, protected by a PIN',
  images: 'Upload, list, extend, delete and analyze images; originals and variants',
  albums: 'Albums, their members, and links that share albums and images',
  'api-keys': 'API keys for uploading and managing images from your own code',
  webhooks: 'Webhooks: signed requests to your own server when something happens to your images',
  contact: 'The contact form, compatible with the EmailJS API',
  compatibility: 'Uploads from clients of Chevereto, imgbb, Imgur, Lsky Pro, PicGo, PicList, Zipline and Slink',
}

export interface Endpoint {
  summary: string
  description?: string
  category: Category
  access: Access
  /** An API key with this scope authenticates its user here. Without it, API keys are refused. */
  keyScope?: Scope
  /** Callers from blocked networks are refused, with and without an account. */
  refusesBlockedNetworks?: true
  /** Sessions without the second factor that REQUIRE_2FA demands are accepted. */
  worksWithoutFactor?: true
  params?: z.ZodObject
  query?: z.ZodObject
  /** Request headers that the endpoint reads, in lower case. */
  headers?: z.ZodObject
  /** JSON body. With `upload`, the text fields of the multipart form. */
  body?: z.ZodObject | z.ZodUnion
  /** Of a JSON body. Default: limits.json.maxBodyBytes. */
  maxBodyBytes?: number
  /**
   * The body comes as the text fields of a multipart form, without a file. `true`: not from pages of
   * other origins. 'any origin': a field is a credential.
   */
  form?: true | 'any origin'
  /** The name of the multipart field that carries the file. The field `url` of form or JSON body can name it instead. */
  upload?: { field: string; description: string }
  /** Handled by the tus library (server/http/uploads/tus). The body: none, or bytes of the file. */
  resumable?: 'none' | 'bytes'
  /** PROOF_OF_WORK may demand a proof of callers without an account, in X-Proof-Of-Work. */
  proofOfWork?: true
  /** Of a success. Default: 200. */
  status?: 201 | 204
  /**
   * The schema of a JSON response, or the kind of another one. 'image': image bytes. 'text': plain text, failures too, for a
   * client of another service. 'file': the bytes of a download. 'none': no body.
   */
  response: z.ZodType | 'image' | 'text' | 'file' | 'none'
  /** The schema of a failure. Default: `error` and `code`. */
  failure?: z.ZodType
  /** File name under which samples save those bytes. */
  saveAs?: string
  /** Media types of a 'file'. Default: a tar archive. */
  fileTypes?: readonly string[]
  /** In addition to those of {@link failuresOf}. Default: none. */
  failures?: readonly FailureCode[]
}

export const endpoint = <const E extends Endpoint>(e: E): E => e

export const statusOf = ({ status }: Endpoint): number => status ?? 200

/** Whether the endpoint identifies its caller. Otherwise credentials are ignored, and expired ones are not rejected. */
export const identifiesCaller = ({ access, keyScope }: Endpoint): boolean =>
  access !== 'public' || keyScope !== undefined

/** Whether the guest token of an image is accepted instead of a login. */
export const takesGuestToken = ({ access, keyScope, resumable }: Endpoint, path: string): boolean =>
  access === 'public' && keyScope !== undefined && resumable === undefined && path.includes('{id}')

/** All failures of an endpoint: those it declares, and those that follow from its declaration. */
export function failuresOf(endpoint: Endpoint): FailureCode[] {
  const { access, keyScope, params, query, headers, body, form, upload, resumable, proofOfWork, response } = endpoint
  const { refusesBlockedNetworks, worksWithoutFactor } = endpoint
  const isIdentified = identifiesCaller(endpoint)
  const codes: [applies: unknown, codes: FailureCode[]][] = [
    [true, ['internal', 'storage_unavailable']],
    [params ?? query ?? headers ?? body, ['invalid_input']],
    [body && !upload && !form, ['malformed_json', 'body_too_large', 'unsupported_body']],
    [body ?? form ?? upload ?? resumable, ['request_timeout']],
    [isIdentified, ['invalid_token', 'api_key_unknown', 'api_key_expired', 'inactive_account']],
    [response !== 'image', ['too_many_requests']],
    [proofOfWork, ['proof_of_work_required']],
    [isIdentified && keyScope === undefined, ['api_key_not_enough']],
    [isIdentified && !worksWithoutFactor, ['second_factor_missing']],
    [keyScope, ['api_key_scope']],
    [refusesBlockedNetworks, ['address_blocked']],
    [access !== 'public', ['authentication_required']],
    [access === 'admin', ['forbidden']],
    [true, [...(endpoint.failures ?? [])]],
  ]
  return [...new Set(codes.flatMap(([applies, given]) => (applies ? given : [])))]
}

/** The validated input of a handler. */
export type InputOf<E extends Endpoint> = {
  params: E['params'] extends z.ZodType ? z.output<E['params']> : undefined
  query: E['query'] extends z.ZodType ? z.output<E['query']> : undefined
  headers: E['headers'] extends z.ZodType ? z.output<E['headers']> : undefined
  body: E['body'] extends z.ZodType ? z.output<E['body']> : undefined
}

/** The request that a client sends. */
export type RequestOf<E extends Endpoint> = (E['params'] extends z.ZodType
  ? { params: z.input<E['params']> }
  : { params?: undefined }) &
  (E['query'] extends z.ZodType ? { query?: QueryOf<z.input<E['query']>> } : { query?: undefined }) &
  (E['body'] extends z.ZodType ? { body: z.input<E['body']> } : { body?: undefined }) &
  (E['headers'] extends z.ZodType ? { headers?: z.input<E['headers']> } : { headers?: undefined })

/** In a URL a number is a text. */
type QueryOf<Q> = { [K in keyof Q]: string extends Q[K] ? Q[K] | number : Q[K] }

/** The body of a successful response. */
export type ResponseOf<E extends Endpoint> = E['response'] extends z.ZodType
  ? z.output<E['response']>
  : E['response'] extends 'text'
    ? string
    : never
