// Which part may import which: the table of the house, and a reader of imports that holds the house to it.
import { posix } from 'node:path'
import { parseSync } from 'vite'

/** The wings, and what each may import besides itself. What stands outside them (dist/, configuration files) is free. */
export const wings: Record<string, string[]> = {
  contract: [],
  server: ['contract'],
  web: ['contract'],
  scripts: ['contract'],
  e2e: ['contract'],
  bench: ['contract', 'e2e', 'faults', 'server'],
  faults: ['contract', 'e2e', 'server'],
  fuzz: ['contract', 'e2e', 'faults', 'server'],
}

/** What a wing may take from another one all the same: the makers of hostile files, for journeys too. */
const doors = [{ from: /^e2e\//, to: /^server\/imaging\/(.*\/)?testing\// }]

/**
 * Inside a folder, from top to bottom: a part may import what stands below it, never what stands above; parts on one
 * line do not know each other. '*' is every part that is not named.
 */
export const layers: Record<string, string[][]> = {
  server: [
    ['main', 'cli', 'testing'],
    ['app', 'start-failure'],
    ['http', 'jobs', 'open-deps'],
    ['domain', 'jwt-secret'],
    ['imaging', 'db', 'blobs', 'mail', 'metrics', 'config', 'logger', 'versions', 'heap-growth'],
    ['concurrency', 'network-errors', 'request-durations'],
  ],
  // The three meet only in the files that stand directly in domain/, such as deps, caller and failure.
  'server/domain': [['images', 'accounts', 'database'], ['*']],
  web: [['main'], ['app'], ['pages'], ['features'], ['data', 'ui'], ['texts', 'format', 'paths', 'styles']],
  'web/features': [['*']],
}
/** Here the parts of the '*' line may know each other; the rule against circles still binds them. */
const friendly = ['server/domain']

interface Rule {
  why: string
  of: RegExp
  mayNotImport: RegExp
  except?: RegExp
}

/** What the layers do not say. Types count too; tests are free of these. */
export const rules: Rule[] = [
  {
    why: 'the contract knows zod and itself, nothing else',
    of: /^contract\//,
    mayNotImport: /^(?!contract\/|zod$)/,
  },
  {
    why: 'only open-deps.ts names a concrete backend; everyone else knows the port',
    of: /^server\//,
    mayNotImport: /^server\/(db\/(sqlite|postgres)|blobs\/(disk|s3))\b/,
    except: /^server\/(open-deps\.ts|db\/|blobs\/)/,
  },
  {
    why: 'zod stays out of the page',
    of: /^web\//,
    mayNotImport: /^zod$/,
  },
]

export interface Module {
  /** From the root of the repository, with forward slashes. */
  path: string
  source: string
}

interface Import {
  from: string
  /** A path as in Module, or the name of a package. */
  to: string
  /** Gone at run time. */
  isType: boolean
}

/** Every import in these modules that goes against the tables above, and every circle, each as one sentence. */
export function wrongImports(modules: Module[]): string[] {
  const known = new Set(modules.map((module) => module.path))
  const imports = modules.flatMap(importsOf).map((found) => ({ ...found, to: withEnding(found.to, known) }))
  return [
    ...imports.flatMap((found) => complaintsAbout(found).map((why) => `${found.from} imports ${found.to}: ${why}`)),
    ...zodInThePage(imports),
    ...circles(imports.filter((found) => !found.isType)),
  ]
}

function complaintsAbout({ from, to }: Import): string[] {
  const wing = acrossWings(from, to)
  if (wing !== undefined) return [wing]
  if (isTest(from)) return []
  const broken = rules.filter(
    (rule) => rule.of.test(from) && rule.mayNotImport.test(to) && rule.except?.test(from) !== true,
  )
  return [againstLayers(from, to) ?? [], broken.map((rule) => rule.why)].flat()
}

/** Tests stand beside what they test and use what they need of their own wing. */
const isTest = (path: string) => /\.test\.tsx?$/.test(path) || path.startsWith('server/testing/')

function acrossWings(from: string, to: string): string | undefined {
  const [here, there] = [wingOf(from), wingOf(to)]
  if (here === undefined || there === undefined || here === there || wings[here]?.includes(there)) return undefined
  if (doors.some((door) => door.from.test(from) && door.to.test(to))) return undefined
  return `${here}/ may not import ${there}/`
}

function wingOf(path: string): string | undefined {
  const first = path.split('/')[0] ?? ''
  return path.includes('/') && first in wings ? first : undefined
}

/** Goes down the folders that both paths stand in: where the two part, the table of that folder decides. */
function againstLayers(from: string, to: string): string | undefined {
  for (const [folder, rows] of Object.entries(layers)) {
    const [here, there] = [partOf(folder, from), partOf(folder, to)]
    if (here === undefined || there === undefined || here === there) continue
    const [hereRow, thereRow] = [rowOf(rows, here), rowOf(rows, there)]
    for (const [part, row] of [
      [here, hereRow],
      [there, thereRow],
    ] as const)
      if (row < 0) return `${part} has no place among the layers of ${folder}/; give it one in scripts/arrows.ts`
    if (hereRow > thereRow) return `in ${folder}/, ${here} stands below ${there}`
    const areFriends = friendly.includes(folder) && rows[hereRow]?.includes('*')
    if (hereRow === thereRow && !areFriends) return `in ${folder}/, ${here} and ${there} do not know each other`
  }
  return undefined
}

/** Of 'server' and server/http/bind.ts: 'http'; of 'server' and server/app.ts: 'app'. */
function partOf(folder: string, path: string): string | undefined {
  if (!path.startsWith(`${folder}/`)) return undefined
  return path
    .slice(folder.length + 1)
    .split('/')[0]
    ?.replace(/\.\w+$/, '')
}

function rowOf(rows: string[][], part: string): number {
  const named = rows.findIndex((row) => row.includes(part))
  return named >= 0 ? named : rows.findIndex((row) => row.includes('*'))
}

/** No contract file that the page imports may lead to zod, however far down, in what is loaded at run time. */
function zodInThePage(imports: Import[]): string[] {
  const loaded = imports.filter((found) => !found.isType && !isTest(found.from))
  const withZod = new Set(['zod'])
  for (let before = 0; before < withZod.size;) {
    before = withZod.size
    for (const { from, to } of loaded) if (withZod.has(to)) withZod.add(from)
  }
  return loaded
    .filter(({ from, to }) => from.startsWith('web/') && to.startsWith('contract/') && withZod.has(to))
    .map(({ from, to }) => `${from} imports ${to}: it loads zod, which stays out of the page (import its types only)`)
}

function circles(imports: Import[]): string[] {
  const next = new Map<string, string[]>()
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to])
  const done = new Set<string>()
  const walk = (path: string, trail: string[]): string[] => {
    if (trail.includes(path)) return [`a circle: ${[...trail.slice(trail.indexOf(path)), path].join(' > ')}`]
    if (done.has(path)) return []
    const found = (next.get(path) ?? []).flatMap((to) => walk(to, [...trail, path]))
    done.add(path)
    return found
  }
  return [...next.keys()].flatMap((path) => walk(path, []))
}

/** Imports, dynamic ones too, and re-exports. By a real parser: a text that only looks like an import is none. */
function importsOf({ path, source }: Module): Import[] {
  const { module, errors } = parseSync(path, source)
  if (errors[0]) throw new Error(`${path} does not parse: ${errors[0].message}`)
  const say = (specifier: string, isType: boolean) => ({ from: path, to: resolve(path, specifier), isType })
  const textOf = (at: { start: number; end: number }) => source.slice(at.start, at.end)
  return [
    // `import { type A } from 'x'` still loads x; only `import type` does not.
    ...module.staticImports.map((found) => say(found.moduleRequest.value, /^import\s+type\b/.test(textOf(found)))),
    ...module.staticExports.flatMap((found) => {
      const request = found.entries.find((entry) => entry.moduleRequest)?.moduleRequest
      return request ? [say(request.value, /^export\s+type\b/.test(textOf(found)))] : []
    }),
    ...module.dynamicImports.flatMap((found) => {
      const literal = /^['"`](.+)['"`]$/.exec(textOf(found.moduleRequest))?.[1]
      return literal === undefined ? [] : [say(literal, false)]
    }),
  ]
}

const resolve = (from: string, specifier: string) =>
  specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : specifier

/** The page's bundler also takes './button' for './button.tsx'. */
const withEnding = (path: string, known: Set<string>) =>
  ['', '.ts', '.tsx'].map((ending) => path + ending).find((candidate) => known.has(candidate)) ?? path
