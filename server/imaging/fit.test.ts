import { describe, expect, it } from 'vitest'
import { fittedSize } from './fit.ts'

const size = (widthPx: number, heightPx: number) => ({ widthPx, heightPx })

describe('fittedSize', () => {
  it.each([
    // source, asked, fit, expected
    [size(4000, 3000), {}, 'inside', size(4000, 3000)],
    [size(4000, 3000), { widthPx: 400 }, 'inside', size(400, 300)],
    [size(4000, 3000), { heightPx: 300 }, 'inside', size(400, 300)],
    [size(4000, 3000), size(400, 400), 'inside', size(400, 300)],
    [size(3000, 4000), size(400, 400), 'inside', size(300, 400)],
    [size(100, 50), size(400, 400), 'inside', size(100, 50)],
    [size(16_383, 1), { widthPx: 400 }, 'inside', size(400, 1)],
    [size(1, 16_383), { heightPx: 400 }, 'inside', size(1, 400)],
    [size(4000, 3000), size(400, 400), 'cover', size(400, 400)],
    [size(4000, 3000), { widthPx: 400 }, 'cover', size(400, 300)],
    [size(100, 50), size(400, 400), 'cover', size(50, 50)],
    [size(100, 50), size(80, 80), 'cover', size(50, 50)],
    [size(100, 50), size(400, 100), 'cover', size(100, 25)],
    [size(100, 50), size(100, 50), 'cover', size(100, 50)],
    [size(1, 1), size(4096, 1), 'cover', size(1, 1)],
    [size(4000, 3000), size(400, 400), 'contain', size(400, 400)],
    [size(4000, 3000), { heightPx: 300 }, 'contain', size(400, 300)],
    [size(100, 50), size(400, 400), 'contain', size(100, 100)],
    [size(100, 50), size(400, 100), 'contain', size(200, 50)],
    [size(100, 50), size(90, 400), 'contain', size(90, 400)],
  ] as const)('%o asked for %o %s', (source, asked, fit, expected) => {
    expect(fittedSize(source, asked, fit)).toEqual(expected)
  })
})
