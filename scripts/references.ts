// References in comments and documents: paths, file names, links, and numbers of decision records. Each must resolve.
import { posix } from 'node:path'
import { lineOf, proseOf, type SourceFile } from './prose.ts'

const pathPattern =
  /(?<![\w./@:-])(?:client|command|contract|server|web|e2e|bench|faults|fuzz|scripts|docs|deploy)\/[\w./{},*-]*/g
const namePattern = /(?<![\w./@*-])[\w-]+(?:\.[\w-]+)*\.(?:tsx?|mjs|css|md)\b(?![\w/])/g
const linkPattern = /\]\((?!https?:|mailto:|#)([^)\s]+)\)/g

/**
 * @param paths every file of the repository, and every folder with a slash at its end
 * @returns every reference that leads nowhere, as one sentence each
 */
export function deadReferences(files: SourceFile[], paths: string[]): string[] {
  const known = new Set(paths)
  const names = new Set(paths.map((path) => posix.basename(path)))
  const records = new Set(paths.flatMap((path) => /^docs\/decisions\/(\d{4})-/.exec(path)?.[1] ?? []))

  return files.flatMap((file) => {
    const prose = proseOf(file)
    const dead = (pattern: RegExp, resolves: (text: string) => boolean) =>
      [...prose.matchAll(pattern)]
        .map(({ 0: whole, 1: text = whole, index }) => ({ text: text.replace(/[.,:;-]+$/, ''), index }))
        .filter(({ text }) => !resolves(text))
        .map(({ text, index }) => `${file.path}:${lineOf(prose, index)} "${text}" does not exist`)
    return [
      ...dead(pathPattern, (path) => expanded(path).every(isThere)),
      ...dead(namePattern, (name) => names.has(name)),
      ...dead(linkPattern, (link) => isThere(posix.join(posix.dirname(file.path), link.split('#')[0] ?? ''))),
    ]
  })

  function isThere(path: string): boolean {
    const record = /^docs\/decisions\/(\d{4})/.exec(path)?.[1]
    if (record !== undefined) return records.has(record)
    if (path.includes('*')) return isThere(path.slice(0, path.indexOf('*')).replace(/[^/]*$/, ''))
    return path === '' || known.has(path) || known.has(`${path}/`)
  }
}

/** A path with alternatives in braces stands for several paths. */
function expanded(path: string): string[] {
  const [, before = '', choices, after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(path) ?? []
  return choices === undefined ? [path] : choices.split(',').flatMap((choice) => expanded(before + choice + after))
}
