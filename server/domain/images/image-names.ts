// The two names of an image: the one people see, and the one in its address.
import { limits } from '../../../contract/limits.ts'

/**
 * Controls, bidirectional overrides, zero-width and tag characters, fillers: what makes a name look like another one. The
 * two selectors that turn a sign into its picture and back are seen.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|(?![\uFE0E\uFE0F])\p{Default_Ignorable_Code_Point}/gu

/** Devices of Windows, which opens them instead of a file of that name, whatever stands after the first dot. */
const device = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?=$|[. ])/i

/** More than any name needs whose signs take several characters; what is cut off is never looked at. */
const maxSentLength = limits.upload.maxNameLength * 4

/** The name as it was sent, made safe to show: NFC, one line, no path, at most 200 characters, never empty. */
export function displayName(sent: string): string {
  const name = sent
    .slice(0, maxSentLength)
    .replace(invisible, '')
    // Last, or what stood between two signs would keep them apart.
    .normalize('NFC')
    .replace(/[/\\]/g, '_')
    .replace(/\s+/gu, ' ')
    .replace(edges, '')
    .replace(device, '_$1')
  const cut = Array.from(name).slice(0, limits.upload.maxNameLength).join('').replace(edges, '')
  return cut === '' ? 'image' : cut
}

const edges = /^[. ]+|[. ]+$/g

/** The ASCII part of file_name: letters, digits and '-', at most 60 characters, never empty, without the extension. */
export function slug(name: string): string {
  const ascii = name
    .slice(0, maxSentLength)
    .replace(/(?<=.)\.[^.]{1,8}$/, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .slice(0, limits.upload.maxSlugLength)
    .replace(/^-+|-+$/g, '')
  return ascii === '' ? 'image' : ascii
}

/**
 * The name under which a browser saves a picture: its display name with the extension of what it is. Nothing is saved as a
 * program because it was called so.
 * @param extension without a dot
 */
export function savedName(originalName: string, extension: string): string {
  const name = displayName(originalName)
  const own = /(?<=.)\.(png|jpe?g|jfif|webp|gif|svg)$/i.exec(name)
  if (own && sameKind(own[1] ?? '', extension)) return name
  return `${own ? name.slice(0, own.index) : name}.${extension}`
}

const sameKind = (given: string, extension: string) => given.toLowerCase().replace(/^(jpeg|jfif)$/, 'jpg') === extension
