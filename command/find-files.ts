// Turns the arguments of `upload` into files: paths, folders and glob patterns that the shell has not expanded.
import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { formatNames, formats } from '../contract/plain/formats.ts'
import { UsageError } from '../server/command.ts'

const extensions = new Set<string>(formatNames.flatMap((name) => formats[name].extensions))

/** By its extension: the server looks at the bytes. */
export const hasImageExtension = (path: string) => extensions.has(/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '')

export interface FoundFiles {
  files: string[]
  /** In the folders: by their extensions no images that a server takes. */
  others: string[]
}

/**
 * Folders contribute the images in them, sorted by name, without hidden files and without following links.
 * @throws {UsageError} for a missing file, a folder without `isRecursive`, a pattern that matches nothing
 */
export async function findFiles(args: string[], { isRecursive }: { isRecursive: boolean }): Promise<FoundFiles> {
  const found: string[] = []
  const others: string[] = []
  for (const arg of args) {
    const kind = await kindOf(arg)
    if (kind === 'file') found.push(arg)
    else if (kind === 'folder' && isRecursive)
      for (const path of await filesUnder(arg)) (hasImageExtension(path) ? found : others).push(path)
    else if (kind === 'folder') throw new UsageError(`${arg} is a folder: add --recursive to upload the images in it`)
    else found.push(...(await filesMatching(arg)))
  }
  return { files: [...new Set(found)], others }
}

async function kindOf(path: string): Promise<'file' | 'folder' | undefined> {
  if (path === '-') return 'file'
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file'
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

async function filesUnder(folder: string): Promise<string[]> {
  const found: string[] = []
  for (const entry of await sortedEntries(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) found.push(...(await filesUnder(path)))
    else if (entry.isFile()) found.push(path)
  }
  return found
}

async function sortedEntries(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.filter(({ name }) => !name.startsWith('.')).sort((a, b) => (a.name < b.name ? -1 : 1))
}

const isPattern = (text: string) => /[*?]/.test(text)

/** `*` and `?` in the file name: Windows' shells, and quotes, leave patterns to the program. */
async function filesMatching(pattern: string): Promise<string[]> {
  const folder = dirname(pattern)
  if (!isPattern(pattern) || isPattern(folder)) throw new UsageError(`${pattern} does not exist`)
  const source = basename(pattern).replace(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
  const name = new RegExp(`^${source.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's')
  const entries = (await kindOf(folder)) === 'folder' ? await sortedEntries(folder) : []
  const found = entries
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => join(folder, entry.name))
  if (found.length === 0) throw new UsageError(`no file matches ${pattern}`)
  return found
}
