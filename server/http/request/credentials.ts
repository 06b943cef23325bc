// The credential of a request, from every place where clients send one (docs/decisions/0037).
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Credential } from '../../domain/accounts/sessions.ts'
import { Failure } from '../../domain/shared/failure.ts'

/** Header, query and form names that other hosts use for an API key. */
const keyHeaders = ['x-api-key', 'token', 'key']
const keyFields = ['key', 'token']

/**
 * Returns the credential in the headers, also in an Authorization without a scheme or with that of
 * another host. A `Client-ID` that is no key identifies an application, so its user is a guest.
 * @throws {Failure} api_key_unknown
 */
export function headerCredential({ headers }: FastifyRequest): Credential | undefined {
  const { authorization = '' } = headers
  if (authorization !== '') {
    const bearer = /^Bearer ([\w.-]{1,2000})$/i.exec(authorization)?.[1]
    if (bearer !== undefined) return isKey(bearer) ? { key: bearer, isInUrl: false } : { session: bearer }
    const [, scheme = '', value = ''] = /^(?:(Api-Key|Client-ID) )?([\w.-]{1,2000})$/i.exec(authorization) ?? []
    if (scheme.toLowerCase() !== 'client-id' || isKey(value)) return keyIn(value, false)
  }
  const sent = keyHeaders.map((name) => headers[name]).find((value) => value !== undefined && value !== '')
  return sent === undefined ? undefined : keyIn(sent, false)
}

/** Returns the key in the path or the query. @throws {Failure} api_key_unknown */
export function urlCredential(request: FastifyRequest): Credential | undefined {
  const key = pathKeys.get(request.raw) ?? fieldIn(request.query as Record<string, unknown>)
  return key === undefined ? undefined : keyIn(key, true)
}

/** Returns the key in the fields of a form or a JSON body. @throws {Failure} api_key_unknown */
export function formCredential(fields: Record<string, unknown>): Credential | undefined {
  const key = fieldIn(fields)
  return key === undefined ? undefined : keyIn(key, false)
}

const fieldIn = (fields: Record<string, unknown>) =>
  keyFields.map((name) => fields[name]).find((value) => value !== undefined && value !== '')

/** Only keys: a session token is accepted as Bearer only. @throws {Failure} api_key_unknown */
function keyIn(value: unknown, isInUrl: boolean): Credential {
  if (typeof value !== 'string' || !isKey(value)) throw new Failure('api_key_unknown')
  return { key: value, isInUrl }
}

const isKey = (value: string) => /^ik_\w{1,100}$/.test(value)

const pathKeys = new WeakMap<IncomingMessage, string>()

/**
 * Takes the key from a path `/k/{key}/…`, for clients that can be given an address only.
 * @returns the rest of the URL, which is routed
 */
export function adoptPathKey(raw: IncomingMessage): string {
  const { url = '/' } = raw
  const found = /^\/k\/([^/?]*)(\/.*)$/i.exec(url)
  if (!found) return url
  pathKeys.set(raw, found[1] ?? '')
  return found[2] ?? '/'
}
