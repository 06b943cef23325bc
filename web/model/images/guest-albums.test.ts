import { expect, it } from 'vitest'
import { canHaveLink, parseAlbums } from './guest-albums.ts'

const album = { id: 'a', token: 't', url: 'https://example.com/l/abc', images: ['1', '2'] }

it('omits stored albums that are none, and links that lead elsewhere than to a page', () => {
  const stored = [
    album,
    null,
    { ...album, token: 1 },
    { ...album, images: 'all' },
    { ...album, images: [1] },
    { ...album, url: 'javascript:alert(1)' },
  ]
  expect(parseAlbums(JSON.stringify(stored))).toEqual([album])
  expect(parseAlbums('{')).toEqual([])
  expect(parseAlbums('{}')).toEqual([])
  expect(parseAlbums(null)).toEqual([])
})

it('offers a link for two to fifty images whose tokens are known', () => {
  const images = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `${at}`, delete_token: 't' }))
  expect([1, 2, 50, 51].map((count) => canHaveLink(images(count)))).toEqual([false, true, true, false])
  expect(canHaveLink([...images(2), { id: 'lost' }])).toBe(false)
})
