// Optimization tips as a table of rules, each with the fact it depends on.
import { limits } from '../../../contract/plain/limits.ts'
import type { Inspected } from '../../imaging/pool/imaging.ts'
import type { ImageRow } from '../images/image-row.ts'

type SourceImage = Pick<ImageRow, 'format' | 'width' | 'height' | 'bytes' | 'frames'>
type Facts = Pick<
  Inspected,
  'hasAlpha' | 'isOpaque' | 'isProgressive' | 'hasProfile' | 'space' | 'depth' | 'isPalette'
> & {
  /** Size of the image as WebP; undefined when it was not measured. */
  webpBytes?: number | undefined
}

interface Rule {
  applies: (image: SourceImage, facts: Facts) => boolean
  tip: (image: SourceImage, facts: Facts) => string
}

const { desktop } = limits.recommendedWidthsPx
const bytesPerPixel = ({ bytes, width, height, frames }: SourceImage) => bytes / (width * height * frames)
/** Above this size a progressive scan is smaller; below, its headers cost more than it saves. */
const progressiveFromBytes = 10 * 1024
/** Twice that of a photograph at quality 80: 0.1 to 0.3 bytes per pixel (measured). */
const heavyBytesPerPixel = 0.6
/** Less is not worth another address. */
const worthwhilePercent = 10

/** As the page shows it beside the tip. */
const webpPercent = ({ bytes }: SourceImage, { webpBytes = bytes }: Facts) => Math.round((1 - webpBytes / bytes) * 100)

const rules: Rule[] = [
  {
    applies: ({ format }) => format === 'svg',
    tip: () =>
      `SVG scales without loss: embed the original at any size. The other addresses are pictures of it, of at most ${limits.image.rasterPx} pixels.`,
  },
  {
    applies: ({ width, format }) => width > desktop && format !== 'svg',
    tip: ({ width }) =>
      `The image is ${width} pixels wide. Few pages need more than ${desktop}: use the resize address, or upload a smaller one.`,
  },
  {
    applies: (image, facts) => canBeWebp(image) && webpPercent(image, facts) >= worthwhilePercent,
    tip: (image, facts) => `As WebP this image is ${webpPercent(image, facts)}% smaller: use the webp address.`,
  },
  {
    applies: ({ frames }) => frames > 1,
    tip: ({ frames }) =>
      `This is an animation of ${frames} frames. Where a still picture will do, use the jpeg address.`,
  },
  {
    applies: ({ format }, { hasAlpha, isOpaque }) => hasAlpha && isOpaque && format !== 'svg',
    tip: () => 'The image has an alpha channel, but no pixel is transparent: without the channel it is smaller.',
  },
  {
    applies: ({ format, bytes }, { isProgressive }) =>
      format === 'jpeg' && !isProgressive && bytes > progressiveFromBytes,
    tip: () => 'The JPEG is not progressive: saved progressively, it shows as a whole sooner on slow connections.',
  },
  {
    applies: ({ format }, { isProgressive }) => format === 'png' && isProgressive,
    tip: () => 'The PNG is interlaced, which makes it larger: save it without interlacing.',
  },
  {
    applies: (image) =>
      (image.format === 'jpeg' || image.format === 'webp') && bytesPerPixel(image) > heavyBytesPerPixel,
    tip: (image) =>
      `The file is heavy for its size (${bytesPerPixel(image).toFixed(1)} bytes a pixel): a quality of 80 is hard to tell from it.`,
  },
  {
    applies: (_, { depth }) => depth === 'ushort',
    tip: () => 'The image has 16 bits a channel, which screens do not show: 8 bits halve it.',
  },
  {
    applies: (_, { space }) => space === 'cmyk',
    tip: () => 'The colours are CMYK, made for print: convert to sRGB for screens.',
  },
  {
    applies: (_, { hasProfile }) => hasProfile,
    tip: () => 'A colour profile is embedded. If it is sRGB, browsers show the same without it.',
  },
]

/** Whether the size as WebP matters for the tips. */
export const canBeWebp = ({ format }: Pick<SourceImage, 'format'>): boolean => format !== 'webp' && format !== 'svg'

export const optimizationTips = (image: SourceImage, facts: Facts): string[] =>
  rules.filter(({ applies }) => applies(image, facts)).map(({ tip }) => tip(image, facts))
