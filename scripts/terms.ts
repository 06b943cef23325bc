// docs/glossary.md against the names of the repository: exported names, file names, headings, settings, metrics, the help of
// commands, API fields and labels. Sentences are not checked.
import { parseSync } from 'vite'
import { buildOpenApi } from '../contract/derive/openapi.ts'
import type { SourceFile } from './prose.ts'

interface Term {
  term: string
  /** Words that names avoid; with `folder` only there, with `isPrefix` only at the beginning. */
  avoided: { words: string[]; isPrefix: boolean; folder: string }[]
  /** Spellings that are right although they contain such words. */
  allowed: string[]
}

export interface Name {
  text: string
  /** The path of its file, from the root of the repository. */
  path: string
}

const code = /^(?:client|command|contract|server|web|bench|faults|fuzz|e2e|scripts)\/.*\.(?:tsx?|mjs)$/

/** Not the changelog and the decisions, which are history, and not docs/api.md, whose headings are sentences of the contract. */
const page = /^(?:docs\/)?(?!CHANGELOG|api)[\w-]+\.md$/

/** The rows of the table: term, what it replaces, its spelling in code. */
export function readGlossary(source: string): Term[] {
  return [...source.matchAll(/^\| (?!Term )([^|-][^|]*) \| ([^|]*) \| ([^|]*) \|$/gm)].map(
    ([, term = '', avoided = '', spellings = '']) => ({
      term,
      avoided: [...avoided.matchAll(/`([^`]+?)(…?)`(?: in `([^`]+)`)?/g)].map(
        ([, phrase = '', dots = '', folder = '']) => ({ words: wordsOf(phrase), isPrefix: dots !== '', folder }),
      ),
      allowed: [...spellings.matchAll(/`([^`]+)`/g)].map(([, spelling = '']) => spelling),
    }),
  )
}

/** Names that use a word that the glossary replaces, as one sentence each. */
export function wrongNames(terms: Term[], names: Name[]): string[] {
  const wrong = names.flatMap(({ text, path }) => {
    const words = wordsOf(text)
    return terms.flatMap(({ term, avoided, allowed }) => {
      const avoidedIn = (some: string[]) => avoided.find((one) => path.startsWith(one.folder) && contains(some, one))
      // Most names have no such word, and looking for the spellings takes long.
      if (!avoidedIn(words)) return []
      const found = avoidedIn(wordsOf(allowed.reduce((rest, spelling) => rest.replace(exactly(spelling), ' '), text)))
      return found ? [`${path}: "${text}" has "${found.words.join(' ')}", say ${term} (docs/glossary.md)`] : []
    })
  })
  return [...new Set(wrong)]
}

const exactly = (spelling: string) => new RegExp(String.raw`(?<![\w-])${spelling}(?![\w-])`, 'g')

const contains = (words: string[], { words: sought, isPrefix }: Term['avoided'][number]): boolean =>
  words.some((_, at) => (at === 0 || !isPrefix) && sought.every((word, n) => isWord(words[at + n], word)))

const isWord = (found: string | undefined, word: string) =>
  found !== undefined && [word, `${word}s`, `${word}es`].includes(found)

/** The words of `refuseNoLogin`, `near-matches`, `hot_pictures`, or of a label. */
const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean)

/** File and folder names below the folders of code and of documents. @param paths every file of the repository */
export const fileNames = (paths: string[]): Name[] =>
  paths.filter((path) => path.includes('/')).flatMap((path) => path.split('/').map((text) => ({ text, path })))

/** Fields of request and response bodies, and parameters. */
export const apiFields = (): Name[] => fieldsIn(buildOpenApi('')).map((text) => ({ text, path: 'contract/' }))

/** All other names. @param settings the text of .env.example */
export function namesIn(files: SourceFile[], settings: string): Name[] {
  const metrics = files.find(({ path }) => path === 'docs/metrics.md')
  return [
    ...files.filter(({ path }) => code.test(path)).flatMap(namesInCode),
    ...files.filter(({ path }) => page.test(path)).flatMap(headings),
    ...matches({ path: '.env.example', source: settings }, /^#? ?([A-Z][A-Z\d_]+)=/gm),
    ...(metrics ? matches(metrics, /^\| `(image_host_\w+)`/gm) : []),
  ]
}

const matches = ({ path, source }: SourceFile, pattern: RegExp): Name[] =>
  [...source.matchAll(pattern)].map(([, text = '']) => ({ text, path }))

const headings = ({ path, source }: SourceFile) =>
  matches({ path, source: source.replaceAll(/^```[\s\S]*?^```/gm, '') }, /^#+ (.+)$/gm)

function namesInCode({ path, source }: SourceFile): Name[] {
  const { module, program } = parseSync(path, source)
  const exported = module.staticExports.flatMap(({ entries }) => entries.map(({ exportName }) => exportName.name ?? ''))
  const texts: string[] = []
  if (/^(?:command|server\/cli)\//.test(path)) texts.push(...textsIn(program, ['usage', 'help']))
  if (path.startsWith('web/texts/')) texts.push(...textsIn(program).filter(isLabel))
  return [...exported, ...texts].map((text) => ({ text, path }))
}

/** A few words without an end: the text of a button, a column or a heading. */
const isLabel = (text: string) => text.split(' ').length <= 4 && !/[.!?]$/.test(text)

/** The strings of a syntax tree. @param keys only those of properties with these names */
function textsIn(node: unknown, keys?: string[]): string[] {
  if (typeof node !== 'object' || node === null) return []
  const { type, value, key } = node as { type?: string; value?: unknown; key?: { name?: string } }
  if (type === 'ImportDeclaration') return []
  if (type === 'Property' && keys?.includes(key?.name ?? '')) return textsIn(value)
  if (type === 'Literal' && typeof value === 'string') return keys ? [] : [value]
  if (type === 'TemplateElement') return keys ? [] : [(value as { cooked: string }).cooked]
  return Object.values(node).flatMap((child) => textsIn(child, keys))
}

/** Parameters, and fields of bodies at any depth. */
function fieldsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties, parameters } = schema as { properties?: object; parameters?: { name: string }[] }
  const own = [
    ...Object.keys(properties ?? {}),
    ...(Array.isArray(parameters) ? parameters.map(({ name }) => name) : []),
  ]
  return [...own, ...Object.values(schema).flatMap(fieldsIn)]
}
