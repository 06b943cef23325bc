// The allowed imports between the areas of the repository and between the rooms of a folder, and a checker of all imports.
import { posix } from 'node:path'
import { parseSync } from 'vite'

/** The areas, and which others each may import. Files outside of them (dist/, configuration files) are not checked. */
export const areas: Record<string, string[]> = {
  contract: [],
  client: ['contract'],
  command: ['client', 'contract', 'server'],
  server: ['contract'],
  web: ['contract'],
  scripts: ['contract'],
  e2e: ['contract'],
  bench: ['contract', 'e2e', 'faults', 'server'],
  faults: ['contract', 'e2e', 'server'],
  fuzz: ['contract', 'e2e', 'faults', 'server'],
}

/**
 * Journeys also use the generators of hostile files, the mail server and the OpenID provider of the server's tests; tests of
 * deployments run programs as scripts do; journeys and faults ask what this run of the tests selects; the page of settings is
 * written from the settings.
 */
const testTools = [
  { from: /^(e2e|faults)\//, to: /^scripts\/(cpu-seconds\.mjs|test-(report|selection)\.ts)$/ },
  {
    from: /^e2e\//,
    to: /^server\/(imaging\/(.*\/)?testing\/|testing\/(smtp-server|oidc-provider|free-port|sxcu)\.ts$)/,
  },
  { from: /^scripts\/docs\.ts$/, to: /^server\/testing\/settings-doc\.ts$/ },
  { from: /^e2e\/deploy\//, to: /^scripts\/(install|node-version|run)\.mjs$/ },
]

/**
 * The order of the rooms of a folder, from top to bottom: each may import lower ones only. A room is a folder, or a file beside
 * them. Rooms of one row may not import each other. '*' is every room that is not listed.
 */
export const order: Record<string, string[][]> = {
  contract: [['client-setups'], ['derive'], ['compat'], ['endpoints'], ['plain']],
  server: [
    ['main', 'cli', 'testing'],
    ['importers', 'app', 'lost-errors', 'unknown-settings', 'start-failure'],
    ['take-data-dir'],
    ['http', 'jobs', 'leftovers', 'open-deps', 'command'],
    ['domain', 'jwt-secret'],
    [
      'imaging',
      'db',
      'blobs',
      'mail',
      'identity-providers',
      'remote',
      'metrics',
      'config',
      'logger',
      'versions',
      'heap-growth',
    ],
    ['concurrency', 'network-errors', 'command-prefix', 'installation', 'make-folders'],
  ],
  'server/domain': [
    ['operations'],
    ['database-view'],
    ['backups'],
    ['links', 'members'],
    ['accounts'],
    ['uploads'],
    ['albums'],
    ['delivery'],
    ['moderation'],
    ['images'],
    ['webhooks'],
    ['mail'],
    ['audit'],
    ['shared'],
  ],
  'server/http': [
    ['build-server'],
    ['bind', 'node-server'],
    ['routes'],
    ['protocols', 'pages'],
    ['uploads', 'delivery', 'operations'],
    ['guard'],
    ['request', 'handler'],
  ],
  web: [
    ['main', 'link-page'],
    ['app'],
    ['pages'],
    ['features'],
    ['model', 'ui'],
    ['texts', 'format', 'paths', 'styles'],
  ],
  'web/features': [['*']],
}

interface Rule {
  why: string
  of: RegExp
  mayNotImport: RegExp
  except?: RegExp
}

/** Rules in addition to the order. Type imports count; tests are exempt. */
export const rules: Rule[] = [
  {
    why: 'the contract imports zod and itself only',
    of: /^contract\//,
    mayNotImport: /^(?!contract\/|zod$)/,
  },
  {
    why: 'contract/plain/ imports nothing but itself: the page loads it, without zod',
    of: /^contract\/plain\//,
    mayNotImport: /^(?!contract\/plain\/)/,
  },
  {
    why: 'only open-deps.ts imports a concrete backend; other files import the port',
    of: /^server\//,
    mayNotImport: /^server\/(db\/(sqlite|postgres)|blobs\/(disk|s3))\b/,
    except: /^server\/(open-deps\.ts|db\/|blobs\/)/,
  },
  {
    why: 'only server/imaging/decoder/ imports sharp: images are parsed in decoder processes only',
    of: /^server\//,
    mayNotImport: /^sharp$/,
    // versions.ts reads the version of libvips; seed draws its own images.
    except: /^server\/(imaging\/(decoder|testing)\/|cli\/seed\/|versions\.ts$)/,
  },
  {
    why: 'pool/ never imports decoder/; what they share is in protocol.ts',
    of: /^server\/imaging\/pool\//,
    mayNotImport: /^server\/imaging\/decoder\//,
  },
  {
    why: 'command/ starts the server or runs its commands; its own commands only send requests',
    of: /^command\//,
    mayNotImport: /^server\/(?!cli\/read-secret\.ts$|(command|command-prefix|installation|make-folders)\.ts$)/,
    except: /^command\/all-commands\.ts$/,
  },
  {
    why: 'zod stays out of the page',
    of: /^web\//,
    mayNotImport: /^zod$/,
  },
]

/** Only a call of import() may load them: each costs time and memory that most instances never need. */
const loadedWhenUsed = ['@aws-sdk/client-s3', '@simplewebauthn/server', 'nodemailer', 'openid-client', 'otpauth', 'pg']

export interface Module {
  /** From the root of the repository, with forward slashes. */
  path: string
  source: string
}

interface Import {
  from: string
  /** A path as in Module, or the name of a package. */
  to: string
  /** Erased at run time. */
  isType: boolean
  /** By a call of import(). */
  isLazy: boolean
}

/** Every import that violates the tables above, and every circle, as one sentence each. */
export function wrongImports(modules: Module[]): string[] {
  const known = new Set(modules.map((module) => module.path))
  const imports = modules.flatMap(importsOf).map((found) => ({ ...found, to: withEnding(found.to, known) }))
  return [
    ...imports.flatMap((found) => violationsOf(found).map((why) => `${found.from} imports ${found.to}: ${why}`)),
    ...zodInThePage(imports),
    ...circles(imports),
  ]
}

function violationsOf({ from, to, isType, isLazy }: Import): string[] {
  const area = acrossAreas(from, to)
  if (area !== undefined) return [area]
  if (isTest(from)) return []
  const isEager = !isType && !isLazy && from.startsWith('server/') && loadedWhenUsed.includes(to)
  const broken = rules.filter(
    (rule) => rule.of.test(from) && rule.mayNotImport.test(to) && rule.except?.test(from) !== true,
  )
  const eager = isEager ? ['it is loaded when it is used, by import()'] : []
  return [againstOrder(from, to) ?? [], broken.map((rule) => rule.why), eager].flat()
}

/** Tests may import everything in their own area. */
const isTest = (path: string) => /\.test\.tsx?$/.test(path) || path.startsWith('server/testing/')

function acrossAreas(from: string, to: string): string | undefined {
  const [here, there] = [areaOf(from), areaOf(to)]
  if (here === undefined || there === undefined || here === there || areas[here]?.includes(there)) return undefined
  if (testTools.some((tools) => tools.from.test(from) && tools.to.test(to))) return undefined
  return `${here}/ may not import ${there}/`
}

function areaOf(path: string): string | undefined {
  const first = path.split('/')[0] ?? ''
  return path.includes('/') && first in areas ? first : undefined
}

/** Compares the rooms of the two paths in each folder that contains both. */
function againstOrder(from: string, to: string): string | undefined {
  for (const [folder, rows] of Object.entries(order)) {
    const [here, there] = [roomOf(folder, from), roomOf(folder, to)]
    if (here === undefined || there === undefined || here === there) continue
    const [hereRow, thereRow] = [rowOf(rows, here), rowOf(rows, there)]
    for (const [room, row] of [
      [here, hereRow],
      [there, thereRow],
    ] as const)
      if (row < 0) return `${room} has no place in the order of ${folder}/; add it in scripts/import-rules.ts`
    if (hereRow > thereRow) return `in ${folder}/, ${here} is below ${there}`
    if (hereRow === thereRow) return `in ${folder}/, ${here} and ${there} may not import each other`
  }
  return undefined
}

/** The room of a path in a folder: 'http' for server/http/bind.ts in 'server', 'app' for server/app.ts. */
function roomOf(folder: string, path: string): string | undefined {
  if (!path.startsWith(`${folder}/`)) return undefined
  return path
    .slice(folder.length + 1)
    .split('/')[0]
    ?.replace(/\.\w+$/, '')
}

function rowOf(rows: string[][], room: string): number {
  const named = rows.findIndex((row) => row.includes(room))
  return named >= 0 ? named : rows.findIndex((row) => row.includes('*'))
}

/** Contract files that the page loads at run time may not import zod, directly or indirectly. */
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

/** Static and dynamic imports and re-exports, from the parsed module: strings that look like imports do not count. */
function importsOf({ path, source }: Module): Import[] {
  const { module, errors } = parseSync(path, source)
  if (errors[0]) throw new Error(`${path} does not parse: ${errors[0].message}`)
  const importOf = (specifier: string, isType: boolean, isLazy = false) => ({
    from: path,
    to: resolve(path, specifier),
    isType,
    isLazy,
  })
  const textOf = (at: { start: number; end: number }) => source.slice(at.start, at.end)
  return [
    // `import { type A } from 'x'` still loads x; only `import type` does not.
    ...module.staticImports.map((found) => importOf(found.moduleRequest.value, /^import\s+type\b/.test(textOf(found)))),
    ...module.staticExports.flatMap((found) => {
      const request = found.entries.find((entry) => entry.moduleRequest)?.moduleRequest
      return request ? [importOf(request.value, /^export\s+type\b/.test(textOf(found)))] : []
    }),
    ...module.dynamicImports.flatMap((found) => {
      const literal = /^['"`](.+)['"`]$/.exec(textOf(found.moduleRequest))?.[1]
      return literal === undefined ? [] : [importOf(literal, false, true)]
    }),
  ]
}

const resolve = (from: string, specifier: string) =>
  specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : specifier

/** The page's bundler also takes './button' for './button.tsx'. */
const withEnding = (path: string, known: Set<string>) =>
  ['', '.ts', '.tsx'].map((ending) => path + ending).find((candidate) => known.has(candidate)) ?? path
