import { expect, test } from 'vitest'
import { thumbSourcesOf } from './tile-image.tsx'

const image = { id: 'abc', url: '/uploads/abc.png', thumbnailUrl: 'https://i.example/api/thumbnail/abc/400' }

test.each([
  ['the grid of a laptop', [1500, 1000], [286, 191], undefined, 400],
  ['enlarged by less than it shows', [1500, 1000], [600, 400], undefined, 400],
  ['a large screen', [1500, 1000], [601, 400], '/api/thumbnail/abc/800', 400],
  ['two pixels to one', [1500, 1000], [1201, 800], '/api/thumbnail/abc/1200', 400],
  ['never more than there is', [64, 64], [1000, 1000], undefined, 400],
  ['a panorama, of which the height counts', [3000, 400], [620, 195], '/api/thumbnail/abc/1200', 400],
  ['a tower, of which the width counts', [300, 2400], [120, 195], '/api/thumbnail/abc/800', 400],
  ['measures that are not known', [0, 0], [286, 191], undefined, 400],
  ['the list', [1500, 1000], [72, 72], '/api/thumbnail/abc/200', 200],
  ['the list at two pixels to one', [1500, 1000], [144, 144], '/api/thumbnail/abc/200', 200],
  ['a panorama in the list', [3000, 400], [72, 72], undefined, 200],
  ['measures that are not known in the list', [0, 0], [72, 72], '/api/thumbnail/abc/200', 200],
] as const)('%s', (_, [width, height], [tileWidth, tileHeight], first, smallestPx) => {
  const rest = [image.thumbnailUrl, image.url]
  const sources = thumbSourcesOf({ ...image, width, height }, tileWidth, tileHeight, smallestPx)
  expect(sources).toEqual(first === undefined ? rest : [first, ...rest])
})
