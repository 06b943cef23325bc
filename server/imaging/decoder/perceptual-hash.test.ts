// Perceptual hashes of generated images, their copies and their orientations.
import sharp, { type Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import { shapes } from '../../testing/test-images.ts'
import { type PerceptualHash, perceptualHash } from './perceptual-hash.ts'
import { rawPixels } from './pixels.ts'

const hashOf = async (image: Sharp): Promise<PerceptualHash> =>
  perceptualHash(await rawPixels(image.resize(400, 400, { fit: 'inside', withoutEnlargement: true })))
const decoded = async (file: Promise<Buffer>) => sharp(await file)
const copyOf = async (image: Sharp) => sharp(await image.png().toBuffer())

const differingBits = (one = '', other = '') =>
  (BigInt(`0x${one}`) ^ BigInt(`0x${other}`)).toString(2).replaceAll('0', '').length
const seeds = Array.from({ length: 12 }, (_, n) => n)

const drawing = (inside: string) =>
  sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200">${inside}</svg>`))

describe('perceptualHash', () => {
  it.each<[string, (image: Sharp) => Promise<Sharp>]>([
    ['WebP of quality 50', (image) => decoded(image.webp({ quality: 50 }).toBuffer())],
    ['JPEG of quality 40', (image) => decoded(image.jpeg({ quality: 40 }).toBuffer())],
    ['half the size', (image) => decoded(image.resize(180).png().toBuffer())],
    ['twice the size', (image) => decoded(image.resize(720).png().toBuffer())],
    ['a stretched copy', (image) => decoded(image.resize(300, 300, { fit: 'fill' }).png().toBuffer())],
    ['an opaque alpha channel', (image) => decoded(image.ensureAlpha().png().toBuffer())],
  ])('differs in at most 6 bits for %s', async (_, change) => {
    for (const seed of seeds) {
      const [original, changed] = [await hashOf(shapes(seed)), await hashOf(await change(shapes(seed)))]
      expect(differingBits(original.phashes[0], changed.phashes[0]), `picture ${seed}`).toBeLessThanOrEqual(6)
    }
  })

  it('differs in more than 12 bits for different pictures, in every orientation', async () => {
    const hashes = await Promise.all(seeds.map((seed) => hashOf(shapes(seed))))
    for (const [n, one] of hashes.entries()) {
      for (const other of hashes.slice(n + 1)) {
        for (const phash of other.phashes) expect(differingBits(one.phashes[0], phash)).toBeGreaterThan(12)
      }
    }
  })

  it('has the hashes of the mirrored and turned picture without decoding it', async () => {
    const turns: ((image: Sharp) => Sharp)[] = [
      (image) => image,
      (image) => image.flop(),
      (image) => image.flip(),
      (image) => image.rotate(180),
      (image) => image.rotate(90),
      (image) => image.rotate(270),
      (image) => image.rotate(90).flop(),
      (image) => image.rotate(270).flop(),
    ]
    for (const seed of seeds) {
      const { phashes } = await hashOf(shapes(seed))
      expect(new Set(phashes).size).toBe(8)
      for (const turn of turns) {
        const turned = await hashOf(await copyOf(turn(shapes(seed))))
        const nearest = Math.min(...phashes.map((phash) => differingBits(phash, turned.phashes[0])))
        expect(nearest, `picture ${seed}, ${turn.toString()}`).toBeLessThanOrEqual(2)
      }
    }
  })

  it('shows transparent pixels as white', async () => {
    const dot = () => drawing('<circle cx="90" cy="70" r="50" fill="#123"/>')
    const [transparent, white] = [await hashOf(dot()), await hashOf(dot().flatten({ background: '#fff' }))]
    expect(differingBits(transparent.phashes[0], white.phashes[0])).toBeLessThanOrEqual(2)
  })

  it.each([
    ['one colour', 0, 0, sharp({ create: { width: 300, height: 200, channels: 3, background: '#369' } })],
    ['nothing visible', 0, 0, sharp({ create: { width: 9, height: 9, channels: 4, background: '#0000' } })],
    [
      'stripes',
      0,
      49,
      drawing('<rect width="100" height="200" fill="#075"/><rect x="200" width="100" height="200" fill="#d22"/>'),
    ],
    [
      'a symmetric drawing',
      0,
      49,
      drawing('<circle cx="150" cy="60" r="50"/><rect x="110" y="130" width="80" height="60"/>'),
    ],
    ['one pixel', 0, 0, sharp({ create: { width: 1, height: 1, channels: 3, background: '#369' } })],
    ['a picture', 50, 100, shapes(3)],
  ])('has the quality of %s', async (_, atLeast, atMost, image) => {
    const { phashQuality } = await hashOf(image)
    expect(phashQuality).toBeGreaterThanOrEqual(atLeast)
    expect(phashQuality).toBeLessThanOrEqual(atMost)
  })
})
