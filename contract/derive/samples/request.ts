// The sample request of an endpoint, independent of the language it is written in.
import type { EndpointDoc, FieldDoc } from '../endpoint-doc.ts'

export interface SampleOptions {
  /** The origin of the API, without a trailing slash. */
  base: string
  /** A session token or API key; omitted where the endpoint does not accept it. */
  token?: string | undefined
  /** Overrides samples of path parameters, query, headers and body fields, by their names in the catalogue. */
  values?: Record<string, unknown>
  /** Overrides the sample of the whole body. */
  body?: unknown
}

export interface SampleRequest {
  method: string
  url: string
  headers: [name: string, value: string][]
  json?: unknown
  form?: Form
  /** The body is the file as it is. */
  isFile: boolean
  response: EndpointDoc['responseKind']
  status: number
  /** Whether the response is saved to a file; otherwise it is printed. */
  isSaved: boolean
  /** The file name. */
  saveAs: string
}

export interface Form {
  /** The field that carries the file. */
  file?: string
  texts: [name: string, value: string][]
}

/** The file that samples upload. */
export const fileName = 'photo.jpg'
const apiKeyPrefix = 'ik_'

export function requestOf(doc: EndpointDoc, options: SampleOptions): SampleRequest {
  const { values = {} } = options
  const headers = sent(doc.headers, values).map(([name, value]): [string, string] => [name, oneLine(value)])
  const body = bodyOf(doc, options)
  const isFile = doc.bodyKind === 'bytes'
  return {
    method: doc.method,
    url: wellFormed(options.base) + pathOf(doc, values) + queryOf(doc, values),
    headers: [
      ...credential(doc, options, values),
      ...headers,
      ...(body?.json === undefined ? [] : [['Content-Type', 'application/json'] satisfies [string, string]]),
      ...(isFile ? [['Content-Type', 'application/offset+octet-stream'] satisfies [string, string]] : []),
    ],
    ...body,
    isFile,
    response: doc.responseKind,
    status: doc.status,
    isSaved: doc.responseKind === 'image' || doc.responseKind === 'file',
    saveAs: doc.saveAs ?? 'response',
  }
}

function pathOf({ path, params }: EndpointDoc, values: Record<string, unknown>): string {
  const samples = Object.fromEntries(params.map(({ name, sample }) => [name, values[name] ?? sample ?? name]))
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encode(samples[name]))
}

function queryOf({ query }: EndpointDoc, values: Record<string, unknown>): string {
  const pairs = sent(query, values).map((pair) => pair.map(encode).join('='))
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** Optional fields are sent when a value is given. */
function sent(fields: FieldDoc[], values: Record<string, unknown>): [name: string, value: unknown][] {
  return fields
    .map(({ name, required, sample }): [string, unknown] => [name, values[name] ?? (required ? sample : undefined)])
    .filter(([, value]) => value !== undefined && value !== null)
}

function credential(
  { access, keyScope, guestToken }: EndpointDoc,
  { token = '' }: SampleOptions,
  values: Record<string, unknown>,
): [name: string, value: string][] {
  const acceptsApiKey = keyScope !== undefined
  const identifiesCaller = access !== 'public' || acceptsApiKey
  const isAccepted = token !== '' && (acceptsApiKey || !token.startsWith(apiKeyPrefix))
  const isNeeded = access !== 'public' || (guestToken && (values['X-Guest-Token'] ?? '') === '')
  if (identifiesCaller && isAccepted) return [['Authorization', `Bearer ${oneLine(token)}`]]
  return isNeeded ? [['Authorization', `Bearer ${acceptsApiKey ? 'YOUR_API_KEY' : 'YOUR_TOKEN'}`]] : []
}

function bodyOf(
  doc: EndpointDoc,
  { values = {}, body }: SampleOptions,
): Pick<SampleRequest, 'json' | 'form'> | undefined {
  if (doc.bodyKind === 'none' || doc.bodyKind === 'bytes') return undefined
  const whole = withValues(body ?? doc.sampleBody, doc.body, values)
  if (doc.bodyKind === 'json') return whole === undefined ? undefined : { json: cleaned(whole) }
  const file = doc.body.find(({ type }) => type === 'file')?.name
  const texts = Object.entries(whole ?? {})
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]): [string, string] => [name, wellFormed(String(value))])
  return { form: { ...(file === undefined ? {} : { file }), texts } }
}

function withValues(body: unknown, fields: FieldDoc[], values: Record<string, unknown>): unknown {
  const given = fields.filter(({ name, type }) => type !== 'file' && values[name] !== undefined)
  return given.reduce((changed, { name }) => withValue(changed, name.split('.'), values[name]), body)
}

function withValue(body: unknown, [first = '', ...rest]: string[], value: unknown): unknown {
  const object = (body ?? {}) as Record<string, unknown>
  return { ...object, [first]: rest.length === 0 ? value : withValue(object[first], rest, value) }
}

/** Percent-encodes every character that is special in a URL, a shell or a quoted string. */
const encode = (value: unknown) =>
  encodeURIComponent(wellFormed(String(value))).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)

/** Replaces lone surrogates, and NUL, which neither shells nor the server accept. */
const wellFormed = (text: string) => text.replace(/[\p{Surrogate}\0]/gu, '\ufffd')
const oneLine = (value: unknown) => wellFormed(String(value)).replace(/\p{Cc}+/gu, ' ')

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return wellFormed(value)
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [wellFormed(key), cleaned(held)]))
}
