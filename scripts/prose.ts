// The prose of the repository: comments and test titles of its code, and its Markdown. What the check of references reads.
import { readdirSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'

const root = new URL('..', import.meta.url)
const folders = ['contract', 'server', 'web', 'scripts', 'e2e', 'bench', 'faults', 'fuzz', 'docs', 'deploy']

export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  path: string
  source: string
}

/** Files whose prose is checked, with their content. */
export function proseFiles(): SourceFile[] {
  const paths = repositoryPaths().filter((path) => /\.(tsx?|mjs|css|md)$/.test(path))
  return paths.map((path) => ({ path, source: readFileSync(new URL(path, root), 'utf8') }))
}

/** Every file of the repository, and every folder with a slash at its end. */
export function repositoryPaths(): string[] {
  const top = readdirSync(root, { withFileTypes: true })
  const below = folders.flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, withFileTypes: true }).map((entry) => {
      const path = `${entry.parentPath}/${entry.name}`.replaceAll('\\', '/').slice(pathLength)
      return entry.isDirectory() ? `${path}/` : path
    }),
  )
  return [
    ...top.filter((entry) => entry.isFile()).map(({ name }) => name),
    ...folders.map((folder) => `${folder}/`),
    ...below.filter((path) => !path.includes('node_modules/')),
  ]
}

const pathLength = new URL('.', root).pathname.length

/**
 * The prose of a file at its place: what is not prose is replaced by NUL characters, line breaks
 * stay. A phrase can span the lines of a comment, but not code. Code in backticks is not prose,
 * unless `withCode`.
 */
export function proseOf({ path, source }: SourceFile, { withCode = false } = {}): string {
  const text = path.endsWith('.md') ? source : masked(source, rangesOf(path, source))
  if (withCode) return text
  return text.replaceAll(/^```[\s\S]*?^```|`[^`\n]*`/gm, blank)
}

export const lineOf = (text: string, index: number) => text.slice(0, index).split('\n').length

type Range = [start: number, end: number]

function rangesOf(path: string, source: string): Range[] {
  if (path.endsWith('.css'))
    return [...source.matchAll(/\/\*[\s\S]*?\*\//g)].map(({ 0: text, index }) => [index, index + text.length])
  const { comments, errors } = parseSync(path, source)
  if (errors[0]) throw new Error(`${path} does not parse: ${errors[0].message}`)
  const inComments = comments.map(({ start, end }): Range => [start, end])
  return /\.(test|spec|bench|fault)\.tsx?$/.test(path) ? [...inComments, ...titlesIn(source)] : inComments
}

const title = /(?:\b(?:it|test|describe)(?:\.\w+)*(?:<[^(]*>)?|\]\))\(\s*(['"`])((?:\\.|(?!\1)[^\n])*)\1/g

const titlesIn = (source: string) =>
  [...source.matchAll(title)].map(({ 0: call, 2: text = '', index }): Range => {
    const end = index + call.length - 1
    return [end - text.length, end]
  })

function masked(source: string, ranges: Range[]): string {
  let text = ''
  let at = 0
  for (const [start, end] of ranges.toSorted(([a], [b]) => a - b)) {
    if (start < at) continue
    text +=
      blank(source.slice(at, start)) + source.slice(start, end).replaceAll(/^\/\*+|\*\/$|^\s*\*+|^\s*\/\//gm, spaces)
    at = end
  }
  return text + blank(source.slice(at))
}

const blank = (text: string) => text.replaceAll(/\S/g, '\0')
const spaces = (text: string) => text.replaceAll(/[^\n]/g, ' ')
