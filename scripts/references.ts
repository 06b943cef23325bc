// References in comments and documents: to files, decision records and sections. Each must resolve inside the repository,
// or name a public standard.
import { posix } from 'node:path'
import { lineOf, proseOf, type SourceFile } from './prose.ts'

/** What precedes the number of a section when it is one of a published document. */
const publicStandard =
  /\b(?:RFC \d+|ITU-T|ISO|IEC|W3C|WCAG|WHATWG|HTML|CSS|SVG|PNG|GIF|JPEG|Exif|ICC|WebP|ECMA|OWASP|ASVS|NIST|CVE|SigV4|PostgreSQL|SQLite)\b|https?:\/\//

/** Documents that are not part of the repository, by the names under which they were cited. */
const outside: [pattern: RegExp, why: string][] = [
  [/\bdecisions? (?:sections? )?\d+(?!\d*\/)/gi, 'cite a record as docs/decisions/NNNN'],
  [/\bsecurity rules?\b/gi, 'state the rule, or cite docs/security.md'],
  [/(?<![\w/.])design\/[\w.-]*/g, 'is not in this repository'],
  [/(?<![\w/.-])(?:spec\.txt|ui\.md|strings\.md|clients\.md|mocks\/[\w.-]*)/g, 'is not in this repository'],
]
/** In code; the pages of docs/ link to it. "The PNG specification" is public. */
const bareSpecification = /(?<![\w/])(?<!\b[A-Z][A-Za-z0-9]+ )specification(?![\w.]*\.md)(?! of\b)/gi

/** Files that are there only when they have something to say. */
const optional = new Set(['docs/advisories.json'])

const folders = 'contract|server|web|e2e|bench|faults|fuzz|scripts|docs|deploy'

export interface Reference {
  path: string
  line: number
  text: string
  why: string
}

/**
 * @param paths every file of the repository, and every folder with a slash at its end
 * @param files those with prose; the headings of Markdown files among them can be referred to
 * @returns every reference that leads nowhere
 */
export function deadReferences(files: SourceFile[], paths: string[]): Reference[] {
  const known = new Set(paths)
  const names = new Set(paths.map((path) => posix.basename(path)))
  const headings = new Map(
    files.filter(({ path }) => path.endsWith('.md')).map(({ path, source }) => [path, headingsOf(source)]),
  )
  const records = new Set(paths.flatMap((path) => /^docs\/decisions\/(\d{4})-/.exec(path)?.[1] ?? []))

  return files.flatMap((file) => {
    const prose = proseOf(file, { withCode: true })
    const complaint = (index: number, text: string, why: string): Reference => ({
      path: file.path,
      line: lineOf(prose, index),
      text,
      why,
    })
    return [
      ...outsideReferences(),
      ...[...prose.matchAll(new RegExp(String.raw`(?<![\w./@:-])(?:${folders})/[\w./{},*-]*`, 'g'))].flatMap(toPath),
      ...[...prose.matchAll(/(?<![\w./@*-])[\w-]+(?:\.[\w-]+)*\.(?:tsx?|mjs|css|md)\b(?![\w/])/g)].flatMap(toFileName),
      ...[...prose.matchAll(/\]\((?!https?:|mailto:|#)([^)\s]+)\)/g)].flatMap(toLink),
      ...[
        ...prose.matchAll(/\b(docs\/[\w-]+\.md)(?:\]\([^)]*\))?[`,\s*]*(?:"([^"\n]+)"|sections? (\d+(?:\.\d+)*))/g),
      ].flatMap(toSection),
      ...[...prose.matchAll(/\bsections? \d+(?:\.\d+)*/gi)].flatMap(toBareSection),
    ]

    function outsideReferences(): Reference[] {
      const patterns = file.path.endsWith('.md')
        ? outside
        : [...outside, [bareSpecification, 'cite docs/specification.md section N'] as const]
      return patterns.flatMap(([pattern, why]) =>
        [...prose.matchAll(pattern)].map(({ 0: text, index }) => complaint(index, text, why)),
      )
    }

    function toPath({ 0: found, index }: RegExpExecArray): Reference[] {
      const path = found.replace(/[.,:;-]+$/, '')
      const [, record] = /^docs\/decisions\/(\d{4})/.exec(path) ?? []
      const resolves = record === undefined ? expanded(path).every(isThere) : records.has(record)
      return resolves ? [] : [complaint(index, path, 'there is no such file or folder')]
    }

    function toFileName({ 0: name, index }: RegExpExecArray): Reference[] {
      return names.has(name) ? [] : [complaint(index, name, 'there is no such file')]
    }

    function toLink({ 1: target = '', index }: RegExpExecArray): Reference[] {
      const path = posix.join(posix.dirname(file.path), target.split('#')[0] ?? '')
      return isThere(path) ? [] : [complaint(index, target, 'there is no such file or folder')]
    }

    function toSection({ 0: text, 1: page = '', 2: heading, 3: number, index }: RegExpExecArray): Reference[] {
      const found = headings.get(page) ?? []
      const resolves = found.some((title) =>
        heading === undefined ? title.split(/\.? /)[0] === number : title === heading || title.endsWith(` ${heading}`),
      )
      return resolves ? [] : [complaint(index, text, 'the page has no such section')]
    }

    function toBareSection({ 0: text, index }: RegExpExecArray): Reference[] {
      const before =
        prose
          .slice(Math.max(0, index - 100), index)
          .split('\0')
          .at(-1) ?? ''
      const resolves =
        publicStandard.test(before) || /\bdocs\/[\w-]+\.md\S*\s+$/.test(before) || file.path.endsWith('.md')
      return resolves ? [] : [complaint(index, text, 'of which document?')]
    }

    function isThere(path: string): boolean {
      if (path.includes('*')) return isThere(path.slice(0, path.indexOf('*')).replace(/[^/]*$/, ''))
      return path === '' || optional.has(path) || known.has(path) || known.has(`${path}/`)
    }
  })
}

/** A path with alternatives in braces stands for several paths. */
function expanded(path: string): string[] {
  const [, before = '', choices, after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(path) ?? []
  return choices === undefined ? [path] : choices.split(',').flatMap((choice) => expanded(before + choice + after))
}

const headingsOf = (source: string) => [...source.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.trim())

export const sentenceOf = ({ path, line, text, why }: Reference) => `${path}:${line} "${text}": ${why}`
