// What parts ask of the API beside what they measure: JSON out, JSON back.

export interface JsonRequest {
  method?: string
  headers?: Record<string, string>
  body?: object
  /** Default: any that says that it worked. */
  status?: number
}

/** @throws when another status comes, and when there is no answer within five minutes: fetch waits no longer */
export async function requestJson<T>(url: string, path: string, asking: JsonRequest = {}): Promise<T> {
  const { body, method = body === undefined ? 'GET' : 'POST', headers = {}, status } = asking
  const response = await fetch(url + path, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (status === undefined ? !response.ok : response.status !== status)
    throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
  return JSON.parse(text) as T
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
