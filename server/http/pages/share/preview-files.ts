// The image files that share pages, link previews and oEmbed show.
import { imageUrls, withKey } from '../../../../contract/derive/client.ts'
import { formats } from '../../../../contract/plain/formats.ts'
import { limits } from '../../../../contract/plain/limits.ts'
import { sourceWidths, widthLadder } from '../../../../contract/plain/width-ladder.ts'
import type { ImageRow } from '../../../domain/images/image-row.ts'
import type { SharedImage } from '../../../domain/images/shared-image.ts'
import { fittedSize } from '../../../imaging/fit.ts'

type SourceImage = Pick<ImageRow, 'id' | 'file_name' | 'format' | 'width' | 'height' | 'frames' | 'has_alpha'> &
  Pick<SharedImage['row'], 'key'>

export interface ShownFile {
  url: string
  mime: string
  width: number
  height: number
}

/** A file and its width. */
interface Source {
  url: string
  width: number
}

/**
 * A raster image that every program shows: the GIF itself where it fits, a PNG or WebP where there
 * is transparency, else JPEG. An SVG is drawn on white.
 * @param box pixels
 */
export function previewOf(picture: SourceImage, base: string, box: { width: number; height: number }): ShownFile {
  const { width, height, fileWidth } = fitted(picture, box)
  const isWhole = width === picture.width
  if (picture.format === 'gif' && isWhole)
    return {
      url: withKey(imageUrls.original(base, picture.file_name), picture.key),
      mime: formats.gif.mime,
      width,
      height,
    }
  const isTransparent = picture.has_alpha === 1 && picture.format !== 'svg'
  return isTransparent
    ? {
        url: withKey(imageUrls.resize(base, picture.id, fileWidth), picture.key),
        mime: formats[formats[picture.format].rendersAs].mime,
        width,
        height,
      }
    : { url: withKey(imageUrls.jpeg(base, picture.id, fileWidth), picture.key), mime: formats.jpeg.mime, width, height }
}

/** The preview of Open Graph and Twitter cards. */
export const cardOf = (picture: SourceImage, base: string): ShownFile =>
  previewOf(picture, base, { width: limits.share.previewPx, height: limits.share.previewPx })

/** The largest width of the picture on a share page, in CSS pixels; wider only on screens of 2,200 px and more. */
const shownWidthPx = 1152

/** For `srcset`, in the best format that the client shows; empty for an animation and for an SVG, which are shown as they are. */
export function srcsetSourcesOf(picture: SourceImage, base: string): Source[] {
  if (picture.format === 'svg' || picture.frames > 1) return []
  return sourceWidths(picture.width, shownWidthPx).map((width) => ({
    url: withKey(imageUrls.file(base, picture.id, extensionOf(picture), { w: width, fmt: 'auto' }), picture.key),
    width,
  }))
}

/** The sizes to open, in the image's own format. */
export function sizesOf(picture: SourceImage, base: string): Source[] {
  if (picture.format === 'svg' || picture.frames > 1) return []
  const widths = limits.embed.widthsPx.filter((width) => width < picture.width)
  return widths.map((width) => ({
    url: withKey(imageUrls.file(base, picture.id, extensionOf(picture), { w: width }), picture.key),
    width,
  }))
}

const extensionOf = ({ format }: SourceImage) => formats[format].extensions[0]

/**
 * The size within a box; that of an SVG is the size of its raster. It is the size of a file on the
 * ladder, which SIGN_VARIANTS=on serves too, or of the picture. Below the ladder it is the narrowest
 * file, shown smaller.
 */
function fitted({ format, width, height }: SourceImage, box: { width: number; height: number }) {
  const { rasterPx } = limits.image
  const image = { widthPx: width, heightPx: height }
  const raster = format === 'svg' ? fittedSize(image, { widthPx: rasterPx, heightPx: rasterPx }, 'inside') : image
  const inBox = fittedSize(raster, { widthPx: box.width, heightPx: box.height }, 'inside').widthPx
  const fileWidth =
    inBox === width && width <= limits.variant.maxSidePx ? width : widthLadder.findLast((rung) => rung <= inBox)
  // Variants are requested by their width, which alone decides the height.
  const shown = fittedSize(raster, { widthPx: fileWidth ?? inBox }, 'inside')
  return { width: shown.widthPx, height: shown.heightPx, fileWidth: fileWidth ?? widthLadder[0] }
}
