// JSON requests to the API outside of what is measured.

export interface JsonRequest {
  method?: string
  headers?: Record<string, string>
  body?: object
  /** Default: any 2xx. */
  status?: number
}

/**
 * @throws on another status, and if there is no response within five minutes, the timeout of fetch
 */
export async function requestJson<T>(url: string, path: string, request: JsonRequest = {}): Promise<T> {
  const { body, method = body === undefined ? 'GET' : 'POST', headers = {}, status } = request
  const response = await fetch(url + path, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (status === undefined ? !response.ok : response.status !== status)
    throw new Error(`${method} ${path}: ${response.status}: ${text}`)
  return JSON.parse(text) as T
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
