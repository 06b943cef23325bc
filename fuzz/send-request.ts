// A case on a fixtures becomes a request, and its reply is judged.
import type { Agent } from 'node:http'
import { api } from '../contract/api.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { routes } from '../contract/routes.ts'
import { call, type Reply } from '../faults/client.ts'
import { checkReply } from '../server/testing/check-response.ts'
import { malformed } from '../faults/failure-response.ts'
import { type Body, credentials, type RequestCase } from './request-case.ts'
import type { Fixtures } from './fixtures.ts'

export interface Target {
  url: string
  fixtures: Fixtures
  picture: Buffer
  agent: Agent
  /** An answer that takes longer is a flaw. */
  slowestMs: number
}

const boundary = 'fuzz-7MA4YWxkTrZu0gW'

/** @returns what was wrong, or undefined */
export async function flawOfRequest(
  target: Target,
  one: RequestCase,
  told: (reply: Reply) => void = () => {},
): Promise<string | undefined> {
  const { method, path, headers, body } = requestOf(target, one)
  try {
    const reply = await call(target.url + path, { method, headers, ...(body && { body }), agent: target.agent })
    told(reply)
    const flaw = flawOfReply(method, path, api[one.route], reply)
    if (flaw !== undefined) return `${one.route}: ${flaw}`
    return reply.tookMs > target.slowestMs ? `${one.route} took ${(reply.tookMs / 1000).toFixed(1)} s` : undefined
  } catch (error) {
    return `${one.route}: no answer: ${String(error)}`
  }
}

/** What a body or an address can be refused for before anyone asks which endpoint it is for: no endpoint names these. */
const ofTransport = [
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
/** Full, and space used up, are honest answers among those of 500 and above. */
const honest = [503, 507]

function flawOfReply(method: string, path: string, endpoint: Endpoint, reply: Reply): string | undefined {
  const { status, headers, body } = reply
  if (status >= 500 && !honest.includes(status)) return `${status}: ${body.toString('utf8').slice(0, 200)}`
  if (method === 'HEAD' || status === 304 || status === 204) return undefined
  const isJson = String(headers['content-type']).startsWith('application/json')
  // What another method or a broken address leads to may be plain text or the page.
  if (status >= 400 && endpoint.response !== 'text') {
    const flaw = malformed(reply)
    if (flaw !== undefined) return flaw
  }
  if (!isJson) return undefined
  const answer = JSON.parse(body.toString('utf8')) as { code?: string }
  if (status >= 400 && ofTransport.includes(answer.code ?? '')) return undefined
  try {
    checkReply(method, path, status, answer)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

function requestOf({ fixtures, picture }: Target, one: RequestCase) {
  const fill = (text: string) =>
    text.replace(/«(\w+)»/g, (whole, word: string) => fixtures[word as keyof Fixtures] ?? whole)
  const [ownMethod = '', template = ''] = routes[one.route].split(' ')
  const encode = encoders[one.encoding]
  const path = template.replace(/\{(\w+)\}/g, (_, hole: string) => encode(fill(one.params[hole] ?? '')))
  const search = one.query.map(([name, value]) => `${encode(name)}=${encode(fill(value))}`).join('&')
  const method = one.method ?? ownMethod
  const sent = one.body && bytesOf(one.body, fill, picture)
  const headers: Record<string, string> = {
    'x-forwarded-for': `10.${one.address >> 16}.${(one.address >> 8) & 255}.${one.address & 255}`,
    ...(sent && { 'content-type': sent.type }),
  }
  for (const [name, value] of [...Object.entries(credentials[one.role]), ...one.headers])
    headers[name] = fill(value).replace(/[^\t\x20-\x7e\x80-\xff]/g, '?')
  return { method, path: search === '' ? path : `${path}?${search}`, headers, body: sent?.bytes }
}

/** Half a surrogate pair cannot be written in an address; blanks and control characters no client sends. */
const wellFormed = (text: string) => Buffer.from(text).toString('utf8')
const encoders: Record<RequestCase['encoding'], (text: string) => string> = {
  once: (text) => encodeURIComponent(wellFormed(text)),
  twice: (text) => encodeURIComponent(encodeURIComponent(wellFormed(text))),
  never: (text) => text.replace(/[^\x21-\x7e]|#/g, (character) => encodeURIComponent(wellFormed(character))),
}

function bytesOf(body: Body, fill: (text: string) => string, picture: Buffer): { type: string; bytes: Buffer } {
  if (body.as === 'text') return { type: 'application/json', bytes: Buffer.from(body.text) }
  if (body.as === 'json')
    return { type: 'application/json', bytes: Buffer.from(fill(JSON.stringify(body.value) ?? 'null')) }
  const parts = body.parts.flatMap(({ name, filename, value }) => [
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"${filename === null ? '' : `; filename="${quoted(filename)}"`}\r\n\r\n`,
    ),
    value === '«picture»' ? picture : Buffer.from(fill(value)),
    Buffer.from('\r\n'),
  ])
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
  }
}

/** As browsers write a name into a form. */
const quoted = (name: string) => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
