// Serves the built page from memory, compressed.
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isPagePath } from '../../../contract/plain/page-paths.ts'
import type { Config } from '../../config.ts'
import { type Asset, compressAssets, createAsset, sendAsset } from './compressed-document.ts'
import { withConfig } from './page-config.ts'
import { pageHeaders, policyOf } from './content-security-policy.ts'
import { pathOf, throwUnknownRoute } from '../request/errors.ts'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
}

type ErrorHandler = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** The built page, ready to be served. */
export interface Web {
  /** The page at /: prerendered where guests may upload. */
  landing: Asset
  /** index.html, for every other path that a browser opens; with 404 for an unknown one. */
  shell: Asset
  /** The other files, by path. */
  assets: Map<string, Asset>
}

/** The files of the built page, before they get the configuration. */
export interface PageFiles {
  webDir: string
  byPath: ReadonlyMap<string, Asset>
}

export async function readPageFiles(webDir: string): Promise<PageFiles> {
  const found = await readdir(webDir, { recursive: true, withFileTypes: true })
  const bytes = new Map<string, Buffer>()
  for (const file of found.filter((entry) => entry.isFile())) {
    const path = `${file.parentPath.slice(webDir.length)}/${file.name}`.split(sep).join('/')
    // Not asynchronously: that takes four times the CPU time for 250 small files, and nothing else runs during the start.
    bytes.set(path, readFileSync(join(file.parentPath, file.name)))
  }
  const byPath = new Map<string, Asset>()
  for (const [path, plain] of bytes) {
    if (/\.(br|gz)$/.test(path)) continue
    const [br, gz] = [bytes.get(`${path}.br`), bytes.get(`${path}.gz`)]
    const asset = createAsset(types[extname(path)] ?? 'application/octet-stream', plain, {
      'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    })
    byPath.set(path, { ...asset, ...(br && { br }), ...(gz && { gzip: gz }) })
  }
  return { webDir, byPath }
}

/** @throws when the page was not built */
export function createWeb(config: Config, { webDir, byPath }: PageFiles): Web {
  const assets = new Map([...byPath].map(([path, file]) => [path, withSettings(config, path, file)]))
  const landing = assets.get('/landing.html')
  const shell = assets.get('/index.html')
  if (!landing || !shell) throw new Error(`${webDir} holds no page: run npm run build`)
  // Not awaited: until it is done, responses are sent uncompressed.
  void compressAssets([...assets].filter(([path]) => isTemplate(path)).map(([, asset]) => asset))
  assets.delete('/landing.html')
  assets.delete('/index.html')
  // The prerendered page invites guests to upload.
  return { landing: config.GUEST_UPLOADS ? landing : shell, shell, assets }
}

/** The typeface, which the pages of the server use too. */
export const fontPathOf = ({ assets }: Web): string | undefined =>
  [...assets.keys()].find((path) => path.endsWith('.woff2'))

/** The script of the pages of links. */
export const linkScriptOf = ({ assets }: Web): string | undefined =>
  [...assets.keys()].find((path) => /^\/assets\/link-page-[^/]+\.js$/.test(path))

/** @param onImageError responds to an unknown address that could be that of an image */
export function bindWeb(app: FastifyInstance, { landing, shell, assets }: Web, onImageError: ErrorHandler): void {
  const method = ['GET', 'HEAD']
  app.route({ method, url: '/', handler: (request, reply) => sendAsset(request, reply, landing) })
  app.route({
    method,
    url: '/*',
    // oxlint-disable-next-line typescript/no-misused-promises -- the framework awaits it
    errorHandler(error, request, reply) {
      if (!/^\/(i|uploads)(\/|$)/.test(pathOf(request))) throw error
      return onImageError(error, request, reply)
    },
    handler: (request, reply) => {
      const path = pathOf(request)
      const asset = assets.get(path)
      if (asset) return sendAsset(request, reply, asset)
      const isKnown = isPagePath(path)
      if (!mayBePage(path) || !acceptsPage(request.headers.accept, isKnown)) return throwUnknownRoute(request, reply)
      return sendAsset(request, reply, shell, isKnown ? 200 : 404)
    },
  })
  // The service worker handles shared files. Without it this redirects without reading the body.
  app.post('/share-target', {
    onRequest: async (_request, reply) => reply.header('cache-control', 'no-store').redirect('/dashboard', 303),
    handler: throwUnknownRoute,
  })
}

/** Sends the page to a browser that opens a URL that cannot be decoded. @returns whether it did */
export function sendPageForBadUrl(request: FastifyRequest, reply: FastifyReply, { shell }: Web): boolean {
  const isOpened = ['GET', 'HEAD'].includes(request.method) && /text\/html/.test(request.headers.accept ?? '')
  if (!isOpened || !mayBePage(pathOf(request))) return false
  sendAsset(request, reply, shell, 404)
  return true
}

const mayBePage = (path: string) => !/^\/(api|i|uploads|db|assets)(\/|$)/.test(path)

/** Whether the page or a file of it is found at this path. */
export const isPageOrAsset = ({ assets }: Web, path: string): boolean => assets.has(path) || isPagePath(path)

/**
 * Browsers accept HTML; crawlers and link previews accept anything, and get the pages that there are. At an unknown path only
 * people get a page, which shows "not found"; programs get the failure as JSON.
 */
const acceptsPage = (accept = '*/*', isKnown: boolean) =>
  /text\/html/.test(accept) || (isKnown && accept.includes('*/*'))

function withSettings(config: Config, path: string, file: Asset): Asset {
  const asset = isTemplate(path) ? createAsset(file.type, withConfig(config, path, file.plain), file.headers) : file
  const policy = policyOf(config, path, asset.plain)
  const headers = {
    ...file.headers,
    ...(policy === undefined ? {} : { 'content-security-policy': policy }),
    ...(extname(path) === '.html' ? pageHeaders : {}),
  }
  return { ...asset, headers }
}

/** Filled with the configuration and compressed here; the build compresses the others. */
const isTemplate = (path: string) => ['.html', '.webmanifest'].includes(extname(path))
