// The two names of an image: the display name and the file name in its URL.
import { cleanName } from '../../../contract/plain/clean-name.ts'
import { formatNames, formats } from '../../../contract/plain/formats.ts'
import { limits } from '../../../contract/plain/limits.ts'

/** Windows opens these devices instead of a file, whatever follows the first dot. */
const device = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?=$|[. ])/i

/** Bounds the input of normalization: characters may take several code units. */
const maxSentLength = limits.upload.maxNameLength * 4

/** The display name: in NFC, one line, without a path, at most 200 characters, never empty. */
export function displayName(sent: string): string {
  const name = cleanName(sent.slice(0, maxSentLength)).replace(/[/\\]/g, '_').replace(edges, '').replace(device, '_$1')
  const cut = Array.from(name).slice(0, limits.upload.maxNameLength).join('').replace(edges, '')
  return cut === '' ? 'image' : cut
}

const edges = /^[. ]+|[. ]+$/g

/** The ASCII part of file_name: letters, digits and '-', at most 60, never empty. */
export function fileNameStem(name: string): string {
  const stem = name.slice(0, maxSentLength).replace(/(?<=.)\.[^.]{1,8}$/, '')
  return asciiWords(stem, limits.upload.maxSlugLength) || 'image'
}

/** Letters without their accents and digits, in lower case, with '-' for everything between them; may be empty. */
export const asciiWords = (text: string, maxLength: number): string =>
  text
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => latin[letter] ?? '')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z\d]+/g, '-')
    .slice(0, maxLength)
    .replace(/^-+|-+$/g, '')

/** Latin letters that Unicode does not decompose. */
const latin: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

/**
 * Returns the name under which a browser saves an image: its display name with the extension of the
 * actual format, so that nothing is saved as a program.
 * @param extension without a dot
 */
export function savedName(originalName: string, extension: string): string {
  const name = displayName(originalName)
  const dot = name.lastIndexOf('.')
  const own = dot > 0 ? urlExtensions.get(name.slice(dot + 1).toLowerCase()) : undefined
  if (own === extension) return name
  return `${own === undefined ? name : name.slice(0, dot)}.${extension}`
}

/**
 * Returns the display name of an image of another host, which may call it by words without an extension.
 * @param extension of the actual format, without a dot
 */
export function importedName(sent: string, extension: string): string {
  const name = displayName(sent)
  const dot = name.lastIndexOf('.')
  if (dot > 0 && urlExtensions.has(name.slice(dot + 1).toLowerCase())) return name
  const longest = limits.upload.maxNameLength - extension.length - 1
  return `${Array.from(name).slice(0, longest).join('')}.${extension}`
}

/** By every extension of a format, the one that its URLs have. Windows saves JPEG files from the web as .jfif. */
const urlExtensions = new Map<string, string>([
  ['jfif', formats.jpeg.extensions[0]],
  ...formatNames.flatMap((name) => {
    const { extensions } = formats[name]
    return extensions.map((extension) => [extension, extensions[0]] as const)
  }),
])
