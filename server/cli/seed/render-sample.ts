// Renders a scene to the bytes of an image file.
import sharp from 'sharp'
import { orbitFrames } from './graphics.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { Scene, SceneSize } from './landscapes.ts'

export type SampleFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'svg'

const frameCount = 12
const frameMs = 80

/** @param hasGrain adds sensor noise, so that the file has the size of a photograph */
export async function renderSample(
  random: SeededRandom,
  { scene, size, format, hasGrain }: { scene: Scene; size: SceneSize; format: SampleFormat; hasGrain: boolean },
): Promise<Buffer> {
  const drawn = Buffer.from(scene(random, size))
  if (format === 'svg') return drawn
  const image = sharp(drawn)
  if (hasGrain) image.composite([{ input: await grain(random), tile: true, blend: 'soft-light' }])
  if (format === 'png') return image.png().toBuffer()
  return format === 'webp' ? image.webp({ quality: 80, effort: 2 }).toBuffer() : image.jpeg({ quality: 82 }).toBuffer()
}

/** Renders an endless animation. */
export async function renderAnimation(random: SeededRandom, size: SceneSize, format: 'gif' | 'webp'): Promise<Buffer> {
  const frames = await Promise.all(
    orbitFrames(random, size, frameCount).map((drawn) => sharp(Buffer.from(drawn)).png().toBuffer()),
  )
  const joined = sharp(frames, { join: { animated: true } })
  const timing = { delay: Array<number>(frameCount).fill(frameMs), loop: 0 }
  return format === 'gif' ? joined.gif(timing).toBuffer() : joined.webp({ ...timing, effort: 2 }).toBuffer()
}

/** Deterministic, unlike the noise of libvips. */
async function grain(random: SeededRandom): Promise<Buffer> {
  const side = 256
  const pixels = Buffer.alloc(side * side, 0).map(() => 128 + (random.next() + random.next() - 1) * 60)
  return sharp(pixels, { raw: { width: side, height: side, channels: 1 } })
    .toColourspace('srgb')
    .png()
    .toBuffer()
}
