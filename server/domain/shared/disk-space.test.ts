import { describe, expect, it } from 'vitest'
import { type DiskSpace, hasSpaceFor } from './disk-space.ts'

const MiB = 1024 ** 2
/** Of 1 GiB and 10,000 files: 51.2 MiB and 500 files are reserved. */
const disk = (freeBytes: number, ffree = 9000): DiskSpace => ({
  bsize: 1,
  blocks: 1024 * MiB,
  bavail: freeBytes,
  files: 10_000,
  ffree,
})
const uploads = (images: number, bytes: number) => ({ images, bytes })

describe('hasSpaceFor', () => {
  it.each([
    ['exactly the reserve, no upload', disk(0.05 * 1024 * MiB), uploads(0, 0), true],
    ['a byte less than the reserve', disk(0.05 * 1024 * MiB - 1), uploads(0, 0), false],
    [
      'two copies and the thumbnails of ten uploads',
      disk(52 * MiB + 2 * 100 * MiB + 5 * MiB),
      uploads(10, 100 * MiB),
      true,
    ],
    ['less than two copies of ten uploads', disk(52 * MiB + 2 * 100 * MiB), uploads(10, 100 * MiB), false],
    ['files for a hundred uploads', disk(900 * MiB, 1000), uploads(100, 0), true],
    ['too few files for a hundred and one', disk(900 * MiB, 1000), uploads(101, 0), false],
  ])('%s', (_, free, expected, has) => {
    expect(hasSpaceFor(free, expected)).toBe(has)
  })

  it('reserves at most 1 GiB and 1,000 files of a large disk', () => {
    const large = { bsize: 4096, blocks: 1e9, bavail: (1024 * MiB) / 4096, files: 1e9, ffree: 1000 }
    expect(hasSpaceFor(large, uploads(0, 0))).toBe(true)
    expect(hasSpaceFor({ ...large, ffree: 999 }, uploads(0, 0))).toBe(false)
    expect(hasSpaceFor(large, uploads(1, 1))).toBe(false)
  })
})
