// Divides the page's scripts into few files: a file costs a browser more than the bytes in it.
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Rolldown } from 'vite'

const here = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/**
 * The chunks, with the modules whose static imports they contain. A module belongs to the first of them that imports it.
 * Other modules are divided by the bundler, by the pages that share them.
 */
const chunks = [
  { name: 'keyboard', roots: ['web/app/keyboard.tsx'] },
  { name: 'client', roots: ['web/model/http.ts'] },
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
  { name: 'signed-in', roots: ['web/app/account-links.tsx', 'web/app/logged-in.tsx', 'web/pages/dashboard.tsx'] },
  // What several pages share.
  {
    name: 'shared',
    roots: [
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
    ],
  },
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
export const loggedInChunks: ReadonlySet<string> = new Set(['keyboard', 'client', 'sending', 'queue', 'signed-in'])

type ModuleInfos = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>

export function pageChunks(): Rolldown.CodeSplittingGroup[] {
  const importedBy = new Map<string, Set<string>>()
  const name: Rolldown.CodeSplittingNameFunction = (id, modules) => {
    for (const { name: chunk, roots } of chunks) {
      if (!importedBy.has(chunk)) importedBy.set(chunk, closureOf(roots.map(here), modules))
      if (importedBy.get(chunk)?.has(id)) return chunk
    }
    return null
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
