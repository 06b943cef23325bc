import { describe, expect, it } from 'vitest'
import { createClient, imageUrls, type Outgoing } from './client.ts'

const responseOf = (body: unknown, headers: Record<string, string> = {}) => ({
  headers: { get: (name: string) => headers[name] ?? null },
  json: async () => body,
})

const sent: Outgoing[] = []
const client = createClient(async (request) => {
  sent.push(request)
  return responseOf(null)
})

describe('the client', () => {
  it.each([
    [() => client.getMe(), { method: 'GET', path: '/api/me' }],
    [
      () => client.login({ body: { email: 'a', password: 'b' } }),
      { method: 'POST', path: '/api/login', body: { email: 'a', password: 'b' } },
    ],
    [
      () => client.deleteImage({ params: { id: 'a/b?c' }, body: {} }),
      { method: 'DELETE', path: '/api/images/a%2Fb%3Fc', body: {} },
    ],
    [
      () => client.listImages({ query: { limit: '2', cursor: 'x&y' } }),
      { method: 'GET', path: '/api/images?limit=2&cursor=x%26y' },
    ],
    [() => client.listImages({ query: {} }), { method: 'GET', path: '/api/images' }],
  ])('sends call %#', async (call, expected) => {
    await call()
    expect(sent.at(-1)).toEqual(expected)
  })

  it.each([
    ['the last page', { 'x-total-count': '1002' }, { total: 1002, next: undefined }],
    [
      'a page before the last one',
      { 'x-total-count': '1002', link: '</api/images?limit=2&cursor=a%2Fb>; rel="next"' },
      { total: 1002, next: 'a/b' },
    ],
    [
      'a page with an absolute next address',
      { link: '<https://h/api/images?cursor=x>; rel=next' },
      { total: 2, next: 'x' },
    ],
    [
      'a page with a link to something else',
      { link: '</api/images?cursor=x>; rel="prev"' },
      { total: 2, next: undefined },
    ],
    ['a list without pages', {}, { total: 2, next: undefined }],
  ])('returns items, total and next of %s', async (_, headers, expected) => {
    const items = [{ id: 'a' }, { id: 'b' }]
    const pages = createClient(async () => responseOf(items, headers))
    expect(await pages.listImages()).toEqual({ items, ...expected })
  })
})

describe('imageUrls', () => {
  it.each([
    [imageUrls.original('https://h', 'a-1.png'), 'https://h/uploads/a-1.png'],
    [imageUrls.thumbnail('', 'ID'), '/api/thumbnail/ID/400'],
    [imageUrls.thumbnail('', 'ID', 200), '/api/thumbnail/ID/200'],
    [imageUrls.resize('', 'ID'), '/api/resize/ID/800'],
    [imageUrls.resize('', 'ID', 300, 200), '/api/resize/ID/300/200'],
    [imageUrls.jpeg('', 'ID'), '/api/jpeg/ID/800'],
    [imageUrls.webp('', 'ID'), '/api/webp/ID/80'],
    [imageUrls.webp('', 'ID', 70, 600), '/api/webp/ID/70?width=600'],
  ])('builds %s', (built, expected) => {
    expect(built).toBe(expected)
  })
})
