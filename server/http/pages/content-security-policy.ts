// What the built page and its workers may load and use.
import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import type { Config } from '../../config.ts'

/** Workers get the policy of their own script. undefined: the default of all responses. */
export function policyOf(config: Config, path: string, plain: Buffer): string | undefined {
  if (extname(path) === '.html') return pagePolicy(config, plain.toString())
  // The service worker fetches for the page, and stores shared files.
  if (path === '/sw.js') return `default-src 'none'; script-src 'self'; ${connectSources(config)} blob:`
  // The only place where WebAssembly is compiled.
  if (/\/[^/]*webp-worker[^/]*\.js$/.test(path))
    return "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
  return undefined
}

/** Without clipboard-read, for which browsers ask: the journeys read what was copied. */
const unusedFeatures = [
  ...['accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'hid'],
  ...['magnetometer', 'microphone', 'midi', 'payment', 'screen-wake-lock', 'serial', 'usb'],
]
/** Pages of other sites get no reference to the window; features of the device are off. */
export const pageHeaders = {
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': unusedFeatures.map((feature) => `${feature}=()`).join(', '),
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
