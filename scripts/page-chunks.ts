// Divides the page's scripts into few files: a file costs a browser more than the bytes in it.
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Rolldown } from 'vite'

const here = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** What several pages share. */
const sharedModules = [
  ...uiModules(),
  'web/format/ago.ts',
  'web/model/form-timing.ts',
  'web/model/images/image-views.ts',
  'web/model/row-list.ts',
  'web/model/submit-ticket.ts',
  'web/pages/developer-nav.tsx',
  'contract/plain/account-limits.ts',
  'contract/plain/moderation-limits.ts',
  'contract/plain/report-reasons.ts',
  'contract/plain/scopes.ts',
]
const dashboard = ['web/app/account-links.tsx', 'web/app/logged-in.tsx', 'web/pages/dashboard.tsx']

interface Chunk {
  name: string
  roots: readonly string[]
  /** Of what the roots import, only what these import too. */
  usedBy?: readonly string[]
}

/**
 * The chunks, with the modules whose static imports they contain. A module belongs to the first of them that imports it.
 * Other modules are divided by the bundler, by the pages that share them.
 */
const chunks: readonly Chunk[] = [
  { name: 'keyboard', roots: ['web/app/keyboard.tsx'] },
  { name: 'client', roots: ['web/model/http.ts'] },
  // Apart from the rest of the dashboard, which the login would load with them.
  { name: 'common', roots: sharedModules, usedBy: dashboard },
  // Without the chunk of logged-in users: guests upload too.
  { name: 'sending', roots: ['web/features/upload/engine/send-image.ts', 'web/features/upload/guest/time-left.tsx'] },
  {
    name: 'queue',
    roots: [
      'web/features/upload/engine/stored-queue.ts',
      'web/features/upload/queue/queue-content.tsx',
      'web/features/upload/queue/use-queue-status.ts',
      'web/pages/copy-all-images.tsx',
    ],
  },
  { name: 'signed-in', roots: dashboard },
  { name: 'shared', roots: sharedModules },
  {
    name: 'entry',
    roots: ['login', 'login-return', 'register', 'confirm-email', 'reset-password', 'albums/invite-page'].map(
      (page) => `web/pages/${page}.tsx`,
    ),
  },
]

/** All but the toasts, and the drawing of QR codes, which has a library of its own. */
function uiModules(): string[] {
  const names = readdirSync(here('web/ui'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => /(?<!\.test)\.tsx?$/.test(name) && name !== 'qr/qr-drawing.tsx' && !name.startsWith('toast'),
  )
  return names.map((name) => `web/ui/${name}`)
}

/** What every page of a signed-in user needs. */
export const loggedInChunks: ReadonlySet<string> = new Set([
  'keyboard',
  'client',
  'common',
  'sending',
  'queue',
  'signed-in',
])

type ModuleInfos = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>

export function pageChunks(): Rolldown.CodeSplittingGroup[] {
  const closures = new Map<readonly string[], Set<string>>()
  const name: Rolldown.CodeSplittingNameFunction = (id, modules) => {
    const importedBy = (roots: readonly string[]) => {
      if (!closures.has(roots)) closures.set(roots, closureOf(roots.map(here), modules))
      return closures.get(roots)?.has(id) === true
    }
    return chunks.find(({ roots, usedBy = roots }) => importedBy(roots) && importedBy(usedBy))?.name ?? null
  }
  // Acyclic: each chunk contains all imports of its modules that no earlier one has.
  const includeDependenciesRecursively = false
  return [
    { name: 'first', tags: ['$initial'], includeDependenciesRecursively },
    { name, debugName: 'on demand', includeDependenciesRecursively },
  ]
}

function closureOf(ids: readonly string[], modules: ModuleInfos, found = new Set<string>()): Set<string> {
  for (const id of ids) {
    if (found.has(id)) continue
    found.add(id)
    closureOf(modules.getModuleInfo(id)?.importedIds ?? [], modules, found)
  }
  return found
}
