import http from 'node:http'
import type { FastifyError } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { toFailure } from './errors.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

describe('a refusal', () => {
  const json = { 'content-type': 'application/json' }
  const cases: [what: string, method: string, path: string, options: object, status: number, code: string][] = [
    ['an unknown path', 'GET', '/api/nothing', {}, 404, 'endpoint_not_found'],
    ['an unknown path under uploads', 'GET', '/uploads/', {}, 404, 'image_not_found'],
    ['a wrong method', 'PUT', '/api/upload', {}, 405, 'method_not_allowed'],
    ['broken JSON', 'POST', '/api/login', { body: '{"email":' }, 400, 'malformed_json'],
    [
      'JSON that reaches for the prototype',
      'POST',
      '/api/login',
      { body: '{"__proto__":{"x":1}}' },
      400,
      'malformed_json',
    ],
    ['a body over 1 MB', 'POST', '/api/login', { body: `"${'x'.repeat(1024 * 1024 + 1)}"` }, 413, 'body_too_large'],
    [
      'a form where JSON is wanted',
      'POST',
      '/api/login',
      { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'unsupported_body',
    ],
    [
      'text where JSON is wanted',
      'POST',
      '/api/login',
      { body: 'a', headers: { 'content-type': 'text/plain' } },
      415,
      'unsupported_body',
    ],
    ['an address that cannot be decoded', 'GET', '/api/thumbnail/%zz/400', {}, 400, 'invalid_input'],
    ['a NUL in an address', 'GET', '/uploads/%00', {}, 400, 'invalid_input'],
    [
      'a NUL in a text',
      'POST',
      '/api/login',
      { body: { email: 'a\0@example.com', password: 'x' } },
      400,
      'invalid_input',
    ],
    ['an empty body', 'POST', '/api/login', { headers: json }, 400, 'invalid_input'],
  ]
  it.each(cases)('of %s is a clear text and a code', async (_, method, path, options, status, code) => {
    const answer = await app.call(method, path, options)
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(answer.body.error).toMatch(/\S/)
    expect(Object.keys(answer.body)).toEqual(['error', 'code'])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
  })

  it.each(['/api/login', '/api/nothing', '/', '/healthz', '/uploads/a.png'])(
    'of any method there is, at %s, is no fault of ours',
    async (path) => {
      // CONNECT asks for no path.
      for (const method of http.METHODS.filter((name) => name !== 'CONNECT')) {
        for (const headers of [{}, json, { 'content-type': '' }]) {
          const status = await statusOf(method, path, headers)
          expect(status, `${method} ${JSON.stringify(headers)}`).toBeLessThan(500)
        }
      }
      const known = path === '/api/login' ? 405 : path === '/api/nothing' ? 404 : undefined
      if (known) expect(await statusOf('QUERY', path, {})).toBe(known)
    },
  )

  it("that the framework has no other word for is the request's own", () => {
    const error = Object.assign(new Error('Too long'), { code: 'FST_ERR_MAX_PARAM_LENGTH', statusCode: 414 })
    expect(toFailure(error as FastifyError)).toMatchObject({ code: 'malformed_request', status: 400 })
    const ours = Object.assign(new Error('Sent twice'), { code: 'FST_ERR_REP_ALREADY_SENT', statusCode: 500 })
    expect(toFailure(ours as FastifyError)).toBe(ours)
  })

  it('says which methods there are', async () => {
    expect((await app.call('DELETE', '/api/images')).headers.get('allow')).toBe('GET, HEAD')
  })

  it('of a fault of ours tells the request id and nothing else', async () => {
    const broken = await startTestApp()
    try {
      await broken.deps.db.schema.alterTable('sessions').renameTo('elsewhere').execute()
      const { status, body, headers } = await broken.call('POST', '/api/register', {
        body: { email: 'a@example.com', password: 'secret' },
      })
      expect([status, body.code]).toEqual([500, 'internal'])
      expect(body.error).toContain(headers.get('x-request-id'))
      expect(body.error).not.toMatch(/sessions|SQL/i)
      expect(JSON.stringify(broken.logged)).toContain('sessions')
    } finally {
      await broken.stop()
    }
  })
})

function statusOf(method: string, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.request(new URL(path, app.url), { method, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    request.on('error', reject)
    request.end()
  })
}

describe('the address in replies', () => {
  it('is the one of the request, but never a hostile Host', async () => {
    const link = (host: string) =>
      new Promise<string>((resolve, reject) => {
        const request = http.get(new URL('/api/openapi.json', app.url), { headers: { host } }, (response) => {
          let text = ''
          response.on('data', (part) => (text += part))
          response.on('end', () => resolve(JSON.parse(text).servers[0].url))
        })
        request.on('error', reject)
      })
    expect(await link('img.example.com:8080')).toBe('http://img.example.com:8080')
    expect(await link('evil.example/"><script>')).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  })

  it('is PUBLIC_URL when it is set', async () => {
    const named = await startTestApp({ PUBLIC_URL: 'https://img.example.com/' })
    try {
      expect((await named.call('GET', '/api/openapi.json')).body.servers).toEqual([{ url: 'https://img.example.com' }])
    } finally {
      await named.stop()
    }
  })
})

describe('other origins', () => {
  it('may use pictures, and the API only when they are named', async () => {
    const preflight = (to: TestApp) =>
      to.request('/api/me', {
        method: 'OPTIONS',
        headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' },
      })
    expect((await preflight(app)).headers.get('access-control-allow-origin')).toBe(null)
    const open = await startTestApp({ CORS_ORIGINS: 'https://app.example' })
    try {
      const answer = await preflight(open)
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, 'https://app.example'])
    } finally {
      await open.stop()
    }
  })
})

describe('health', () => {
  it('tells that the process answers and can work', async () => {
    expect(await app.call('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(await app.call('GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
  })
})
