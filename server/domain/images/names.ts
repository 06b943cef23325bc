// The two names of an image: the one people see, and the one in its address.
import { limits } from '../../../contract/limits.ts'

/** Controls, bidirectional overrides, zero-width and tag characters: what makes a name look like another one. */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu

/** The name as it was sent, made safe to show: NFC, one line, no path, at most 200 characters, never empty. */
export function displayName(sent: string): string {
  const name = sent
    .slice(0, limits.upload.maxNameLength * 4)
    .normalize('NFC')
    .replace(invisible, '')
    .replace(/[/\\]/g, '_')
    .replace(/\s+/gu, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
  const cut = Array.from(name).slice(0, limits.upload.maxNameLength).join('').trim()
  return cut === '' ? 'image' : cut
}

/** The ASCII part of file_name: letters, digits and '-', at most 60 characters, never empty, without the extension. */
export function slug(name: string): string {
  const ascii = name
    .replace(/(?<=.)\.[^.]{1,8}$/, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .slice(0, limits.upload.maxSlugLength)
    .replace(/^-+|-+$/g, '')
  return ascii === '' ? 'image' : ascii
}
