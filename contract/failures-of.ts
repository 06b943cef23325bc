// Every failure that an endpoint may answer: its own, and those that follow from what it is.
import { asksWho, type Endpoint } from './endpoint.ts'
import type { FailureCode } from './failures.ts'

export function failuresOf(endpoint: Endpoint): FailureCode[] {
  const { access, acceptsApiKey, params, query, headers, body, form, upload, reply } = endpoint
  const isIdentified = asksWho(endpoint)
  const codes: [applies: unknown, codes: FailureCode[]][] = [
    [true, ['internal', 'storage_unavailable']],
    [params ?? query ?? headers ?? body, ['invalid_input']],
    [body && !upload && !form, ['malformed_json', 'body_too_large', 'unsupported_body']],
    [isIdentified, ['invalid_token', 'inactive_account']],
    [reply !== 'image', ['too_many_requests']],
    [isIdentified && !acceptsApiKey, ['api_key_not_enough']],
    [access !== 'public', ['authentication_required']],
    [access === 'admin', ['forbidden']],
    [true, [...endpoint.failures]],
  ]
  return [...new Set(codes.flatMap(([applies, given]) => (applies ? given : [])))]
}
