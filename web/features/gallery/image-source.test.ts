import { expect, test } from 'vitest'
import { sourcesOf } from './image-source.ts'

const image = { id: 'abc', url: '/uploads/abc.png', thumbnailUrl: 'https://i.example/api/thumbnail/abc/400' }

test.each([
  ['the grid of a laptop', [1500, 1000], [286, 191], undefined],
  ['enlarged by less than it shows', [1500, 1000], [600, 400], undefined],
  ['a large screen', [1500, 1000], [601, 400], '/api/thumbnail/abc/800'],
  ['two pixels to one', [1500, 1000], [1201, 800], '/api/thumbnail/abc/1200'],
  ['never more than there is', [64, 64], [1000, 1000], undefined],
  ['a panorama, of which the height counts', [3000, 400], [620, 195], '/api/thumbnail/abc/1200'],
  ['a tower, of which the width counts', [300, 2400], [120, 195], '/api/thumbnail/abc/800'],
  ['measures that are not known', [0, 0], [286, 191], undefined],
] as const)('%s', (_, [width, height], [tileWidth, tileHeight], larger) => {
  const rest = [image.thumbnailUrl, image.url]
  const sources = sourcesOf({ ...image, width, height }, tileWidth, tileHeight)
  expect(sources).toEqual(larger === undefined ? rest : [larger, ...rest])
})
