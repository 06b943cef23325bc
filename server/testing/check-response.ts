// Validates every response of the API tests against the contract: an undocumented response fails
// its test.
import { api } from '../../contract/endpoints/api.ts'
import { type Endpoint, failuresOf, statusOf } from '../../contract/endpoints/endpoint.ts'
import { failures } from '../../contract/plain/failures.ts'
import { type RouteName, routes } from '../../contract/plain/routes.ts'

const patterns = Object.entries(routes).map(([name, route]) => {
  const [method, path = ''] = route.split(' ')
  // Fixed segments match before placeholders: /api/users/stats is not the user "stats".
  const placeholders = path.match(/\{/g)?.length ?? 0
  return {
    method,
    name: name as RouteName,
    placeholders,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }
})

/** @throws when the contract does not declare this response for the endpoint */
export function checkResponse(method: string, url: string, status: number, body: unknown): void {
  const path = new URL(url, 'http://x').pathname
  const [found] = patterns
    .filter((route) => route.method === method && route.pattern.test(path))
    .toSorted((a, b) => a.placeholders - b.placeholders)
  if (!found) return
  const endpoint: Endpoint = api[found.name]
  if (status < 400) checkSuccess(found.name, endpoint, status, body)
  else if (endpoint.response !== 'text') checkFailure(found.name, endpoint, status, body)
}

function checkSuccess(name: RouteName, endpoint: Endpoint, status: number, body: unknown): void {
  const { response, resumable } = endpoint
  const expected = statusOf(endpoint)
  if (typeof response === 'string') return
  // The response to bytes before the last one.
  if (resumable === 'bytes' && status === 204) return
  if (status !== expected) throw new Error(`${name} responded ${status} instead of ${expected}`)
  const result = response.safeParse(body)
  if (!result.success) throw new Error(`${name} responded with a body outside the contract: ${result.error.message}`)
}

function checkFailure(name: RouteName, endpoint: Endpoint, status: number, body: unknown): void {
  const { code } = body as { code?: keyof typeof failures }
  if (code === undefined || !(code in failures))
    throw new Error(`${name} failed without a code: ${JSON.stringify(body)}`)
  if (failures[code].status !== status) throw new Error(`${name} responded with ${code} and status ${status}`)
  if (!failuresOf(endpoint).includes(code))
    throw new Error(`${name} responded with ${code}, which its contract does not declare`)
}
