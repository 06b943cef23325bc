import { describe, expect, it } from 'vitest'
import { tiffWithSecrets } from '../../testing/hand-made-images.ts'
import { orientationExif, orientationTiff, readOrientation } from './exif.ts'

describe('readOrientation', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('reads %i in both byte orders, with and without prefix', (orientation) => {
    expect(readOrientation(tiffWithSecrets(orientation))).toBe(orientation)
    expect(readOrientation(orientationTiff(orientation))).toBe(orientation)
    expect(readOrientation(orientationExif(orientation))).toBe(orientation)
  })

  const changed = (at: number, ...bytes: number[]) => {
    const tiff = orientationTiff(6)
    tiff.set(bytes, at)
    return tiff
  }
  it.each([
    ['an orientation of 0', changed(18, 0, 0)],
    ['an orientation of 9', changed(18, 0, 9)],
    ['another type', changed(12, 0, 4)],
    ['no byte order', changed(0, 0x41)],
    ['another magic number', changed(2, 0, 43)],
    ['a directory beyond the end', changed(4, 0xff, 0xff, 0xff, 0xff)],
    ['a directory at the very end', changed(4, 0, 0, 0, 24)],
    ['entries cut off', orientationTiff(6).subarray(0, 20)],
    ['nothing', Buffer.alloc(0)],
  ])('returns 1 for %s', (_name, tiff) => {
    expect(readOrientation(tiff)).toBe(1)
  })

  it('reads the entries that exist, not the declared number', () => {
    expect(readOrientation(changed(8, 0xff, 0xff))).toBe(6)
  })
})
