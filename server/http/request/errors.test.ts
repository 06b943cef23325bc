import http from 'node:http'
import type { FastifyError } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Failure } from '../../domain/shared/failure.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'
import { toFailure } from './errors.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

describe('an error response', () => {
  const json = { 'content-type': 'application/json' }
  const cases: [what: string, method: string, path: string, options: object, status: number, code: string][] = [
    ['an unknown path', 'GET', '/api/nothing', {}, 404, 'endpoint_not_found'],
    ['an unknown path under uploads', 'GET', '/uploads/', {}, 404, 'image_not_found'],
    ['a wrong method', 'PUT', '/api/upload', {}, 405, 'method_not_allowed'],
    ['broken JSON', 'POST', '/api/login', { body: '{"email":' }, 400, 'malformed_json'],
    ['JSON with a __proto__ key', 'POST', '/api/login', { body: '{"__proto__":{"x":1}}' }, 400, 'malformed_json'],
    ['a body over 64 KiB', 'POST', '/api/login', { body: `"${'x'.repeat(64 * 1024)}"` }, 413, 'body_too_large'],
    [
      'a form where JSON is required',
      'POST',
      '/api/login',
      { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'unsupported_body',
    ],
    [
      'text where JSON is required',
      'POST',
      '/api/login',
      { body: 'a', headers: { 'content-type': 'text/plain' } },
      415,
      'unsupported_body',
    ],
    ['a URL that cannot be decoded', 'GET', '/api/thumbnail/%zz/400', {}, 400, 'invalid_input'],
    ['a NUL in a URL', 'GET', '/uploads/%00', {}, 400, 'invalid_input'],
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
  it.each(cases)('to %s has a text and a code', async (_, method, path, options, status, code) => {
    const response = await app.call(method, path, options)
    expect([response.status, response.body.code]).toEqual([status, code])
    expect(response.body.error).toMatch(/\S/)
    expect(Object.keys(response.body)).toEqual(['error', 'code'])
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
  })

  it.each(['/api/login', '/api/nothing', '/', '/healthz', '/uploads/a.png'])(
    'to any HTTP method at %s is never a 500',
    async (path) => {
      // CONNECT has no path.
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

  it('is 400 for client errors of the framework without a mapping of their own', () => {
    const error = Object.assign(new Error('Too long'), { code: 'FST_ERR_MAX_PARAM_LENGTH', statusCode: 414 })
    expect(toFailure(error as FastifyError)).toMatchObject({ code: 'malformed_request', status: 400 })
    const serverError = Object.assign(new Error('Sent twice'), { code: 'FST_ERR_REP_ALREADY_SENT', statusCode: 500 })
    expect(toFailure(serverError as FastifyError)).toBe(serverError)
  })

  it('is that of the task when releasing its resource fails too, which the log has', async () => {
    const logged: unknown[] = []
    const request = { log: { error: ({ err }: { err: Error }) => logged.push(err.message) }, raw: {} } as never
    const held = (problem: string) => ({
      async [Symbol.asyncDispose]() {
        throw new Error(problem)
      },
    })
    const task = async () => {
      await using _slot = held('the slot is gone')
      await using _folder = held('the folder is busy')
      throw new Failure('image_not_found')
    }
    const thrown = (await task().catch((error: unknown) => error)) as FastifyError
    expect(thrown.name).toBe('SuppressedError')
    expect(toFailure(thrown, request)).toMatchObject({ code: 'image_not_found', status: 404 })
    expect(logged).toEqual(['the slot is gone', 'the folder is busy'])
  })

  it('lists the allowed methods', async () => {
    expect((await app.call('DELETE', '/api/images')).headers.get('allow')).toBe('GET, HEAD')
  })

  it('to an unexpected error contains the request id and no details', async () => {
    const broken = await startTestApp()
    try {
      await broken.deps.db.schema.alterTable('sessions').renameTo('elsewhere').execute()
      const { status, body, headers } = await broken.call('POST', '/api/register', {
        body: { email: 'a@example.com', password: 'secret-1' },
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

describe('the server URL in responses', () => {
  it('is that of the Host header when it is valid', async () => {
    const image = await app.guestImage(await jpeg())
    const link = (host: string) =>
      new Promise<string>((resolve, reject) => {
        const headers = { host, 'x-guest-token': image.delete_token }
        const request = http.get(new URL(`/api/images/${image.id}`, app.url), { headers }, (response) => {
          let text = ''
          response.on('data', (part) => (text += part))
          response.on('end', () => resolve(new URL(JSON.parse(text).url).origin))
        })
        request.on('error', reject)
      })
    expect(await link('img.example.com:8080')).toBe('http://img.example.com:8080')
    expect(await link('evil.example/"><script>')).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  })

  it('is PUBLIC_URL when that is set', async () => {
    const named = await startTestApp({ PUBLIC_URL: 'https://img.example.com/' })
    try {
      expect((await named.call('GET', '/api/openapi.json')).body.servers).toEqual([{ url: 'https://img.example.com' }])
    } finally {
      await named.stop()
    }
  })
})

describe('CORS', () => {
  it('allows the API to the origins of CORS_ORIGINS only', async () => {
    const preflight = (to: TestApp) =>
      to.request('/api/me', {
        method: 'OPTIONS',
        headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' },
      })
    expect((await preflight(app)).headers.get('access-control-allow-origin')).toBe(null)
    const open = await startTestApp({ CORS_ORIGINS: 'https://app.example' })
    try {
      const response = await preflight(open)
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([
        204,
        'https://app.example',
      ])
      const { id } = await open.guestImage(await jpeg())
      const image = await open.request(`/i/${id}.jpg?fmt=auto`, { headers: { origin: 'https://app.example' } })
      expect(image.headers.get('vary')).toBe('Origin, Accept')
    } finally {
      await open.stop()
    }
  })
})

describe('the health endpoints', () => {
  it('report that the process responds and is ready', async () => {
    expect(await app.call('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(await app.call('GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
  })
})
