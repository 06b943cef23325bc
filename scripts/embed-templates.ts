// A Vite plugin: provides the embed templates as highlighted tokens, so that the page loads no highlighter (Shiki is 214 kB,
// the tokens are 3 kB). The page fills the placeholders `__NAME__`; a value has the colour of its placeholder.
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { ThemeRegistration } from 'shiki/core'
import type { Plugin } from 'vite'

const folder = fileURLToPath(new URL('../web/features/embed/templates/', import.meta.url))
const virtualId = 'virtual:embed-templates'

const languages: Record<string, string> = {
  html: 'html',
  react: 'tsx',
  vue: 'vue',
  angular: 'angular-ts',
  flutter: 'dart',
  laravel: 'blade',
  markdown: 'markdown',
  wordpress: 'html',
  ios: 'swift',
  android: 'kotlin',
  jquery: 'javascript',
  python: 'python',
}

/** The kind of a token is its index here; 0 is plain text. web/features/embed/embed-dialog.tsx has the classes in this order. */
const kinds = [
  { scope: [] },
  { scope: ['comment', 'punctuation.definition.comment'] },
  { scope: ['keyword', 'storage', 'punctuation.definition.template-expression', 'punctuation.decorator'] },
  { scope: ['string', 'punctuation.definition.string', 'markup.underline.link'] },
  { scope: ['entity.name.function', 'support.function', 'entity.name.type', 'entity.name.class', 'support.class'] },
  { scope: ['constant', 'variable.language', 'support.constant'] },
  { scope: ['punctuation', 'meta.brace', 'keyword.operator'] },
  { scope: ['entity.name.tag', 'support.class.component'] },
  { scope: ['entity.other.attribute-name', 'support.type.property-name'] },
]

const colour = (kind: number) => `#${kind.toString(16).padStart(6, '0')}`
const theme: ThemeRegistration = {
  name: 'kinds',
  type: 'light',
  settings: kinds.map(({ scope }, kind) => ({ scope, settings: { foreground: colour(kind) } })),
  fg: colour(0),
  bg: '#ffffff',
}

export function embedTemplates(): Plugin {
  let made: Promise<string> | undefined
  return {
    name: 'embed-templates',
    resolveId: (id) => (id === virtualId ? `\0${virtualId}` : undefined),
    async load(id) {
      if (id !== `\0${virtualId}`) return
      if (this.meta.watchMode) made = undefined
      return (made ??= makeModule())
    },
  }
}

async function makeModule(): Promise<string> {
  const tokenize = await createTokenizer()
  const files = (await readdir(folder)).filter((name) => name.endsWith('.txt')).sort()
  const templates = await Promise.all(
    files.map(async (file) => {
      const id = file.slice(0, -'.txt'.length)
      const code = (await readFile(folder + file, 'utf8')).trimEnd()
      const language = languages[id.split('-')[0] ?? '']
      if (language === undefined) throw new Error(`The embed format ${id} has no row in languages`)
      return [id, tokenize(code, language)]
    }),
  )
  return `export const templates = JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(templates)))})`
}

type Token = [text: string, kind: number]

async function createTokenizer() {
  const [{ createHighlighter }, { createJavaScriptRegexEngine }] = await Promise.all([
    import('shiki'),
    import('shiki/engine/javascript'),
  ])
  const langs = [...new Set(Object.values(languages))]
  const highlighter = await createHighlighter({ langs, themes: [theme], engine: createJavaScriptRegexEngine() })
  return (code: string, lang: string): Token[][] =>
    highlighter
      .codeToTokensBase(stand(code), { lang: lang as 'html', theme: theme.name as 'nord' })
      .map((line) =>
        joined(line.map(({ content, color }) => [restore(content), Number.parseInt(color?.slice(1) ?? '0', 16)])),
      )
}

/** Placeholders that the grammar accepts: a number for numbers, and without underscores, which are emphasis in Markdown. */
const numbers = ['W', 'H', 'DECORATIVE']
const stand = (code: string) =>
  code.replace(/__([A-Z]+)__/g, (_, name: string) =>
    numbers.includes(name) ? `99${numbers.indexOf(name)}99` : `zq${name}zq`,
  )
const restore = (text: string) =>
  text
    .replace(/99(\d)99/g, (_, at: string) => `__${numbers[Number(at)]}__`)
    .replace(/zq([A-Z]+)zq/g, (_, name: string) => `__${name}__`)

/** Merges adjacent tokens of one colour; white space takes the colour of the preceding token. */
function joined(tokens: Token[]): Token[] {
  const result: Token[] = []
  for (const [text, kind] of tokens) {
    const last = result.at(-1)
    if (last !== undefined && (last[1] === kind || text.trim() === '')) last[0] += text
    else result.push([text, kind])
  }
  return result
}
