// Requests to the API of a server as another person or a program sends them: no page takes part.
import { setTimeout as sleep } from 'node:timers/promises'
import { jpeg } from './e2e-images.ts'

interface Call {
  method?: string
  body?: object
  token?: string
  headers?: Record<string, string>
}

/** By POST when there is a body. */
export function callApi(
  site: string,
  path: string,
  { body, method = body === undefined ? 'GET' : 'POST', token = '', headers = {} }: Call = {},
): Promise<Response> {
  return fetch(site + path, {
    method,
    headers: {
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

export async function tokenOf(
  site: string,
  path: 'login' | 'register',
  account: { email: string; password: string },
): Promise<string> {
  const answer = await callApi(site, `/api/${path}`, { body: account })
  return ((await answer.json()) as { token: string }).token
}

/**
 * Waits as often as a busy server asks for it: the machine may be slow.
 * @param fields precede the file, which the server reads last
 */
export async function uploadTo(
  site: string,
  {
    token = '',
    name = 'harbour.jpg',
    bytes,
    fields = {},
    headers: more = {},
  }: Pick<Call, 'token' | 'headers'> & { name?: string; bytes?: Buffer; fields?: Record<string, string> } = {},
): Promise<Response> {
  const body = new FormData()
  for (const [field, value] of Object.entries(fields)) body.set(field, value)
  body.set('image', new Blob([new Uint8Array(bytes ?? (await jpeg()))], { type: 'image/jpeg' }), name)
  const headers = { ...(token !== '' && { authorization: `Bearer ${token}` }), ...more }
  for (let tries = 1; ; tries++) {
    const response = await fetch(`${site}/api/upload`, { method: 'POST', headers, body })
    const isBusy = response.status === 503 && response.headers.has('retry-after')
    if (!isBusy || tries === 20) return response
    await sleep(Number(response.headers.get('retry-after')) * 1000)
  }
}
