// Serves the built page from memory, compressed, with a strict content security policy.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formatBytes } from '../../../contract/plain/format-bytes.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { isPagePath } from '../../../contract/plain/page-paths.ts'
import type { Site } from '../../../contract/plain/site.ts'
import type { Config } from '../../config.ts'
import { expiryPolicyOf, mayKeep } from '../../domain/images/expiry/expiry-by-role.ts'
import { uploadLimitsOf } from '../../domain/uploads/upload-limits.ts'
import { productVersion } from '../../installation.ts'
import { type Asset, compressAssets, createAsset, sendAsset } from './compressed-document.ts'
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
/** Filled with the configuration and compressed here; the build compresses the others. */
const templates = new Set(['.html', '.webmanifest'])

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

/** @throws when the page was not built */
export async function loadWeb(config: Config, webDir: string): Promise<Web> {
  const assets = await loadAssets(config, webDir)
  const landing = assets.get('/landing.html')
  const shell = assets.get('/index.html')
  if (!landing || !shell) throw new Error(`${webDir} holds no page: run npm run build`)
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

async function loadAssets(config: Config, webDir: string): Promise<Map<string, Asset>> {
  const found = await readdir(webDir, { recursive: true, withFileTypes: true })
  const files = new Map<string, Buffer>()
  for (const file of found.filter((entry) => entry.isFile())) {
    const path = `${file.parentPath.slice(webDir.length)}/${file.name}`.split(sep).join('/')
    // Not asynchronously: that takes four times the CPU time for 250 small files, and nothing else runs during the start.
    files.set(path, readFileSync(join(file.parentPath, file.name)))
  }
  const assets = new Map<string, Asset>()
  for (const [path, bytes] of files) {
    if (/\.(br|gz)$/.test(path)) continue
    const [br, gz] = [files.get(`${path}.br`), files.get(`${path}.gz`)]
    assets.set(path, { ...toAsset(config, path, bytes), ...(br && { br }), ...(gz && { gzip: gz }) })
  }
  // Not awaited: until it is done, responses are sent uncompressed.
  void compressAssets([...assets].filter(([path]) => templates.has(extname(path))).map(([, asset]) => asset))
  return assets
}

function toAsset(config: Config, path: string, bytes: Buffer): Asset {
  const extension = extname(path)
  const plain = withConfig(config, path, bytes)
  const policy = policyOf(config, path, plain)
  return createAsset(types[extension] ?? 'application/octet-stream', plain, {
    'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(policy === undefined ? {} : { 'content-security-policy': policy }),
    ...(extension === '.html' ? pageHeaders : {}),
  })
}

/** Without clipboard-read, for which browsers ask: the journeys read what was copied. */
const unusedFeatures = [
  ...['accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'hid'],
  ...['magnetometer', 'microphone', 'midi', 'payment', 'screen-wake-lock', 'serial', 'usb'],
]
/** Pages of other sites get no reference to the window; features of the device are off. */
const pageHeaders = {
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': unusedFeatures.map((feature) => `${feature}=()`).join(', '),
}

/** Inserts the values of the configuration. */
function withConfig(config: Config, path: string, bytes: Buffer): Buffer {
  if (extname(path) === '.html') return Buffer.from(htmlWithConfig(config, bytes.toString()))
  if (path !== '/manifest.webmanifest') return bytes
  const manifest = JSON.parse(bytes.toString()) as object
  return Buffer.from(JSON.stringify({ ...manifest, name: config.SITE_NAME, short_name: config.SITE_NAME }))
}

/** Workers get the policy of their own script. undefined: the default of all responses. */
function policyOf(config: Config, path: string, plain: Buffer): string | undefined {
  if (extname(path) === '.html') return pagePolicy(config, plain.toString())
  // The service worker fetches for the page, and stores shared files.
  if (path === '/sw.js') return `default-src 'none'; script-src 'self'; ${connectSources(config)} blob:`
  // The only place where WebAssembly is compiled.
  if (/\/[^/]*webp-worker[^/]*\.js$/.test(path))
    return "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
  return undefined
}

/** The configuration for the page is JSON in its head. */
function htmlWithConfig(config: Config, html: string): string {
  const site: Site = {
    siteName: config.SITE_NAME,
    version: productVersion(),
    supportEmail: config.SUPPORT_EMAIL ?? '',
    developerUrl: config.DEVELOPER_URL ?? '',
    guestUploads: config.GUEST_UPLOADS,
    mail: config.SMTP_URL !== undefined,
    registration: config.REGISTRATION,
    passwordMin: config.PASSWORD_MIN,
    passwordLogin: config.PASSWORD_LOGIN,
    loginProviders: (config.OIDC_PROVIDERS ?? []).map(({ id, name }) => ({ id, name })),
    ...pageLimits(config),
    emailJsPublicKey: config.EMAILJS_PUBLIC_KEY ?? '',
    emailJsServiceId: config.EMAILJS_SERVICE_ID ?? '',
    emailJsTemplateId: config.EMAILJS_TEMPLATE_ID ?? '',
  }
  const json = JSON.stringify(site).replace(/</g, '\\u003c')
  const escaped = config.SITE_NAME.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;')
  return withLimits(config, html)
    .replace(/(<script type="application\/json" id="site">)[^<]*/, (_, tag: string) => tag + json)
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped}</title>`)
    .replace(/(<span data-site-name=""[^>]*>)[^<]*/g, (_, tag: string) => tag + escaped)
}

function whoMayKeep(config: Config): Site['mayKeep'] {
  if (mayKeep(config, 'user')) return 'users'
  return mayKeep(config, 'admin') ? 'admins' : 'nobody'
}

const pageLimits = (config: Config) => {
  const [guest, user] = [uploadLimitsOf(config, 'guest'), uploadLimitsOf(config, 'user')]
  return {
    guestMaxBytes: guest.maxBytes,
    guestRetentionDays: config.GUEST_RETENTION_DAYS,
    // More would wait for the next hour.
    guestMaxFiles: Math.min(config.GUEST_MAX_FILES, config.GUEST_UPLOADS_PER_HOUR || Infinity),
    userMaxBytes: user.maxBytes,
    // 0: images do not expire.
    userRetentionDays: user.retentionDays ?? 0,
    isExpiryAfterView: expiryPolicyOf(config, 'user').after === 'view',
    mayKeep: whoMayKeep(config),
    trashDays: config.TRASH_DAYS,
  }
}

/** Replaces the default limits in the prerendered texts, whose elements name them in data-limit. */
function withLimits(config: Config, html: string): string {
  const { guest, user } = limits
  const days = (n: number) => `${n} ${n === 1 ? 'day' : 'days'}`
  const given = pageLimits(config)
  // As web/texts/counts.ts says it.
  const keptFor = ({ userRetentionDays: n, isExpiryAfterView }: typeof given) =>
    n === 0 ? 'for good' : days(n) + (isExpiryAfterView ? ' after the last view' : '')
  const texts: Record<string, [byDefault: string, given: string]> = {
    guestMaxBytes: [formatBytes(guest.maxBytes), formatBytes(given.guestMaxBytes)],
    guestRetentionDays: [days(guest.retentionDays), days(given.guestRetentionDays)],
    userMaxBytes: [formatBytes(user.maxBytes), formatBytes(given.userMaxBytes)],
    userRetentionDays: [days(user.retentionDays), keptFor(given)],
  }
  return html.replace(/(<\w+ [^>]*data-limit="(\w+)"[^>]*>)([^<]*)/g, (_, tag: string, name: string, text: string) => {
    const [byDefault = '', limit = ''] = texts[name] ?? []
    return tag + text.replace(byDefault, limit)
  })
}

function pagePolicy(config: Config, html: string): string {
  const inline = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, code]) =>
      `'sha256-${createHash('sha256')
        .update(code ?? '')
        .digest('base64')}'`,
  )
  return [
    "default-src 'none'",
    `script-src 'self' ${inline.join(' ')}`.trim(),
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' blob: data:${publicOrigin(config)}${mediaOrigin(config)}`,
    connectSources(config),
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The page's own: web/model/install-offer.ts and web/features/upload/engine/prepare-image.ts.
    'trusted-types service-worker webp-worker',
  ].join('; ')
}

const connectSources = (config: Config) =>
  `connect-src 'self'${publicOrigin(config)}${mediaOrigin(config)}${config.EMAILJS_PUBLIC_KEY === undefined ? '' : ' https://api.emailjs.com'}`

/** Requests for images at the page's origin are redirected there. */
const mediaOrigin = ({ MEDIA_ORIGIN: origin }: Config) => (origin === undefined ? '' : ` ${origin}`)

/** The origin of URLs in responses, which may differ from that of the page. */
const publicOrigin = ({ PUBLIC_URL: url }: Config) => (url === undefined ? '' : ` ${new URL(url).origin}`)
