// robots.txt with its headers, the OpenAPI document, and the well-known URLs.
import { afterEach, describe, expect, it } from 'vitest'
import { dayMs } from '../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'

let app: TestApp
afterEach(() => app.stop())

describe('ROBOTS_INDEX', () => {
  const rows: [index: string, robots: string, page: string | null, image: string | null][] = [
    ['pages', 'User-agent: *\nDisallow:\n', null, 'noindex'],
    ['all', 'User-agent: *\nDisallow:\n', null, null],
    ['none', 'User-agent: *\nDisallow: /\n', 'noindex', 'noindex'],
  ]
  it.each(rows)('%s decides robots.txt and the header of pages and images', async (index, robots, page, image) => {
    app = await startTestApp({ ROBOTS_INDEX: index })
    const { id, file_name: name } = await app.guestImage(await jpeg())
    const tagOf = async (path: string) => {
      const response = await app.request(path)
      await response.arrayBuffer()
      return response.headers.get('x-robots-tag')
    }
    expect(await (await app.request('/robots.txt')).text()).toBe(robots)
    expect([await tagOf('/'), await tagOf('/about'), await tagOf('/api/limits')]).toEqual([page, page, page])
    // The second response of a variant comes from the hot cache.
    for (const path of [
      `/uploads/${name}`,
      `/api/thumbnail/${id}/400`,
      `/api/thumbnail/${id}/400`,
      '/uploads/none.jpg',
    ])
      expect([path, await tagOf(path)]).toEqual([path, image])
  })

  it('pages is the default', async () => {
    app = await startTestApp()
    expect(app.deps.config.ROBOTS_INDEX).toBe('pages')
  })
})

describe('/api/openapi.json', () => {
  it('has the URL of PUBLIC_URL, whatever Host the client sends, and a validator', async () => {
    app = await startTestApp({ PUBLIC_URL: 'https://img.example.com' })
    const first = await app.call('GET', '/api/openapi.json', { headers: { 'x-forwarded-host': 'evil.example' } })
    expect(first.body.servers).toEqual([{ url: 'https://img.example.com' }])
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{27}"$/)
    const again = await app.request('/api/openapi.json', { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  it('has a relative URL without PUBLIC_URL', async () => {
    app = await startTestApp()
    expect((await app.call('GET', '/api/openapi.json')).body.servers).toEqual([{ url: '/' }])
  })
})

describe('/.well-known/security.txt', () => {
  const rows: [what: string, environment: Record<string, string>, lines: string[]][] = [
    [
      'SUPPORT_EMAIL',
      { SUPPORT_EMAIL: 'help@example.com' },
      ['Contact: mailto:help@example.com', 'Preferred-Languages: en'],
    ],
    [
      'the contact page without it',
      { PUBLIC_URL: 'https://img.example.com' },
      [
        'Contact: https://img.example.com/contact',
        'Preferred-Languages: en',
        'Canonical: https://img.example.com/.well-known/security.txt',
      ],
    ],
  ]
  it.each(rows)('names %s, and ends within a year', async (_, environment, lines) => {
    app = await startTestApp(environment)
    const response = await app.request('/.well-known/security.txt')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    const found = (await response.text()).trimEnd().split('\n')
    expect(found.filter((line) => !line.startsWith('Expires: '))).toEqual(lines)
    const expires = found.find((line) => line.startsWith('Expires: '))?.slice('Expires: '.length) ?? ''
    expect(Math.round((Date.parse(expires) - app.deps.now()) / dayMs)).toBe(180)
  })

  it('is missing where no address can be named', async () => {
    app = await startTestApp({ PUBLIC_URL: 'http://img.example.com' })
    expect(await app.call('GET', '/.well-known/security.txt')).toMatchObject({ status: 404 })
  })
})

it('/.well-known/change-password redirects to the account page', async () => {
  app = await startTestApp()
  const { status, headers } = await app.request('/.well-known/change-password', { redirect: 'manual' })
  expect([status, headers.get('location')]).toEqual([302, '/account'])
})
