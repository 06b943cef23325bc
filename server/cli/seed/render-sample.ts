// Renders a scene to the bytes of an image file.
import sharp from 'sharp'
import type { Scene, SceneSize } from './scenes.ts'
import { createSeededRandom } from './seeded-random.ts'

export type SampleFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'svg'

const frameCount = 12
const frameMs = 80

/** A GIF is an endless animation. @param hasGrain adds sensor noise, so that the file has the size of a photograph */
export async function renderSample(
  seed: string,
  { scene, size, format, hasGrain }: { scene: Scene; size: SceneSize; format: SampleFormat; hasGrain: boolean },
): Promise<Buffer> {
  const draw = (turn: number) => Buffer.from(scene(createSeededRandom(seed), size, turn))
  if (format === 'svg') return draw(0)
  if (format === 'gif') return renderAnimation(draw)
  const image = sharp(draw(0))
  if (hasGrain) image.composite([{ input: await grain(seed), tile: true, blend: 'soft-light' }])
  if (format === 'png') return image.png().toBuffer()
  return format === 'webp' ? image.webp({ quality: 80, effort: 2 }).toBuffer() : image.jpeg({ quality: 82 }).toBuffer()
}

async function renderAnimation(draw: (turn: number) => Buffer): Promise<Buffer> {
  const frames = Array.from({ length: frameCount }, (_, n) =>
    sharp(draw(n / frameCount))
      .png()
      .toBuffer(),
  )
  return sharp(await Promise.all(frames), { join: { animated: true } })
    .gif({ delay: Array<number>(frameCount).fill(frameMs), loop: 0 })
    .toBuffer()
}

/** Deterministic, unlike the noise of libvips. */
async function grain(seed: string): Promise<Buffer> {
  const side = 256
  const random = createSeededRandom(seed)
  const pixels = Buffer.alloc(side * side, 0).map(() => 128 + (random.next() + random.next() - 1) * 60)
  return sharp(pixels, { raw: { width: side, height: side, channels: 1 } })
    .toColourspace('srgb')
    .png()
    .toBuffer()
}
