// What the settings say to the page: JSON in its head, limits in its texts, the site's name.
import { extname } from 'node:path'
import { formatBytes } from '../../../contract/plain/format-bytes.ts'
import { limits } from '../../../contract/plain/limits.ts'
import type { Site } from '../../../contract/plain/site.ts'
import type { Config } from '../../config.ts'
import { expiryPolicyOf, mayKeep } from '../../domain/images/expiry/expiry-by-role.ts'
import { uploadLimitsOf } from '../../domain/uploads/upload-limits.ts'
import { productVersion } from '../../installation.ts'

/** Inserts the values of the configuration. */
export function withConfig(config: Config, path: string, bytes: Buffer): Buffer {
  if (extname(path) === '.html') return Buffer.from(htmlWithConfig(config, bytes.toString()))
  if (path !== '/manifest.webmanifest') return bytes
  const manifest = JSON.parse(bytes.toString()) as object
  return Buffer.from(JSON.stringify({ ...manifest, name: config.SITE_NAME, short_name: config.SITE_NAME }))
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
