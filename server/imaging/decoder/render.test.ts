import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { openFolder } from '../testing/folder.ts'
import {
  animation,
  handWebp,
  insertAt,
  jpegSegment,
  photo,
  tiffWithSecrets,
  webpAnim,
  webpBitstream,
  webpFrame,
} from '../testing/hand-made-images.ts'

const folder = await openFolder()
afterAll(() => folder.close())
const { render } = folder

const source = await photo(400, 200).jpeg().toBuffer()
/** The channels of one pixel, at fractions of the width and height. */
const pixel = async (file: Buffer, across: number, down: number) => {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (Math.floor(down * (info.height - 1)) * info.width + Math.floor(across * (info.width - 1))) * 4
  return [...data.subarray(at, at + 4)]
}

it.each([
  [{ width: 100 }, 100, 50],
  [{ height: 100 }, 200, 100],
  [{ width: 100, height: 100 }, 100, 50],
  [{ width: 4096 }, 400, 200],
  [{}, 400, 200],
  [{ width: 100, height: 100, fit: 'cover' }, 100, 100],
  [{ width: 4000, height: 4000, fit: 'cover' }, 200, 200],
  [{ width: 100, height: 100, fit: 'contain' }, 100, 100],
  [{ width: 4000, height: 4000, fit: 'contain' }, 400, 400],
  [{ width: 1 }, 1, 1],
] as const)('%o answers %i x %i', async (job, width, height) => {
  const { answer, file } = await render(source, job)
  expect(answer).toEqual({ widthPx: width, heightPx: height, frames: 1 })
  expect(await sharp(file).metadata()).toMatchObject({ format: 'webp', width, height })
})

describe('formats', () => {
  it.each(['webp', 'jpeg', 'png', 'gif'] as const)('%s, without metadata', async (format) => {
    const { file } = await render(await photo(50, 40).withIccProfile('p3').withMetadata().jpeg().toBuffer(), { format })
    const metadata = await sharp(file).metadata()
    expect(metadata).toMatchObject({ format, width: 50, height: 40 })
    expect([metadata.exif, metadata.icc, metadata.xmp]).toEqual([undefined, undefined, undefined])
  })

  it('AVIF is without metadata, and smaller at lower quality', async () => {
    const p3 = await photo(80, 60).withIccProfile('p3').withMetadata().jpeg().toBuffer()
    const [low, high] = await Promise.all([30, 90].map((quality) => render(p3, { format: 'avif', quality })))
    const metadata = await sharp(low?.file).metadata()
    expect(metadata).toMatchObject({ format: 'heif', compression: 'av1', width: 80 })
    expect([metadata.exif, metadata.icc, metadata.xmp]).toEqual([undefined, undefined, undefined])
    expect(low?.file.length).toBeLessThan(high?.file.length ?? 0)
  })

  it('only photographs, where the job says so', async () => {
    const job = { format: 'avif', onlyPhotograph: true } as const
    const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
    const canvas = { width: 80, height: 60, channels: 3, background: '#4f7aa8' } as const
    const photograph = await sharp({ create: { ...canvas, noise } })
      .png()
      .toBuffer()
    expect((await render(photograph, job)).answer).toMatchObject({ widthPx: 80, heightPx: 60 })
    const flat = await sharp({ create: canvas }).png().toBuffer()
    await expect(render(flat, job)).rejects.toMatchObject({ name: 'ImageRefused', reason: 'unsupported' })
    expect((await render(flat, { format: 'avif' })).answer).toMatchObject({ widthPx: 80 })
  })

  it('a background is behind transparent pixels and in the bars of contain', async () => {
    const transparent = await sharp({ create: { width: 20, height: 20, channels: 4, background: '#0000' } })
      .png()
      .toBuffer()
    for (const format of ['png', 'jpeg'] as const) {
      const { file } = await render(transparent, { format, background: '000000' })
      expect(await pixel(file, 0.5, 0.5)).toEqual([0, 0, 0, 255])
    }
    const boxed = await render(source, { width: 100, height: 100, fit: 'contain', format: 'png', background: 'ff0000' })
    expect(await pixel(boxed.file, 0.5, 0)).toEqual([255, 0, 0, 255])
  })

  it('a blur mixes neighbouring pixels', async () => {
    const edge = await sharp({ create: { width: 100, height: 20, channels: 3, background: '#000' } })
      .composite([{ input: { create: { width: 50, height: 20, channels: 3, background: '#fff' } }, left: 0, top: 0 }])
      .png()
      .toBuffer()
    const [red = 0] = await pixel((await render(edge, { format: 'png', blurPx: 5 })).file, 0.5, 0.5)
    expect(red).toBeGreaterThan(90)
    expect(red).toBeLessThan(170)
  })

  it('JPEG is 4:2:0, not progressive, and smaller at lower quality', async () => {
    const [low, high] = await Promise.all([30, 90].map((quality) => render(source, { format: 'jpeg', quality })))
    expect(await sharp(low?.file).metadata()).toMatchObject({ chromaSubsampling: '4:2:0', isProgressive: false })
    expect(low?.file.length).toBeLessThan(high?.file.length ?? 0)
  })

  it('alpha is retained; in JPEG it is flattened on white', async () => {
    const transparent = await sharp({ create: { width: 20, height: 20, channels: 4, background: '#0000' } })
      .png()
      .toBuffer()
    expect(await pixel((await render(transparent, { format: 'png' })).file, 0.5, 0.5)).toEqual([0, 0, 0, 0])
    expect(await pixel((await render(transparent, { format: 'jpeg' })).file, 0.5, 0.5)).toEqual([255, 255, 255, 255])
  })

  it('contain pads with transparency, in JPEG with white', async () => {
    const job = { width: 100, height: 100, fit: 'contain' } as const
    expect(await pixel((await render(source, { ...job, format: 'webp' })).file, 0.5, 0)).toEqual([0, 0, 0, 0])
    expect(await pixel((await render(source, { ...job, format: 'jpeg' })).file, 0.5, 0)).toEqual([255, 255, 255, 255])
  })

  it('CMYK becomes sRGB', async () => {
    const { file } = await render(await photo().toColourspace('cmyk').jpeg().toBuffer(), { format: 'png' })
    expect(await sharp(file).metadata()).toMatchObject({ space: 'srgb', channels: 3 })
  })
})

it('orientation is applied before sizes are', async () => {
  const exif = jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiffWithSecrets(6)]))
  const turned = insertAt(source, 2, exif)
  expect((await render(turned, { width: 100 })).answer).toMatchObject({ widthPx: 100, heightPx: 200 })
  expect((await render(turned, { width: 300, height: 100, fit: 'cover' })).answer).toMatchObject({
    widthPx: 200,
    heightPx: 67,
  })
})

describe('animations', () => {
  it.each(['webp', 'gif'] as const)('a %s keeps frames, delays and loop as WebP', async (format) => {
    const { answer, file } = await render(await animation(format), { animated: true, width: 20 })
    expect(answer).toMatchObject({ widthPx: 20, heightPx: 20, frames: 5 })
    expect(await sharp(file).metadata()).toMatchObject({
      format: 'webp',
      pages: 5,
      loop: 3,
      delay: [50, 60, 70, 80, 90],
      width: 20,
    })
  })

  it.each(['cover', 'contain'] as const)('%s works on each frame', async (fit) => {
    const { answer, file } = await render(await animation('gif'), { animated: true, width: 30, height: 10, fit })
    expect(answer).toMatchObject({ widthPx: 30, heightPx: 10, frames: 5 })
    expect(await sharp(file).metadata()).toMatchObject({ pages: 5, width: 30, height: 10 })
  })

  it.each([
    ['not asked to move', { animated: false }],
    ['to a format that cannot', { animated: true, format: 'png' }],
    ['to JPEG', { animated: true, format: 'jpeg' }],
  ] as const)('the first frame %s', async (_name, job) => {
    const { answer, file } = await render(await animation('webp'), job)
    expect(answer).toMatchObject({ widthPx: 40, frames: 1 })
    expect((await sharp(file).metadata()).pages).toBeUndefined()
  })

  it('an animation of more than 25 megapixels is rendered as its first frame', async () => {
    const frame = webpFrame(webpBitstream(await photo(16, 16).webp().toBuffer()), 16, 16)
    const large = handWebp(2, 1000, 1000, [webpAnim, ...Array.from({ length: 26 }, () => frame)])
    expect((await render(large, { animated: true })).answer.frames).toBe(1)
    expect((await render(large, { animated: true, width: 100 })).answer.frames).toBe(26)
  })
})

it('a broken source is an error and leaves no file', async () => {
  await expect(render(Buffer.from('no picture at all'))).rejects.toThrow('unsupported image format')
  await expect(render(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'))).rejects.toThrow(
    'unsupported image format',
  )
})
