// The format, width and link target that were used last, stored in the browser.
import { limits } from '../../../contract/plain/limits.ts'
import { readStored, writeStored } from '../../model/browser-storage.ts'
import { codeFormats, type CodeFormat } from './code-formats.ts'
import { linkTargets, widthsOf, type EmbeddedImage, type EmbedWidth, type LinkTarget } from './embedded-image.ts'

const formatKey = 'embed_format'
const widthKey = 'embed_width'
const linkKey = 'embed_link'

export function storedFormat(): CodeFormat {
  const stored = readStored(formatKey)
  return codeFormats.find(({ id }) => id === stored) ?? codeFormats[0]
}

export const storeFormat = ({ id }: CodeFormat) => writeStored(formatKey, id)

/** At most the image's own width. */
export function storedWidth(image: EmbeddedImage): EmbedWidth {
  const stored = readStored(widthKey)
  const all = [...limits.embed.widthsPx, 'original'] as const
  const wanted = all.find((width) => String(width) === stored) ?? limits.variant.defaultWidthPx
  return widthsOf(image).includes(wanted) ? wanted : 'original'
}

export const storeWidth = (width: EmbedWidth) => writeStored(widthKey, String(width))

export function storedLinkTarget(): LinkTarget {
  const stored = readStored(linkKey)
  return linkTargets.find((target) => target === stored) ?? 'none'
}

export const storeLinkTarget = (target: LinkTarget) => writeStored(linkKey, target)
