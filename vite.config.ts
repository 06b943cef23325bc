import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build, defineConfig, type Plugin } from 'vite'
import { apiCatalogue } from './scripts/api-catalogue.ts'
import { earlyScript } from './scripts/early-script.ts'
import { embedTemplates } from './scripts/embed-templates.ts'
import { pageChunks } from './scripts/page-chunks.ts'
import { precompress } from './scripts/precompress.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
/** Shared by both builds below, so that it runs once. */
const templates = embedTemplates()
const server = 'http://127.0.0.1:3000'

const alias = [
  // Its main files are the same in the syntax of 2015, twice as large.
  { find: 'tus-js-client', replacement: here('node_modules/tus-js-client/lib/browser/index.js') },
  // For versions of React that lack it.
  { find: 'use-sync-external-store/shim/index.js', replacement: 'react' },
  { find: /^\.\.\/createLucideIcon\.mjs$/, replacement: here('web/ui/lucide-icon.ts') },
]

export default defineConfig({
  root: here('web'),
  plugins: [
    react(),
    tailwindcss(),
    templates,
    apiCatalogue(),
    earlyScript(),
    prerenderLanding(),
    serviceWorker(),
    linkPageScript(),
    precompress(),
  ],
  resolve: { alias },
  build: {
    outDir: here('dist/web'),
    emptyOutDir: true,
    sourcemap: false,
    // The first style sheet does not contain the styles of lazy scripts such as the lightbox.
    cssCodeSplit: true,
    assetsInlineLimit: 0,
    // The polyfill would be an inline module, which the page's CSP blocks.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: { groups: pageChunks() },
        // The first script names every other file, and a hash does not compress: one character less is 45 bytes.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
      },
    },
  },
  // Workers load rarely used modules on demand.
  worker: { format: 'es' },
  server: { proxy: { '/api': server, '/uploads': server, '/i': server, '/db': server, '/healthz': server } },
})

/**
 * Writes landing.html beside index.html: the same page with the landing's markup inside #root, so that the first paint
 * needs no script. The server responds with it for `/` only; on any other address it would flash the landing.
 */
function prerenderLanding(): Plugin {
  let outDir = ''
  return {
    name: 'prerender-landing',
    apply: (_, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    configResolved(config) {
      outDir = config.build.outDir
    },
    async writeBundle() {
      const shell = await readFile(join(outDir, 'index.html'), 'utf8')
      const emptyRoot = '<div id="root"></div>'
      if (!shell.includes(emptyRoot)) throw new Error(`web/index.html must hold ${emptyRoot}`)
      const filledRoot = `<div id="root">${await renderLanding(join(outDir, '.prerender'))}</div>`
      await writeFile(
        join(outDir, 'landing.html'),
        shell.replace(emptyRoot, () => filledRoot),
      )
    },
  }
}

/** Builds sw.js with the list of files to precache and a version name derived from them. */
function serviceWorker(): Plugin {
  let outDir = ''
  return {
    name: 'service-worker',
    apply: (_, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    configResolved(config) {
      outDir = config.build.outDir
    },
    async writeBundle(_, bundle) {
      const files = Object.values(bundle)
        .filter(({ fileName }) => /^assets\/.*\.(js|css|woff2)$/.test(fileName))
        // Large, rarely used files are cached on first use; what every visit needs is always precached.
        .filter((file) => sizeOf(file) <= maxKeptBytes || (file.type === 'chunk' && file.name === 'index'))
        .map(({ fileName }) => `/${fileName}`)
        .sort()
      const shell = await readFile(join(outDir, 'index.html'), 'utf8')
      const name = createHash('sha256').update(shell).update(files.join()).digest('hex').slice(0, 12)
      await build({
        configFile: false,
        root: here('web'),
        logLevel: 'warn',
        define: { FILES: JSON.stringify(files), BUILD: JSON.stringify(name) },
        build: {
          outDir,
          emptyOutDir: false,
          copyPublicDir: false,
          rolldownOptions: { input: here('web/sw/sw.ts'), output: { format: 'iife', entryFileNames: 'sw.js' } },
        },
      })
    },
  }
}

/** Builds the script of the pages of links, which share nothing with the page: server/http/pages/page-assets.ts finds it by its name. */
function linkPageScript(): Plugin {
  let outDir = ''
  return {
    name: 'link-page-script',
    apply: (_, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    configResolved(config) {
      outDir = config.build.outDir
    },
    async writeBundle() {
      await build({
        configFile: false,
        root: here('web'),
        logLevel: 'warn',
        build: {
          outDir,
          emptyOutDir: false,
          copyPublicDir: false,
          modulePreload: { polyfill: false },
          rolldownOptions: {
            input: here('web/link-page/main.ts'),
            output: { format: 'es', entryFileNames: 'assets/link-page-[hash:7].js' },
          },
        },
      })
    },
  }
}

/** All but the first script, and the data of the API documentation. */
const maxKeptBytes = 200_000
const sizeOf = (file: { type: 'asset'; source: string | Uint8Array } | { type: 'chunk'; code: string }) =>
  file.type === 'chunk' ? file.code.length : file.source.length

async function renderLanding(scratch: string): Promise<string> {
  await build({
    configFile: false,
    root: here('web'),
    logLevel: 'warn',
    plugins: [react(), templates, apiCatalogue()],
    resolve: { alias },
    // Bundled, so that the icons are those of the page.
    ssr: { noExternal: ['lucide-react'] },
    // The style sheets of this build are discarded: the page build writes them.
    build: { ssr: 'app/prerender.tsx', outDir: scratch, emptyOutDir: true, copyPublicDir: false, cssMinify: false },
    worker: { format: 'es' },
  })
  const module = (await import(pathToFileURL(join(scratch, 'prerender.js')).href)) as { renderLanding: () => string }
  await rm(scratch, { recursive: true })
  return module.renderLanding()
}
