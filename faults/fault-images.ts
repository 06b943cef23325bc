// Images to upload: generated once per run, all different, from thumbnail size to the maximum.
import sharp from 'sharp'

/** A JPEG with grain, so that its size depends on its pixels. */
export async function jpeg(widthPx: number, heightPx: number, seed = 0, quality = 80): Promise<Buffer> {
  const data = Buffer.alloc(widthPx * heightPx * 3)
  let state = (seed + 1) * 2_654_435_761
  for (let at = 0; at < data.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    data[at] = 100 + ((at / 7) % 60) + (state >>> 27)
  }
  return sharp(data, { raw: { width: widthPx, height: heightPx, channels: 3 } })
    .jpeg({ quality })
    .toBuffer()
}

export interface Assortment {
  /** About 20 to 100 KB. */
  small: Buffer[]
  /** Up to about 9 MB at 4000 pixels. */
  large: Buffer[]
}

/** @param largestPx the longest side of any */
export async function assortment(largestPx: number): Promise<Assortment> {
  const small = Array.from({ length: 24 }, (_, seed) => jpeg(160 + seed * 12, 120 + seed * 9, seed))
  const large = [1600, 2400, 4000].filter((sidePx) => sidePx <= largestPx)
  const largeOnes = large.map((sidePx) => jpeg(sidePx, (sidePx * 3) / 4, sidePx, 88))
  return { small: await Promise.all(small), large: await Promise.all(largeOnes) }
}
