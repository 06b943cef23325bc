// What the options of `upload` say: tags, album, format, number of uploads at a time.
import { cleanName } from '../contract/plain/clean-name.ts'
import { limits } from '../contract/plain/limits.ts'
import { normalizeTags, withoutBlank } from '../contract/plain/tag-names.ts'
import { UsageError } from '../server/command.ts'
import { type LinkFormatName, linkFormatNames } from './link-formats.ts'

export const defaultJobs = 4
export const maxJobs = 16

export interface Settings {
  isRecursive: boolean
  watch: string | undefined
  format: LinkFormatName
  isCopied: boolean
  isJson: boolean
  expiresIn: string | undefined
  /** undefined: as the API key or the account has it. */
  visibility: 'private' | undefined
  tags: string[]
  /** Title or id. */
  album: string | undefined
  name: string | undefined
  jobs: number
  isAgain: boolean
}

/** @throws {UsageError} */
export function readSettings(options: Record<string, unknown>): Settings {
  const text = (name: string) => options[name] as string | undefined
  const formatOf = (name: string) => {
    const given = text(name)
    const format = linkFormatNames.find((known) => known === given)
    if (given !== undefined && format === undefined)
      throw new UsageError(`--${name} must be one of ${linkFormatNames.join(', ')}`)
    return format
  }
  const [format, copy] = [formatOf('format'), formatOf('copy')]
  if (format !== undefined && copy !== undefined && format !== copy)
    throw new UsageError('--format and --copy must be the same format')
  const jobs = text('jobs') ?? String(defaultJobs)
  if (!/^\d{1,2}$/.test(jobs) || Number(jobs) < 1 || Number(jobs) > maxJobs)
    throw new UsageError(`--jobs must be a number from 1 to ${maxJobs}`)
  return {
    isRecursive: options['recursive'] === true,
    watch: text('watch'),
    format: copy ?? format ?? 'url',
    isCopied: copy !== undefined,
    isJson: options['json'] === true,
    expiresIn: text('expires-in'),
    visibility: options['private'] === true ? 'private' : undefined,
    tags: readTags(text('tags')),
    album: readAlbum(text('album')),
    name: text('name'),
    jobs: Number(jobs),
    isAgain: options['again'] === true,
  }
}

/** @throws {UsageError} */
function readTags(given = ''): string[] {
  const tags = normalizeTags(withoutBlank(given.split(',')))
  if (!tags) throw new UsageError('--tags must be tags such as travel/italy, with commas between them')
  return tags
}

/** @throws {UsageError} */
function readAlbum(given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  const album = cleanName(given.trim())
  if (album === '' || album.length > limits.albums.maxTitleLength)
    throw new UsageError(`--album must be a title of at most ${limits.albums.maxTitleLength} characters, or an id`)
  return album
}
