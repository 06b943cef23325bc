// Sends a case, with the fixtures filled in, and checks the response.
import { api } from '../contract/endpoints/api.ts'
import type { Endpoint } from '../contract/endpoints/endpoint.ts'
import { routes } from '../contract/plain/routes.ts'
import { call, type CallResponse } from '../faults/client.ts'
import { checkResponse } from '../server/testing/check-response.ts'
import { malformed } from '../faults/failure-response.ts'
import { type Body, credentials, type RequestCase } from './request-case.ts'
import type { Fixtures } from './fixtures.ts'

export interface Target {
  url: string
  fixtures: Fixtures
  image: Buffer
  /** A response that takes longer is a violation. */
  slowestMs: number
}

const boundary = 'fuzz-7MA4YWxkTrZu0gW'

/** @returns the violation, or undefined */
export async function violationOfRequest(
  target: Target,
  one: RequestCase,
  onResponse: (reply: CallResponse) => void = () => {},
): Promise<string | undefined> {
  const { method, path, headers, body } = requestOf(target, one)
  try {
    const reply = await call(target.url + path, { method, headers, ...(body && { body }) })
    onResponse(reply)
    const violation = violationOfResponse(method, path, api[one.route], reply)
    if (violation !== undefined) return `${one.route}: ${violation}`
    return reply.tookMs > target.slowestMs ? `${one.route} took ${(reply.tookMs / 1000).toFixed(1)} s` : undefined
  } catch (error) {
    return `${one.route}: no response: ${String(error)}`
  }
}

/**
 * Failures of bodies and URLs that any endpoint can have, because they are detected before routing:
 * no endpoint declares them.
 */
const transportFailures = [
  'malformed_json',
  'unsupported_body',
  'body_too_large',
  'invalid_input',
  'endpoint_not_found',
  'malformed_request',
  'head_too_large',
  'expectation_failed',
  'request_timeout',
]
/** The only valid statuses from 500 on: overload and insufficient storage. */
const validServerErrors = [503, 507]

function violationOfResponse(
  method: string,
  path: string,
  endpoint: Endpoint,
  reply: CallResponse,
): string | undefined {
  const { status, headers, body } = reply
  if (status >= 500 && !validServerErrors.includes(status)) return `${status}: ${body.toString('utf8').slice(0, 200)}`
  if (method === 'HEAD' || status === 304 || status === 204) return undefined
  const type = String(headers['content-type'])
  const isJson = type.startsWith('application/json')
  // An upload responds in plain text when its client wants that (server/http/uploads/upload-response-format.ts).
  const isText = endpoint.response === 'text' || (endpoint.upload !== undefined && type.startsWith('text/plain'))
  // Other methods and malformed URLs may lead to plain text or the page.
  if (status >= 400 && !isText) {
    const violation = malformed(reply)
    if (violation !== undefined) return violation
  }
  if (!isJson) return undefined
  const json = JSON.parse(body.toString('utf8')) as { code?: string }
  if (status >= 400 && transportFailures.includes(json.code ?? '')) return undefined
  try {
    checkResponse(method, path, status, json)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

function requestOf({ fixtures, image }: Target, one: RequestCase) {
  const substitute = (text: string) =>
    text.replace(/«(\w+)»/g, (whole, name: string) => fixtures[name as keyof Fixtures] ?? whole)
  const [ownMethod = '', template = ''] = routes[one.route].split(' ')
  const encode = encoders[one.encoding]
  const path = template.replace(/\{(\w+)\}/g, (_, parameter: string) => encode(substitute(one.params[parameter] ?? '')))
  const search = one.query.map(([name, value]) => `${encode(name)}=${encode(substitute(value))}`).join('&')
  const method = one.method ?? ownMethod
  const sent = one.body && bytesOf(one.body, substitute, image)
  const headers: Record<string, string> = {
    'x-forwarded-for': `10.${one.address >> 16}.${(one.address >> 8) & 255}.${one.address & 255}`,
    ...(sent && { 'content-type': sent.type }),
  }
  for (const [name, value] of [...Object.entries(credentials[one.role]), ...one.headers])
    headers[name] = substitute(value).replace(/[^\t\x20-\x7e\x80-\xff]/g, '?')
  return { method, path: search === '' ? path : `${path}?${search}`, headers, body: sent?.bytes }
}

/**
 * Lone surrogates cannot be percent-encoded, and no client sends blanks and control characters in a
 * URL.
 */
const wellFormed = (text: string) => Buffer.from(text).toString('utf8')
const encoders: Record<RequestCase['encoding'], (text: string) => string> = {
  once: (text) => encodeURIComponent(wellFormed(text)),
  twice: (text) => encodeURIComponent(encodeURIComponent(wellFormed(text))),
  never: (text) => text.replace(/[^\x21-\x7e]|#/g, (character) => encodeURIComponent(wellFormed(character))),
}

function bytesOf(body: Body, substitute: (text: string) => string, image: Buffer): { type: string; bytes: Buffer } {
  if (body.as === 'text') return { type: 'application/json', bytes: Buffer.from(body.text) }
  if (body.as === 'json')
    return { type: 'application/json', bytes: Buffer.from(substitute(JSON.stringify(body.value) ?? 'null')) }
  const parts = body.parts.flatMap(({ name, filename, value }) => [
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"${filename === null ? '' : `; filename="${quoted(filename)}"`}\r\n\r\n`,
    ),
    value === '«picture»' ? image : Buffer.from(substitute(value)),
    Buffer.from('\r\n'),
  ])
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
  }
}

/** Escapes a name in a form as browsers do. */
const quoted = (name: string) => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
