// Writes web/app/early.ts into the document, with the files that it preloads.
import { fileURLToPath } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'
import { chunkNames } from './page-chunks.ts'

const here = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

export function earlyScript(): Plugin {
  return {
    name: 'early-script',
    apply: (_, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle = {} }) {
        const code = await compile(filesOf(bundle))
        return html.replace('</head>', () => `  <script>${code}</script>\n  </head>`)
      },
    },
  }
}

/** The scripts of the signed-in user's pages, and their style sheets. */
const filesOf = (bundle: Rolldown.OutputBundle) =>
  Object.values(bundle).flatMap((file) =>
    file.type === 'chunk' && chunkNames.has(file.name)
      ? [file.fileName, ...(file.viteMetadata?.importedCss ?? [])].map((name) => `/${name}`)
      : [],
  )

async function compile(files: string[]): Promise<string> {
  const built = await build({
    configFile: false,
    root: here('web'),
    logLevel: 'warn',
    define: { FILES: JSON.stringify(files) },
    build: {
      write: false,
      copyPublicDir: false,
      rolldownOptions: { input: here('web/app/early.ts'), output: { format: 'iife' } },
    },
  })
  const [result] = [built].flat() as Rolldown.RolldownOutput[]
  const chunk = result?.output[0]
  if (chunk === undefined) throw new Error('web/app/early.ts was not compiled')
  return chunk.code.trim()
}
