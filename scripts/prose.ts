// The files of the repository with the text that people read in them: comments of code, and Markdown.
import { readdirSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'

const root = new URL('..', import.meta.url)
const rootLength = new URL('.', root).pathname.length
const folders = 'client command contract server web scripts e2e bench faults fuzz docs deploy'.split(' ')

export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  path: string
  source: string
}

/** Every file of code or Markdown, with its content. */
export function proseFiles(): SourceFile[] {
  const paths = repositoryPaths().filter((path) => /\.(tsx?|mjs|css|md)$/.test(path))
  return paths.map((path) => ({ path, source: readFileSync(new URL(path, root), 'utf8') }))
}

/** Every file of the repository, and every folder with a slash at its end. */
export function repositoryPaths(): string[] {
  const top = readdirSync(root, { withFileTypes: true })
  const below = folders.flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, withFileTypes: true }).map((entry) => {
      const path = `${entry.parentPath}/${entry.name}`.replaceAll('\\', '/').slice(rootLength)
      return entry.isDirectory() ? `${path}/` : path
    }),
  )
  return [
    ...top.filter((entry) => entry.isFile()).map(({ name }) => name),
    ...folders.map((folder) => `${folder}/`),
    ...below.filter((path) => !path.includes('node_modules/')),
  ]
}

/** The comments of code, or a whole page, at their places: everything else is blank, and lines keep their numbers. */
export function proseOf({ path, source }: SourceFile): string {
  if (path.endsWith('.md')) return source
  let text = ''
  for (const { start, end } of commentsOf(path, source))
    text += blank(source.slice(text.length, start)) + source.slice(start, end)
  return text
}

export const lineOf = (text: string, index: number) => text.slice(0, index).split('\n').length

function commentsOf(path: string, source: string): { start: number; end: number }[] {
  if (path.endsWith('.css'))
    return [...source.matchAll(/\/\*[\s\S]*?\*\//g)].map(({ 0: text, index: start }) => ({
      start,
      end: start + text.length,
    }))
  const { comments, errors } = parseSync(path, source)
  if (errors[0]) throw new Error(`${path} does not parse: ${errors[0].message}`)
  return comments
}

const blank = (text: string) => text.replaceAll(/\S/g, ' ')
