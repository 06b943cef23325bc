import { describe, expect, it } from 'vitest'
import { createClient, imageUrls, type Outgoing } from './client.ts'

const sent: Outgoing[] = []
const client = createClient(async (request) => {
  sent.push(request)
  return null
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
