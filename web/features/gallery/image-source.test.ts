import { expect, test } from 'vitest'
import { sourcesOf } from './image-source.ts'

const image = { id: 'abc', url: '/uploads/abc.png', thumbnailUrl: 'https://i.example/api/thumbnail/abc/400' }

test.each([
  [286, undefined],
  [600, undefined],
  [601, '/api/thumbnail/abc/800'],
  [1200, '/api/thumbnail/abc/800'],
  [1201, '/api/thumbnail/abc/1200'],
  [5000, '/api/thumbnail/abc/1200'],
])('a tile of %d device pixels', (longestPx, larger) => {
  const rest = [image.thumbnailUrl, image.url]
  expect(sourcesOf(image, longestPx)).toEqual(larger === undefined ? rest : [larger, ...rest])
})
