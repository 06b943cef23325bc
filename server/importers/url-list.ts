// A list of URLs: text files with one in each line. Lines that begin with # are comments.
import { readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Deps } from '../domain/shared/deps.ts'
import { Failure } from '../domain/shared/failure.ts'
import { fetchRemoteImage } from '../domain/uploads/remote-image.ts'
import { problemOfUrl } from '../remote/remote-client.ts'
import { original, type Source, type SourceImage, SourceProblem } from './source-types.ts'

export async function openUrls(deps: Deps, paths: string[]): Promise<Source> {
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')))
  // PostgreSQL stores no NUL.
  const lines = texts.flatMap((text) => text.replaceAll('\0', '').split(/\r?\n/))
  const urls = new Set(lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#')))
  return {
    async *users() {},
    async *images() {
      for (const url of urls) yield toImage(deps, url)
    },
    close: async () => {},
  }
}

function toImage(deps: Deps, url: string): SourceImage {
  const problem = problemOfUrl(url)
  const { pathname } = problem === null ? new URL(url) : { pathname: '' }
  let modifiedAt: number | null = null
  return {
    id: url,
    ownerId: null,
    name: decode(pathname.slice(pathname.lastIndexOf('/') + 1)) || 'image',
    /** Known once it is saved. */
    get createdAt() {
      return modifiedAt
    },
    expiresAt: null,
    visibility: 'public',
    password: undefined,
    tags: [],
    paths: pathname === '' || pathname === '/' ? [] : [original(decode(pathname))],
    ...(problem !== null && { problem: `its URL ${problem}` }),
    async save(path, maxBytes) {
      try {
        const options = {
          folder: dirname(path),
          maxBytes,
          reserve: async () => {},
          fetchedBy: 'import',
          allowPrivate: true,
        }
        const file = await fetchRemoteImage({ ...deps, config: { ...deps.config, UPLOAD_BY_URL: true } }, url, options)
        await rename(file.path, path)
        modifiedAt = file.modifiedAt
      } catch (error) {
        if (error instanceof Failure && error.code !== 'busy') throw new SourceProblem(error.message, { cause: error })
        throw error
      }
    },
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
