// Reads and validates the environment. Defaults suffice to start; an error names its variable.
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { Cron } from 'croner'
import { z } from 'zod'
import { accountLimits } from '../contract/plain/account-limits.ts'
import { limits } from '../contract/plain/limits.ts'

const MiB = 1024 ** 2
const GiB = 1024 ** 3
const units = ['B', 'KB', 'MB', 'GB', 'TB']

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' })
const url = httpUrl.transform((value) => value.replace(/\/+$/, ''))
const onOff = z.enum(['on', 'off'], 'must be on or off').transform((value) => value === 'on')
const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,16}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `must be from ${min} to ${max}`).max(max, `must be from ${min} to ${max}`))

/** A number of bytes, or a size such as 10MB or 1.5 GiB: both mean powers of 1024, as the limits of this product do. */
const bytes = (min: number, max: number) =>
  z
    .string()
    .regex(/^(\d{1,16}|\d{1,12}(\.\d{1,3})? ?[kmgt]?i?b)$/i, 'must be a number of bytes, or a size such as 10MB')
    .transform((size) => {
      const unit = size
        .replace(/[\d. ]/g, '')
        .toUpperCase()
        .replace('I', '')
      return Math.round(Number.parseFloat(size) * 1024 ** Math.max(0, units.indexOf(unit)))
    })
    .pipe(z.number().min(min, `must be from ${min} to ${max} bytes`).max(max, `must be from ${min} to ${max} bytes`))

/** When images expire: so many days after the upload, or after the last view; or never. */
export type ExpiryPolicy = { after: 'upload' | 'view'; days: number } | { after: 'never' }

const { maxRetentionDays } = limits.upload
const expiryPolicy = z.string().transform((text, context): ExpiryPolicy => {
  if (text.toLowerCase() === 'never') return { after: 'never' }
  const [, digits, after] = /^(\d{1,6}) days?(?: after the (upload|last view))?$/i.exec(text) ?? []
  const days = Number(digits)
  if (days >= 1 && days <= maxRetentionDays)
    return { after: after?.toLowerCase() === 'last view' ? 'view' : 'upload', days }
  context.addIssue(
    digits === undefined
      ? 'must be a number of days such as 365 days, or 365 days after the last view, or never'
      : `must be from 1 to ${maxRetentionDays} days`,
  )
  return z.NEVER
})

const partsOf = (list: string) => list.split(',').map((part) => part.trim())
const fileBytes = bytes(limits.upload.minMaxBytes, limits.upload.maxMaxBytes)

function isCron(expression: string): boolean {
  try {
    return new Cron(expression).nextRun() !== null
  } catch {
    return false
  }
}

function isOrigin(url: string): boolean {
  const { pathname, search, hash } = new URL(url)
  return pathname === '/' && search === '' && hash === ''
}

/** Without a trailing slash, as browsers write origins. */
const origin = (problem: string) =>
  httpUrl.pipe(z.string().refine(isOrigin, problem)).transform((value) => new URL(value).origin)

/** An IP address, or a network in CIDR notation. */
function isAddressRange(range: string): boolean {
  const [address = '', bits, ...more] = range.split('/')
  const version = isIP(address)
  // Fastify supports neither zones (fe80::1%eth0) nor networks of 0 bits.
  if (version === 0 || address.includes('%') || more.length > 0) return false
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/
const claimName = z.string().min(1).max(200)
const oidcProvider = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,30}$/, 'must be 1 to 30 lower-case letters, digits and hyphens'),
  name: z.string().trim().min(1).max(60),
  issuer: httpUrl.refine((value) => value.startsWith('https:') || loopback.test(value), 'must begin with https://'),
  clientId: z.string().min(1).max(500),
  clientSecret: z.string().min(1).max(500).optional(),
  scopes: z
    .string()
    .max(500)
    .refine((value) => value.split(' ').includes('openid'), 'must contain openid')
    .default('openid email profile'),
  /** Only users with an address in one of them. */
  domains: z
    .array(
      z
        .string()
        .toLowerCase()
        .regex(/^[^\s@]+$/),
    )
    .optional(),
  /** Whether users without an account here get one. */
  autoCreate: z.boolean().default(false),
  /** For providers without the claim email_verified whose addresses are right. */
  assumeEmailVerified: z.boolean().default(false),
  /** Who has `value` in the claim is an admin, everyone else is not. */
  admins: z.strictObject({ claim: claimName, value: z.union([claimName, z.boolean()]) }).optional(),
})

function parseJson(text: string, context: z.core.$RefinementCtx): unknown {
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue('must be a JSON array')
    return z.NEVER
  }
}

const haveOwnIds = (providers: { id: string }[]) => new Set(providers.map(({ id }) => id)).size === providers.length

/**
 * Every setting by topic, with its default and what docs/configuration.md and .env.example say about it (`npm run docs` writes
 * both). `example` is shown where there is no default.
 */
export const settingsByTopic = {
  Server: {
    PORT: wholeNumber(0, 65_535).default(3000).describe('The port that the server listens on.'),
    HOST: z
      .string()
      .default('127.0.0.1')
      .describe('The address that it listens on. Use `0.0.0.0` for all, behind a firewall or a proxy.'),
    PUBLIC_URL: origin(
      'must have no path: the page and its links work at the top of a host only, such as https://img.example.com',
    )
      .optional()
      .meta({
        description:
          'The public address, without a path. Set it behind a proxy; otherwise URLs in responses follow each request.',
        example: 'https://img.example.com',
      }),
    MEDIA_ORIGIN: origin('must have no path, such as https://media.example.com').optional().meta({
      description: 'A host of its own for images, so that uploaded content never shares an origin with the page.',
      example: 'https://media.example.com',
    }),
    TRUST_PROXY: z
      .string()
      .default('off')
      .transform((value, context) => {
        if (value === 'off') return false
        if (/^([1-9]|10)$/.test(value)) return Number(value)
        const ranges = partsOf(value)
        if (ranges.every(isAddressRange)) return ranges.join(',')
        context.addIssue(
          'must be off, a number of proxies from 1 to 10, or a list of addresses and CIDR ranges such as 10.0.0.0/8',
        )
        return z.NEVER
      })
      .describe(
        'How many proxies in front may name the client (1 to 10), or their addresses and CIDR ranges, separated by commas.',
      ),
    CORS_ORIGINS: z
      .string()
      .default('')
      .transform((list) => partsOf(list).filter(Boolean))
      .pipe(
        z.array(
          z
            .url({ protocol: /^https?$/, error: 'must be origins such as https://example.com, separated by commas' })
            .transform((value) => new URL(value).origin),
        ),
      )
      .describe('Origins of other pages that may call the API, separated by commas. Images can be embedded anywhere.'),
    CONNECTIONS_PER_ADDRESS: wholeNumber(0, 10_000)
      .default(256)
      .describe('Concurrent connections of one address; trusted proxies have no limit. 0: no limit.'),
    DRAIN_SECONDS: wholeNumber(0, 300)
      .default(5)
      .describe(
        'How long the server keeps serving after `SIGTERM` while `/readyz` returns 503, so that your load balancer notices. Above 5, let your service manager wait 15 s longer than this.',
      ),
    UPDATE_CHECK: z
      .string()
      .default('off')
      .transform((value) => (value === 'off' ? undefined : value))
      .pipe(httpUrl.optional())
      .describe(
        'The address of the newest release as JSON, in the form of npm or GitHub. It is read once a day; `/admin` shows a newer version.',
      ),
  },

  Storage: {
    DATA_DIR: z
      .string()
      .default('./data')
      .transform((path) => resolve(path))
      .describe('Database, originals, variants and secrets: back it up. Use a local disk; a network folder is slow.'),
    DATABASE_URL: z
      .string()
      .regex(/^postgres(ql)?:\/\/\S+$/, 'must look like postgres://user:password@host:5432/database')
      .optional()
      .meta({
        description: 'Use PostgreSQL instead of SQLite in `DATA_DIR`. Requires `JWT_SECRET`.',
        example: 'postgres://user:password@host:5432/database',
      }),
    S3_BUCKET: z.string().min(3).max(63).optional().describe('Store originals in this bucket instead of `DATA_DIR`.'),
    S3_ENDPOINT: url.optional().meta({
      description: 'The address of an S3 server other than Amazon.',
      example: 'https://s3.example.com',
    }),
    S3_REGION: z.string().default('us-east-1').describe('The region of the bucket.'),
    S3_ACCESS_KEY_ID: z
      .string()
      .optional()
      .describe("Credentials for the bucket. Without them the AWS SDK's own sources apply: `AWS_*`, profiles, roles."),
    S3_SECRET_ACCESS_KEY: z.string().optional().describe('The secret of `S3_ACCESS_KEY_ID`.'),
    CACHE_MAX_BYTES: bytes(0, 1024 * GiB)
      .default(10 * GiB)
      .describe('Disk space for cached variants; the least recently used are evicted.'),
    MAX_STORAGE_BYTES: bytes(0, limits.quota.maxBytes)
      .default(0)
      .describe('Most bytes of all originals together, on the disk or in the bucket. 0: no limit.'),
  },

  Accounts: {
    ADMIN_EMAIL: z
      .email()
      .optional()
      .describe('Creates an admin at a start while there is none. Set it together with `ADMIN_PASSWORD`.'),
    ADMIN_PASSWORD: z
      .string()
      .min(limits.account.minPasswordLength)
      .max(limits.account.maxPasswordLength)
      .optional()
      .describe('The password of that admin.'),
    JWT_SECRET: z
      .string()
      .min(32, 'must have at least 32 characters')
      .optional()
      .describe(
        'Signs sessions and links; at least 32 characters. Without it the first start writes one to `DATA_DIR/jwt-secret`, whose content keeps them valid as a setting elsewhere.',
      ),
    REGISTRATION: z
      .enum(['open', 'invite', 'closed'], 'must be open, invite or closed')
      .default('open')
      .describe(
        'Who may register: anyone (`open`), people with an invite from an admin (`invite`), nobody (`closed`).',
      ),
    REGISTRATION_DOMAINS: z
      .string()
      .default('')
      .transform((list) => partsOf(list.toLowerCase()).filter(Boolean))
      .pipe(z.array(z.string().regex(z.regexes.domain, 'must be domains such as example.com, separated by commas')))
      .describe(
        'Email domains that may register, without their subdomains. Set `SMTP_URL` too: without mail, addresses are not proven.',
      ),
    PASSWORD_LOGIN: onOff
      .default(true)
      .describe('`off`: users log in with a passkey or at a provider of `OIDC_PROVIDERS` only.'),
    PASSWORD_MIN: wholeNumber(limits.account.minPasswordLength, 64)
      .default(limits.account.minPasswordLength)
      .describe('Fewest characters of a new password. 8 or more is recommended.'),
    REQUIRE_2FA: z
      .enum(['off', 'admins', 'all'], 'must be off, admins or all')
      .default('off')
      .describe(
        'Who must have a second factor: nobody (`off`), `admins` or `all`. Until they set one up, they can do nothing else.',
      ),
    OIDC_PROVIDERS: z
      .string()
      .transform(parseJson)
      .pipe(z.array(oidcProvider).max(10).refine(haveOwnIds, 'must have an id of its own each'))
      .optional()
      .describe('OpenID Connect providers where users log in, as JSON on one line. See docs/operate.md.'),
    MAX_ALBUMS: wholeNumber(1, 100_000).default(limits.albums.maxPerUser).describe('Albums that one account may have.'),
    DB_VIEW_PIN: z
      .string()
      .regex(/^\d{4}$/, 'must be 4 digits')
      .optional()
      .describe(
        'Four digits that open the database view. Without it the first start creates one; `reset-pin` prints a new one.',
      ),
    DB_VIEW_ROLE: z
      .enum(['any', 'admin'], 'must be any or admin')
      .default('any')
      .describe(
        'Who may open the database view with the PIN: `any` user or only an `admin`. Use `admin` on a public host.',
      ),
  },

  Site: {
    SITE_NAME: z
      .string()
      .trim()
      .min(1)
      .max(60)
      .default('Image Host')
      .describe('The name in the header and in page titles.'),
    SUPPORT_EMAIL: z
      .email()
      .optional()
      .describe('Shown on the contact page and in the footer. Contact messages and reports are mailed there.'),
    DEVELOPER_URL: url.optional().describe('The developer link in the footer.'),
    ROBOTS_INDEX: z
      .enum(['pages', 'all', 'none'], 'must be pages, all or none')
      .default('pages')
      .describe('What search engines are asked to list: `pages` without images, `all`, or `none`.'),
    VIEW_COUNTS: onOff
      .default(true)
      .describe('Counts views per image and day, with no trace of the viewer. View limits work even when it is `off`.'),
  },

  Mail: {
    SMTP_URL: z
      .string()
      .regex(/^smtps?:\/\/\S+$/, 'must look like smtp://user:password@host:587')
      .refine((value) => URL.canParse(value), 'must look like smtp://user:password@host:587')
      .optional()
      .meta({
        description:
          'The mail server; `smtps://` for TLS from the start. Requires `SUPPORT_EMAIL` and `PUBLIC_URL`. A password is never sent unencrypted to another machine unless the URL ends with `?requireTLS=false`.',
        example: 'smtp://user:password@host:587',
      }),
    MAIL_FROM: z
      .string()
      .regex(
        /^[^<>\p{Cc}]*<[^\s<>@]+@[^\s<>@]+>$|^[^\s<>@]+@[^\s<>@]+$/u,
        'must be an address, or a name with an address in <>',
      )
      .optional()
      .describe('The sender: an address, or `Name <address>`. Otherwise `SUPPORT_EMAIL`.'),
    EMAILJS_PUBLIC_KEY: z
      .string()
      .max(100)
      .optional()
      .describe('With the next two: the contact page sends to emailjs.com instead of this server.'),
    EMAILJS_SERVICE_ID: z.string().max(100).optional().describe('See `EMAILJS_PUBLIC_KEY`.'),
    EMAILJS_TEMPLATE_ID: z.string().max(100).optional().describe('See `EMAILJS_PUBLIC_KEY`.'),
  },

  Uploads: {
    GUEST_UPLOADS: onOff.default(true).describe('`off`: only users with an account may upload.'),
    GUEST_MAX_BYTES: fileBytes
      .default(limits.guest.maxBytes)
      .describe('The largest file of a guest. Never more than `USER_MAX_BYTES`.'),
    USER_MAX_BYTES: fileBytes
      .default(limits.user.maxBytes)
      .describe(
        `The largest file of a user, up to ${limits.upload.maxMaxBytes / MiB} MiB. Raise the body limit of your proxy too (docs/install.md).`,
      ),
    GUEST_RETENTION_DAYS: wholeNumber(1, limits.upload.maxRetentionDays)
      .default(limits.guest.retentionDays)
      .describe('Days until a new guest image expires.'),
    USER_RETENTION_DAYS: wholeNumber(1, limits.upload.maxRetentionDays)
      .default(limits.user.retentionDays)
      .describe('Days until a new image of a user expires. `USER_EXPIRY` replaces it and offers more.'),
    USER_EXPIRY: expiryPolicy.optional().meta({
      description:
        "When a user's new image expires, instead of `USER_RETENTION_DAYS`: `365 days` after the upload, `365 days after the last view`, or `never`.",
      example: '365 days after the last view',
    }),
    ADMIN_EXPIRY: expiryPolicy.optional().meta({
      description: 'The same for images of admins. Without it, they expire as those of users do.',
      example: 'never',
    }),
    MAY_KEEP: z
      .enum(['nobody', 'admins', 'users'], 'must be nobody, admins or users')
      .default('nobody')
      .describe(
        'Who may keep single images of theirs for good: `nobody`, `admins`, or `users`, which includes admins. You do not need it where images never expire. Guests can never keep images.',
      ),
    TRASH_DAYS: wholeNumber(0, limits.upload.maxRetentionDays)
      .default(limits.trashDays)
      .describe(
        'Days that users can restore what they deleted on the page, at most until it expires. It counts towards their quota until then. 0: deleted for good after a minute.',
      ),
    GUEST_MAX_DAYS: wholeNumber(0, limits.upload.maxRetentionDays)
      .default(limits.guest.maxDays)
      .describe('Most days that a guest image can live, however often it is extended. 0: no limit.'),
    GUEST_MAX_FILES: wholeNumber(1, 1000)
      .default(limits.guest.maxFiles)
      .describe('Files that the page takes from a guest at once, at most GUEST_UPLOADS_PER_HOUR.'),
    GUEST_UPLOADS_PER_HOUR: wholeNumber(0, 1_000_000)
      .default(30)
      .describe('Guest images per hour and address. 0: no limit.'),
    USER_UPLOADS_PER_HOUR: wholeNumber(0, 1_000_000)
      .default(limits.user.uploadsPerHour)
      .describe('Images per hour and account, including its API keys. 0: no limit.'),
    USER_QUOTA_BYTES: bytes(0, limits.quota.maxBytes)
      .default(limits.user.quotaBytes)
      .describe('Bytes that one account may store. Admins can set another quota for a user. 0: no limit.'),
    USER_QUOTA_IMAGES: wholeNumber(0, limits.quota.maxImages)
      .default(limits.user.quotaImages)
      .describe('Images that one account may store. 0: no limit.'),
    GUEST_QUOTA_BYTES: bytes(0, limits.quota.maxBytes)
      .default(limits.guest.quotaBytes)
      .describe('Bytes that all guests together may store. 0: no limit.'),
    MAX_LINKS: wholeNumber(0, 10_000_000)
      .default(limits.links.maxPerUser)
      .describe('Links that one account may have to albums and images. 0: no limit.'),
    UPLOAD_BY_URL: onOff
      .default(false)
      .describe('`on`: an upload may name a URL, which the server fetches. Private addresses are refused.'),
    LEGACY_PATHS: onOff
      .default(false)
      .describe('`on`: old addresses of imported images redirect to their new ones (docs/migrate.md).'),
  },

  'Rate limits': {
    RATE_LIMIT: wholeNumber(0, 1_000_000)
      .default(limits.rate.perMinute)
      .describe(
        `API calls per minute and account, including its API keys; without an account per address. Image delivery does not count, and uploads have ${limits.rate.uploadFactor} times this limit for themselves. 0: no limit, also on registrations.`,
      ),
    RATE_LIMIT_ADMIN: wholeNumber(0, 1_000_000).default(limits.rate.perMinuteOfAdmin).describe('The same for admins.'),
    RENDER_LIMIT: wholeNumber(0, 100)
      .default(25)
      .describe(
        'Percent of all decoder time that one address gets while others wait, after a first burst of 30 seconds. 0: no limit.',
      ),
    DECODERS: wholeNumber(0, 256)
      .default(0)
      .describe('How many images are rendered at once, and how many uploads decoded. 0: what cores and memory allow.'),
    PROOF_OF_WORK: z
      .string()
      .regex(/^(off|on|after:[1-9]\d{0,8})$/, 'must be off, on, or after:N with a number such as after:100')
      .default('off')
      // The requests in an hour that need no proof; null: none needs one.
      .transform((value) => (value === 'off' ? null : value === 'on' ? 0 : Number(value.slice('after:'.length))))
      .describe(
        "`on`: a visitor's browser computes for about a second before it registers, uploads or reports. `after:N`: only beyond N of these in an hour, by all visitors together.",
      ),
  },

  Delivery: {
    SIGN_VARIANTS: onOff
      .default(false)
      .describe('`on`: crops, effects and unusual sizes need a signed address (docs/image-urls.md).'),
    PURGE_URL: httpUrl
      .optional()
      .describe(
        'Called when images must no longer be served, so that caches drop them (docs/scale.md). Needs `PURGE_SECRET`.',
      ),
    PURGE_SECRET: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'must be whsec_ and at least 24 random bytes in base64')
      .optional()
      .describe('Signs these calls: `whsec_` followed by the output of `openssl rand -base64 32`.'),
    SENDFILE_HEADER: z
      .enum(['off', 'X-Accel-Redirect', 'X-Sendfile'], 'must be off, X-Accel-Redirect or X-Sendfile')
      .default('off')
      .describe(
        'The proxy sends large originals itself: `X-Accel-Redirect` (nginx, Caddy) or `X-Sendfile` (Apache, lighttpd). See docs/scale.md.',
      ),
    WEBHOOK_PRIVATE_ADDRESSES: onOff
      .default(false)
      .describe('`on`: webhooks may go to private addresses. Every user can then send requests into your network.'),
  },

  'Logs and privacy': {
    LOG_LEVEL: z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
      .default('info')
      .describe('`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.'),
    LOG_ADDRESSES: z
      .enum(['full', 'short', 'hash'], 'must be full, short or hash')
      .default('full')
      .describe(
        'Client addresses in the log and the audit log: `full`, `short` (the /24 or /48 network) or `hash` (keyed).',
      ),
    LOG_PICTURES: z
      .enum(['all', 'errors', 'off'], 'must be all, errors or off')
      .default('all')
      .describe(
        'Log lines of image requests: `all`, `errors` (status 400 and above) or `off`. Metrics count all of them.',
      ),
    ADDRESS_RETENTION_DAYS: wholeNumber(0, 3650)
      .default(accountLimits.addressRetentionDays)
      .describe("Days that an image keeps the hash of its uploader's address. 0: it is never stored."),
    AUDIT_RETENTION_DAYS: wholeNumber(0, 3650)
      .default(limits.audit.retentionDays)
      .describe('Days that entries of the audit log are kept. 0: forever.'),
    METRICS_TOKEN: z
      .string()
      .min(16, 'must have at least 16 characters')
      .optional()
      .describe(
        'Bearer token for `/metrics`; at least 16 characters. Without `PUBLIC_URL` and `TRUST_PROXY`, this machine needs none.',
      ),
  },

  Backups: {
    BACKUP_SCHEDULE: z
      .string()
      .default('off')
      .transform((value) => (value === 'off' ? undefined : value))
      .refine((value) => value === undefined || isCron(value), 'must be off or a cron expression such as 30 2 * * *')
      .describe('When backups are taken: a cron expression in UTC, such as `30 2 * * *` for every night at 02:30.'),
    BACKUP_KEEP: wholeNumber(1, 1000).default(7).describe('How many completed backups remain; older ones are deleted.'),
    BACKUP_ROWS_ONLY: onOff
      .default(false)
      .describe('`on`: scheduled backups leave out the originals, for operators who copy those another way.'),
    BACKUP_S3_BUCKET: z
      .string()
      .min(3)
      .max(63)
      .optional()
      .describe('Scheduled backups go to this bucket instead of the disk. It must not be `S3_BUCKET`.'),
    BACKUP_S3_ENDPOINT: url.optional().describe('Like `S3_ENDPOINT`, for backups.'),
    BACKUP_S3_REGION: z.string().default('us-east-1').describe('Like `S3_REGION`, for backups.'),
    BACKUP_S3_ACCESS_KEY_ID: z
      .string()
      .optional()
      .describe("Credentials for the backup bucket. Without them the machine's role is used."),
    BACKUP_S3_SECRET_ACCESS_KEY: z.string().optional().describe('The secret of `BACKUP_S3_ACCESS_KEY_ID`.'),
    UPGRADE_BACKUP: onOff
      .default(true)
      .describe('Copies the database before a migration; PostgreSQL needs `pg_dump` for that (docs/operate.md).'),
  },
}

/** Every setting with its default. */
export const settings = {
  ...settingsByTopic.Server,
  ...settingsByTopic.Storage,
  ...settingsByTopic.Accounts,
  ...settingsByTopic.Site,
  ...settingsByTopic.Mail,
  ...settingsByTopic.Uploads,
  ...settingsByTopic['Rate limits'],
  ...settingsByTopic.Delivery,
  ...settingsByTopic['Logs and privacy'],
  ...settingsByTopic.Backups,
}

/**
 * Settings that are a secret or may contain one: the audit log has only whether they are set. Each can be in a file instead,
 * which the setting with `_FILE` at its end names.
 */
export const secretSettings: ReadonlySet<string> = new Set<keyof typeof settings>([
  'DATABASE_URL',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'BACKUP_S3_ACCESS_KEY_ID',
  'BACKUP_S3_SECRET_ACCESS_KEY',
  'JWT_SECRET',
  'ADMIN_PASSWORD',
  'DB_VIEW_PIN',
  'SMTP_URL',
  'OIDC_PROVIDERS',
  'METRICS_TOKEN',
  'PURGE_URL',
  'PURGE_SECRET',
])

/** Also undefined for invalid URLs, which their own rule refuses. */
const hostOf = (url = '') => (URL.canParse(url) ? new URL(url).host : undefined)

/** Either all settings of a group are set or none. */
const groups = [
  ['ADMIN_EMAIL', 'ADMIN_PASSWORD'],
  ['EMAILJS_PUBLIC_KEY', 'EMAILJS_SERVICE_ID', 'EMAILJS_TEMPLATE_ID'],
  ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ['BACKUP_S3_ACCESS_KEY_ID', 'BACKUP_S3_SECRET_ACCESS_KEY'],
  ['PURGE_URL', 'PURGE_SECRET'],
] as const

/** A setting that another one needs, and why where the names do not tell. */
const needs: [needed: SettingName, by: SettingName, why: string][] = [
  ['SUPPORT_EMAIL', 'SMTP_URL', ': it is where the messages of the contact page go'],
  ['PUBLIC_URL', 'SMTP_URL', ': mails have links to this site'],
  ['PUBLIC_URL', 'MEDIA_ORIGIN', ': the page has an address of its own'],
  ['S3_BUCKET', 'S3_ENDPOINT', ''],
  ['BACKUP_S3_BUCKET', 'BACKUP_S3_ENDPOINT', ''],
  ['S3_BUCKET', 'S3_ACCESS_KEY_ID', ''],
  ['BACKUP_S3_BUCKET', 'BACKUP_S3_ACCESS_KEY_ID', ''],
  ['JWT_SECRET', 'DATABASE_URL', ': every server on one database must sign with the same secret'],
]

type SettingName = keyof typeof settings
type Refuse = (name: SettingName, message: string) => void

const settingsSchema = z.object(settings)

const schema = settingsSchema.superRefine((given, context) => {
  const refuse: Refuse = (name, message) => context.addIssue({ code: 'custom', path: [name], message })
  for (const group of groups) {
    const missing = group.filter((name) => given[name] === undefined)
    if (missing.length === group.length) continue
    for (const name of missing)
      refuse(name, `is needed: ${group.join(group.length === 2 ? ' and ' : ', ')} go together`)
  }
  for (const [needed, by, why] of needs)
    if (given[by] !== undefined && given[needed] === undefined) refuse(needed, `is needed with ${by}${why}`)
  checkContradictions(given, refuse)
})

function checkContradictions(given: z.infer<typeof settingsSchema>, refuse: Refuse): void {
  if (!given.PASSWORD_LOGIN && (given.OIDC_PROVIDERS ?? []).length === 0)
    refuse('OIDC_PROVIDERS', 'is needed with PASSWORD_LOGIN=off: users need a way to log in')
  const mediaHost = hostOf(given.MEDIA_ORIGIN)
  if (mediaHost !== undefined && mediaHost === hostOf(given.PUBLIC_URL))
    refuse(
      'MEDIA_ORIGIN',
      'must be another host than that of PUBLIC_URL, or have another port: nothing else is served there',
    )
  for (const name of ['USER_EXPIRY', 'ADMIN_EXPIRY'] as const)
    if (given[name]?.after === 'view' && !given.VIEW_COUNTS)
      refuse(name, 'needs VIEW_COUNTS=on: without it, the server does not know when an image was viewed')
  const { BACKUP_S3_BUCKET: bucket, BACKUP_S3_ENDPOINT: endpoint } = given
  if (bucket !== undefined && bucket === given.S3_BUCKET && endpoint === given.S3_ENDPOINT)
    refuse(
      'BACKUP_S3_BUCKET',
      'must be another bucket than S3_BUCKET: whatever destroys that one would destroy its backups',
    )
}

export type Config = z.infer<typeof schema>

export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** @throws {ConfigError} with one line per invalid variable. An empty one counts as not set. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.keys(settings)
      .map((name) => [name, environment[name]?.trim() || secretInFile(name, environment)] as const)
      .filter(([, value]) => value !== undefined && value !== ''),
  )
  const result = schema.safeParse(given, { error: describeIssue })
  if (!result.success)
    throw new ConfigError(result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'))
  return withRelations(result.data, (name) => Object.hasOwn(given, name))
}

/** Settings that depend on another one, which may have its default. @throws {ConfigError} which names one that was set */
function withRelations(config: Config, isSet: (name: keyof Config) => boolean): Config {
  const { GUEST_MAX_BYTES, USER_MAX_BYTES, GUEST_MAX_DAYS, GUEST_RETENTION_DAYS } = config
  if (GUEST_MAX_DAYS > 0 && GUEST_MAX_DAYS < GUEST_RETENTION_DAYS)
    throw new ConfigError(
      isSet('GUEST_MAX_DAYS')
        ? `GUEST_MAX_DAYS: must be 0 or at least GUEST_RETENTION_DAYS, ${GUEST_RETENTION_DAYS}`
        : `GUEST_RETENTION_DAYS: must be at most GUEST_MAX_DAYS, ${GUEST_MAX_DAYS}. Raise that too, or set it to 0`,
    )
  if (config.USER_EXPIRY !== undefined && isSet('USER_RETENTION_DAYS'))
    throw new ConfigError('USER_RETENTION_DAYS: remove it, because USER_EXPIRY replaces it')
  if (GUEST_MAX_BYTES <= USER_MAX_BYTES) return config
  if (isSet('GUEST_MAX_BYTES'))
    throw new ConfigError(`GUEST_MAX_BYTES: must be at most USER_MAX_BYTES, ${USER_MAX_BYTES}`)
  return { ...config, GUEST_MAX_BYTES: USER_MAX_BYTES }
}

const kinds: Record<string, string> = {
  string: 'a text in quotes',
  array: 'a list in [ ]',
  object: 'an object in { }',
  boolean: 'true or false',
}

const counted = (origin: string) => (origin === 'string' ? 'characters' : 'entries')

/** What is wrong, where a rule has no text of its own: that of the library is for programmers. */
function describeIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${kinds[issue.expected] ?? issue.expected}`
    case 'too_small':
      return issue.minimum === 1 ? 'must not be empty' : `must have at least ${issue.minimum} ${counted(issue.origin)}`
    case 'too_big':
      return `must have at most ${issue.maximum} ${counted(issue.origin)}`
    case 'invalid_value':
      return `must be ${issue.values.slice(0, -1).join(', ')} or ${String(issue.values.at(-1))}`
    case 'unrecognized_keys':
      return `has no field ${issue.keys.join(', ')}`
    case 'invalid_format':
      return issue.format === 'email' ? 'must be an email address' : 'has a wrong format'
    default:
      return 'is not valid'
  }
}

const fileProblems: Record<string, string> = {
  ENOENT: 'does not exist',
  EACCES: 'is not readable by this process',
  EISDIR: 'is a folder',
}

/** @throws {ConfigError} the file cannot be read */
function secretInFile(name: string, environment: Record<string, string | undefined>): string | undefined {
  const path = environment[`${name}_FILE`]?.trim()
  if (!path || !secretSettings.has(name)) return undefined
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new ConfigError(`${name}_FILE: ${path} ${fileProblems[code] ?? `cannot be read (${code})`}`)
  }
}
