// Computes the size of a variant. Nothing is enlarged.

export type Fit = 'inside' | 'cover' | 'contain'

export interface Size {
  widthPx: number
  heightPx: number
}

/**
 * - `inside`, or any fit with one side missing: the whole image, no side larger than requested.
 * - `cover`: the requested size, cropped; of a source that is too small, its largest crop of that ratio.
 * - `contain`: a box of the requested ratio with the whole image in it; for a source that is too small, the box shrinks until
 *   the image touches two of its sides at its own size.
 */
export function fittedSize(source: Size, asked: Partial<Size>, fit: Fit): Size {
  const { widthPx = Infinity, heightPx = Infinity } = asked
  const [across, down] = [widthPx / source.widthPx, heightPx / source.heightPx]
  if (fit === 'inside' || across === Infinity || down === Infinity) {
    return scaled(source, Math.min(across, down, 1))
  }
  const shrink = fit === 'cover' ? Math.max(across, down, 1) : Math.max(Math.min(across, down), 1)
  return scaled({ widthPx, heightPx }, 1 / shrink)
}

function scaled({ widthPx, heightPx }: Size, scale: number): Size {
  return { widthPx: Math.max(1, Math.round(widthPx * scale)), heightPx: Math.max(1, Math.round(heightPx * scale)) }
}
