// All failures of an endpoint: those it declares, and those that follow from its declaration.
import { identifiesCaller, type Endpoint } from './endpoint.ts'
import type { FailureCode } from './failures.ts'

export function failuresOf(endpoint: Endpoint): FailureCode[] {
  const { access, acceptsApiKey, params, query, headers, body, form, upload, response } = endpoint
  const isIdentified = identifiesCaller(endpoint)
  const codes: [applies: unknown, codes: FailureCode[]][] = [
    [true, ['internal', 'storage_unavailable']],
    [params ?? query ?? headers ?? body, ['invalid_input']],
    [body && !upload && !form, ['malformed_json', 'body_too_large', 'unsupported_body']],
    [body ?? form ?? upload, ['request_timeout']],
    [isIdentified, ['invalid_token', 'inactive_account']],
    [response !== 'image', ['too_many_requests']],
    [isIdentified && !acceptsApiKey, ['api_key_not_enough']],
    [access !== 'public', ['authentication_required']],
    [access === 'admin', ['forbidden']],
    [true, [...endpoint.failures]],
  ]
  return [...new Set(codes.flatMap(([applies, given]) => (applies ? given : [])))]
}
