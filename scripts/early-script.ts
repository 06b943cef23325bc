// Writes web/app/early.ts into the document, with the files that it preloads.
import { fileURLToPath } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'
import { paths, unknownPath } from '../contract/plain/page-paths.ts'
import { loggedInChunks } from './page-chunks.ts'

const here = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** The pages of signed-in users, as web/app/lazy-pages.ts imports them on demand. */
const userPages = {
  [paths.dashboard]: 'web/pages/dashboard.tsx',
  [paths.albums]: 'web/pages/albums/albums-page.tsx',
  [paths.tags]: 'web/pages/tags.tsx',
  [paths.notifications]: 'web/pages/notifications.tsx',
  [paths.apiKeys]: 'web/pages/api-keys.tsx',
  [paths.links]: 'web/pages/links.tsx',
  [paths.account]: 'web/pages/account.tsx',
  [paths.apiDocs]: 'web/pages/api-docs.tsx',
  [paths.apiDocsPage]: 'web/pages/api-docs.tsx',
  [paths.admin]: 'web/pages/admin.tsx',
}
const guestPages = {
  [paths.login]: 'web/pages/login.tsx',
  [paths.loginReturn]: 'web/pages/login-return.tsx',
  [paths.register]: 'web/pages/register.tsx',
  [paths.confirmEmail]: 'web/pages/confirm-email.tsx',
  [paths.resetPassword]: 'web/pages/reset-password.tsx',
  [paths.albumInvite]: 'web/pages/albums/invite-page.tsx',
  [paths.tools]: 'web/pages/tools.tsx',
  [paths.about]: 'web/pages/prose-page.tsx',
  [paths.contact]: 'web/pages/contact.tsx',
  [paths.report]: 'web/pages/report.tsx',
  [paths.privacy]: 'web/pages/prose-page.tsx',
  [paths.terms]: 'web/pages/prose-page.tsx',
  [unknownPath]: 'web/pages/not-found.tsx',
}
const databaseView = 'web/features/database-view/database-view.tsx'

export function earlyScript(): Plugin {
  return {
    name: 'early-script',
    apply: (_, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle = {} }) {
        const code = await compile(bundle)
        // Before the style sheet, which later scripts wait for.
        const next = '<script type="module"'
        if (!html.includes(next)) throw new Error(`The built web/index.html must have ${next}`)
        return html.replace(next, () => `<script>${code}</script>\n    ${next}`)
      },
    },
  }
}

/** What web/app/early.ts declares. A file is in one list only of those that are preloaded together. */
function filesOfPages(bundle: Rolldown.OutputBundle) {
  const common = filesOf(chunksOf(bundle).filter(({ name }) => loggedInChunks.has(name)))
  const filesByPath = (pages: Readonly<Record<string, string>>, known: readonly string[]) =>
    Object.fromEntries(
      Object.entries(pages).map(([path, module]) => [path, without(known, filesOfModule(bundle, module))]),
    )
  const user = filesByPath(userPages, common)
  return {
    COMMON_FILES: common,
    USER_FILES: user,
    DATABASE_FILES: without([...common, ...(user[paths.apiDocs] ?? [])], filesOfModule(bundle, databaseView)),
    GUEST_FILES: filesByPath(guestPages, []),
  }
}

const without = (known: readonly string[], files: readonly string[]) => files.filter((file) => !known.includes(file))

/** The files of a module that is imported on demand, without those of the first script. */
function filesOfModule(bundle: Rolldown.OutputBundle, module: string): string[] {
  const chunks = chunksOf(bundle)
  const needed = new Set<Rolldown.OutputChunk>()
  const add = (chunk: Rolldown.OutputChunk | undefined) => {
    if (chunk === undefined || chunk.isEntry || needed.has(chunk)) return
    needed.add(chunk)
    for (const name of chunk.imports) add(chunks.find(({ fileName }) => fileName === name))
  }
  const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(here(module)))
  if (chunk === undefined) throw new Error(`No script contains ${module}`)
  add(chunk)
  return filesOf([...needed])
}

const chunksOf = (bundle: Rolldown.OutputBundle) => Object.values(bundle).filter((file) => file.type === 'chunk')

/** Scripts and their style sheets, as they are named in assets/. */
const filesOf = (chunks: Rolldown.OutputChunk[]) =>
  chunks.flatMap(({ fileName, viteMetadata }) =>
    [fileName, ...(viteMetadata?.importedCss ?? [])].map((name) => name.replace('assets/', '')),
  )

async function compile(bundle: Rolldown.OutputBundle): Promise<string> {
  const define = Object.entries(filesOfPages(bundle)).map(([name, files]) => [name, JSON.stringify(files)])
  const built = await build({
    configFile: false,
    root: here('web'),
    logLevel: 'warn',
    define: Object.fromEntries(define) as Record<string, string>,
    build: {
      write: false,
      copyPublicDir: false,
      rolldownOptions: {
        input: here('web/app/early.ts'),
        output: { format: 'iife' },
        // Otherwise limits.ts, which reads those of the first script, would be kept.
        treeshake: { propertyReadSideEffects: false },
      },
    },
  })
  const [result] = [built].flat() as Rolldown.RolldownOutput[]
  const chunk = result?.output[0]
  if (chunk === undefined) throw new Error('web/app/early.ts was not compiled')
  return chunk.code.trim()
}
