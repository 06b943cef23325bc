import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig, secretSettings, settings, settingsByTopic } from './config.ts'
import { configurationPage, envExample } from './testing/settings-doc.ts'

const oidc = (...providers: object[]) =>
  JSON.stringify(
    providers.map((more) => ({ id: 'a', name: 'A', issuer: 'https://id.example.com', clientId: 'images', ...more })),
  )

describe('readConfig', () => {
  it('reads the providers of OIDC_PROVIDERS', () => {
    const admins = { claim: 'groups', value: 'admins' }
    const given = oidc({ domains: ['Example.com'], admins }, { id: 'b', issuer: 'http://localhost:9000' })
    expect(readConfig({ OIDC_PROVIDERS: given, PASSWORD_LOGIN: 'off' }).OIDC_PROVIDERS).toMatchObject([
      { id: 'a', scopes: 'openid email profile', domains: ['example.com'], autoCreate: false, admins },
      { id: 'b', assumeEmailVerified: false },
    ])
  })

  it('has a default for every required setting', () => {
    const config = readConfig({})
    expect(config).toMatchObject({ PORT: 3000, HOST: '127.0.0.1', GUEST_UPLOADS: true, SITE_NAME: 'Image Host' })
    expect(config.DATA_DIR).toMatch(/\/data$/)
  })

  it('reads secrets from files, other settings not, and prefers the variable', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'image-host-config-')), 'secret')
    writeFileSync(file, 'metrics of the monitoring\n')
    try {
      expect(readConfig({ METRICS_TOKEN_FILE: file }).METRICS_TOKEN).toBe('metrics of the monitoring')
      expect(readConfig({ METRICS_TOKEN_FILE: file, METRICS_TOKEN: 'another one, of the variable' })).toMatchObject({
        METRICS_TOKEN: 'another one, of the variable',
      })
      expect(readConfig({ SITE_NAME_FILE: file }).SITE_NAME).toBe('Image Host')
      expect(() => readConfig({ JWT_SECRET_FILE: file })).toThrow('JWT_SECRET: must have at least 32 characters')
    } finally {
      rmSync(dirname(file), { recursive: true })
    }
    expect(() => readConfig({ METRICS_TOKEN_FILE: file })).toThrow(`METRICS_TOKEN_FILE: ${file} does not exist`)
    expect(() => readConfig({ METRICS_TOKEN_FILE: '/' })).toThrow('METRICS_TOKEN_FILE: / is a folder')
  })

  it('treats an empty variable as not set', () => {
    expect(readConfig({ PORT: '', PUBLIC_URL: ' ' })).toMatchObject({ PORT: 3000 })
  })

  it.each([
    ['PORT', 'abc', 'PORT: must be a whole number'],
    ['PORT', '70000', 'PORT: must be from 0 to 65535'],
    ['PUBLIC_URL', 'example', 'PUBLIC_URL: '],
    ['BACKUP_SCHEDULE', 'at night', 'BACKUP_SCHEDULE: must be off or a cron expression'],
    ['BACKUP_KEEP', '0', 'BACKUP_KEEP: must be from 1 to 1000'],
    ['GUEST_MAX_BYTES', '0', 'GUEST_MAX_BYTES: must be from 1024 to 67108864'],
    ['USER_MAX_BYTES', '67108865', 'USER_MAX_BYTES: must be from 1024 to 67108864'],
    ['GUEST_RETENTION_DAYS', '0', 'GUEST_RETENTION_DAYS: must be from 1 to 36500'],
    ['GUEST_MAX_DAYS', '59', 'GUEST_MAX_DAYS: must be 0 or at least GUEST_RETENTION_DAYS, 60'],
    ['GUEST_RETENTION_DAYS', '400', 'GUEST_RETENTION_DAYS: must be at most GUEST_MAX_DAYS, 365. Raise that too, or'],
    ['GUEST_MAX_BYTES', '11MB', 'GUEST_MAX_BYTES: must be at most USER_MAX_BYTES, 10485760'],
    ['USER_MAX_BYTES', '5 potatoes', 'USER_MAX_BYTES: must be a number of bytes, or a size such as 10MB'],
    ['USER_MAX_BYTES', '1GB', 'USER_MAX_BYTES: must be from 1024 to 67108864 bytes'],
    ['ADMIN_PASSWORD', 'short', 'ADMIN_PASSWORD: must have at least 6 characters'],
    ['ADMIN_EMAIL', 'me', 'ADMIN_EMAIL: must be an email address'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL: must be fatal, error, warn, info, debug, trace or silent'],
    ['S3_BUCKET', 'ab', 'S3_BUCKET: must have at least 3 characters'],
    ['OIDC_PROVIDERS', '[{"id":"a"}]', 'OIDC_PROVIDERS.0.name: is missing'],
    ['OIDC_PROVIDERS', oidc({ name: 7 }), 'OIDC_PROVIDERS.0.name: must be a text in quotes'],
    ['OIDC_PROVIDERS', oidc({ name: ' ' }), 'OIDC_PROVIDERS.0.name: must not be empty'],
    ['OIDC_PROVIDERS', oidc({ autoCreate: 'yes' }), 'OIDC_PROVIDERS.0.autoCreate: must be true or false'],
    ['USER_QUOTA_BYTES', '-1', 'USER_QUOTA_BYTES: must be a number of bytes, or a size such as 10MB'],
    ['MAX_STORAGE_BYTES', '9999999999999999', 'MAX_STORAGE_BYTES: must be from 0 to 1125899906842624'],
    ['LOG_ADDRESSES', 'none', 'LOG_ADDRESSES: must be full, short or hash'],
    ['LOG_PICTURES', 'none', 'LOG_PICTURES: must be all, errors or off'],
    ['AUDIT_RETENTION_DAYS', '3651', 'AUDIT_RETENTION_DAYS: must be from 0 to 3650'],
    ['ADDRESS_RETENTION_DAYS', '1.5', 'ADDRESS_RETENTION_DAYS: must be a whole number'],
    ['GUEST_UPLOADS', 'yes', 'GUEST_UPLOADS: must be on or off'],
    ['DB_VIEW_PIN', '12345', 'DB_VIEW_PIN: must be 4 digits'],
    ['JWT_SECRET', 'short', 'JWT_SECRET: must have at least 32 characters'],
    ['TRUST_PROXY', 'true', 'TRUST_PROXY: must be off, a number'],
    ['TRUST_PROXY', '0', 'TRUST_PROXY: must be off, a number'],
    ['TRUST_PROXY', '11', 'TRUST_PROXY: must be off, a number'],
    ['TRUST_PROXY', 'abc', 'TRUST_PROXY: must be off, a number'],
    ['TRUST_PROXY', '10.0.0.0/33', 'TRUST_PROXY: must be off, a number'],
    ['TRUST_PROXY', '0.0.0.0/0', 'TRUST_PROXY: must be off, a number'],
    ['TRUST_PROXY', '10.0.0.256', 'TRUST_PROXY: must be off, a number'],
    ['TRUST_PROXY', '10.0.0.1,', 'TRUST_PROXY: must be off, a number'],
    ['PUBLIC_URL', 'javascript:alert(1)', 'PUBLIC_URL: must be an address that begins with http'],
    ['PUBLIC_URL', 'https://example.com/pictures', 'PUBLIC_URL: must have no path'],
    ['PUBLIC_URL', 'https://example.com/?a', 'PUBLIC_URL: must have no path'],
    ['MEDIA_ORIGIN', 'https://media.example.com', 'PUBLIC_URL: is needed with MEDIA_ORIGIN'],
    ['MEDIA_ORIGIN', 'https://media.example.com/x', 'MEDIA_ORIGIN: must have no path'],
    ['MEDIA_ORIGIN', 'media.example.com', 'MEDIA_ORIGIN: must be an address'],
    ['DEVELOPER_URL', 'javascript:alert(1)', 'DEVELOPER_URL: must be an address that begins with http'],
    ['S3_ENDPOINT', 'ftp://s3.example.com', 'S3_ENDPOINT: must be an address that begins with http'],
    ['CORS_ORIGINS', 'https://a.example, file:///etc', 'CORS_ORIGINS.1: must be origins'],
    ['ADMIN_EMAIL', 'a@example.com', 'ADMIN_PASSWORD: is needed'],
    ['CORS_ORIGINS', 'nowhere', 'CORS_ORIGINS'],
    ['S3_ACCESS_KEY_ID', 'x', 'S3_SECRET_ACCESS_KEY: is needed'],
    ['S3_ENDPOINT', 'https://s3.example.com', 'S3_BUCKET: is needed with S3_ENDPOINT'],
    ['BACKUP_S3_ENDPOINT', 'https://s3.example.com', 'BACKUP_S3_BUCKET: is needed with BACKUP_S3_ENDPOINT'],
    ['BACKUP_S3_ACCESS_KEY_ID', 'x', 'BACKUP_S3_SECRET_ACCESS_KEY: is needed'],
    ['DATABASE_URL', 'mysql://x', 'DATABASE_URL: must look like'],
    ['REQUIRE_2FA', 'yes', 'REQUIRE_2FA: must be off, admins or all'],
    ['PASSWORD_LOGIN', 'off', 'OIDC_PROVIDERS: is needed with PASSWORD_LOGIN=off'],
    ['OIDC_PROVIDERS', 'company', 'OIDC_PROVIDERS: must be a JSON array'],
    ['OIDC_PROVIDERS', '{}', 'OIDC_PROVIDERS: must be a list in [ ]'],
    ['OIDC_PROVIDERS', '[{"id":"Company"}]', 'OIDC_PROVIDERS.0.id: must be 1 to 30 lower-case letters'],
    ['OIDC_PROVIDERS', oidc({ issuer: 'http://id.example.com' }), 'OIDC_PROVIDERS.0.issuer: must begin with https://'],
    ['OIDC_PROVIDERS', oidc({ scopes: 'email' }), 'OIDC_PROVIDERS.0.scopes: must contain openid'],
    ['OIDC_PROVIDERS', oidc({ autocreate: true }), 'OIDC_PROVIDERS.0: has no field autocreate'],
    ['OIDC_PROVIDERS', oidc({}, {}), 'OIDC_PROVIDERS: must have an id of its own each'],
    ['SMTP_URL', 'mail.example.com:25', 'SMTP_URL: must look like smtp://'],
    ['SMTP_URL', 'smtp://mail.example.com:port', 'SMTP_URL: must look like smtp://'],
    ['SMTP_URL', 'smtp://mail.example.com:25', 'SUPPORT_EMAIL: is needed with SMTP_URL'],
    ['SMTP_URL', 'smtp://mail.example.com:25', 'PUBLIC_URL: is needed with SMTP_URL'],
    ['REGISTRATION', 'off', 'REGISTRATION: must be open, invite or closed'],
    ['REGISTRATION_DOMAINS', 'example.com, @example.org', 'REGISTRATION_DOMAINS.1: must be domains'],
    ['REGISTRATION_DOMAINS', 'localhost', 'REGISTRATION_DOMAINS.0: must be domains'],
    ['MAIL_FROM', 'Pictures', 'MAIL_FROM: must be an address'],
    ['EMAILJS_SERVICE_ID', 's', 'EMAILJS_PUBLIC_KEY: is needed'],
    ['DATABASE_URL', 'postgres://a:b@h/d', 'JWT_SECRET: is needed with DATABASE_URL'],
  ])('refuses %s=%s with a line that names it', (name, value, message) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError)
    expect(() => readConfig({ [name]: value })).toThrow(message)
  })

  it.each([
    ['5242880', 5 * 1024 ** 2],
    ['20MB', 20 * 1024 ** 2],
    ['1.5 MiB', 1.5 * 1024 ** 2],
    ['64kb', 64 * 1024],
    ['2048 B', 2048],
  ])('reads USER_MAX_BYTES=%s as %i', (value, expected) => {
    expect(readConfig({ USER_MAX_BYTES: value, GUEST_MAX_BYTES: '1KB' }).USER_MAX_BYTES).toBe(expected)
  })

  it('reads quotas in gigabytes, and lowers the default of guests to what users may send', () => {
    expect(readConfig({ CACHE_MAX_BYTES: '10GB', MAX_STORAGE_BYTES: '2TB', USER_MAX_BYTES: '1MB' })).toMatchObject({
      CACHE_MAX_BYTES: 10 * 1024 ** 3,
      MAX_STORAGE_BYTES: 2 * 1024 ** 4,
      GUEST_MAX_BYTES: 1024 ** 2,
    })
  })

  it.each([
    ['off', false],
    ['2', 2],
    ['10', 10],
    ['10.0.0.0/8, 127.0.0.1', '10.0.0.0/8,127.0.0.1'],
    ['::1, fd00::/8', '::1,fd00::/8'],
  ])('reads TRUST_PROXY=%s', (value, expected) => {
    expect(readConfig({ TRUST_PROXY: value }).TRUST_PROXY).toBe(expected)
  })
})

describe('addresses', () => {
  it.each([
    ['https://img.example.com/', 'https://img.example.com'],
    ['HTTP://Img.Example.com:80', 'http://img.example.com'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('reads PUBLIC_URL=%s as %s', (given, expected) => {
    expect(readConfig({ PUBLIC_URL: given }).PUBLIC_URL).toBe(expected)
  })

  it('reads CORS_ORIGINS as browsers send them', () => {
    const { CORS_ORIGINS } = readConfig({ CORS_ORIGINS: 'https://App.example/page/, http://localhost:5173/' })
    expect(CORS_ORIGINS).toEqual(['https://app.example', 'http://localhost:5173'])
  })

  it('refuses the same host in PUBLIC_URL and MEDIA_ORIGIN, whatever the protocol', () => {
    const both = { PUBLIC_URL: 'https://img.example.com', MEDIA_ORIGIN: 'http://IMG.example.com/' }
    expect(() => readConfig(both)).toThrow('MEDIA_ORIGIN: must be another host than that of PUBLIC_URL')
    const { MEDIA_ORIGIN } = readConfig({ ...both, MEDIA_ORIGIN: 'https://IMG.example.com:8443/' })
    expect(MEDIA_ORIGIN).toBe('https://img.example.com:8443')
  })

  it('preserves the path of other URLs without a trailing slash', () => {
    expect(readConfig({ DEVELOPER_URL: 'https://example.com/me/' }).DEVELOPER_URL).toBe('https://example.com/me')
  })
})

it('refuses the bucket of the originals as that of their backups', () => {
  const both = { S3_BUCKET: 'pictures', BACKUP_S3_BUCKET: 'pictures' }
  expect(() => readConfig(both)).toThrow('BACKUP_S3_BUCKET: must be another bucket than S3_BUCKET')
  expect(readConfig({ ...both, BACKUP_S3_ENDPOINT: 'https://s3.example.net' }).BACKUP_S3_BUCKET).toBe('pictures')
})

it('a setting that accepts a secret, or whose name sounds like one, is one or is known to be public', () => {
  const publicSettings = [
    'BACKUP_S3_BUCKET',
    'BACKUP_S3_ENDPOINT',
    'BACKUP_S3_REGION',
    'CORS_ORIGINS',
    'DATA_DIR',
    'DEVELOPER_URL',
    'EMAILJS_PUBLIC_KEY',
    'EMAILJS_SERVICE_ID',
    'EMAILJS_TEMPLATE_ID',
    'HOST',
    'MAIL_FROM',
    'MEDIA_ORIGIN',
    'PASSWORD_LOGIN',
    'PASSWORD_MIN',
    'PUBLIC_URL',
    'S3_BUCKET',
    'S3_ENDPOINT',
    'S3_REGION',
    'SITE_NAME',
    'UPDATE_CHECK',
    'UPLOAD_BY_URL',
  ]
  const word = 'correct-horse-battery-staple-0123456789'
  const secrets = [word, ...['https', 'smtp', 'postgres'].map((scheme) => `${scheme}://user:${word}@example.com/`)]
  const suspects = Object.entries(settings).filter(
    ([name, setting]) =>
      /SECRET|PASSWORD|TOKEN|PIN|KEY|URL|OIDC/.test(name) || secrets.some((text) => setting.safeParse(text).success),
  )
  expect([...secretSettings, ...publicSettings].toSorted()).toEqual(suspects.map(([name]) => name).toSorted())
})

describe('when images expire', () => {
  it.each([
    ['365 days', { after: 'upload', days: 365 }],
    ['1 day', { after: 'upload', days: 1 }],
    ['90 days after the upload', { after: 'upload', days: 90 }],
    ['365 Days after the last view', { after: 'view', days: 365 }],
    ['never', { after: 'never' }],
  ])('%s', (USER_EXPIRY, expected) => {
    expect(readConfig({ USER_EXPIRY })).toMatchObject({ USER_EXPIRY: expected })
  })

  it.each([
    [{ USER_EXPIRY: '365' }, 'USER_EXPIRY: must be a number of days such as 365 days'],
    [{ ADMIN_EXPIRY: '0 days' }, 'ADMIN_EXPIRY: must be from 1 to 36500 days'],
    [{ USER_EXPIRY: '90 days after the last look' }, 'USER_EXPIRY: must be a number of days'],
    [{ ADMIN_EXPIRY: '90 days after the last view', VIEW_COUNTS: 'off' }, 'ADMIN_EXPIRY: needs VIEW_COUNTS=on'],
    [{ USER_EXPIRY: 'never', USER_RETENTION_DAYS: '90' }, 'USER_RETENTION_DAYS: remove it'],
    [{ MAY_KEEP: 'all' }, 'MAY_KEEP: must be nobody, admins or users'],
  ])('%o is refused with a reason', (environment, problem) => {
    expect(() => readConfig(environment)).toThrow(problem)
  })
})

describe('the documentation of the settings', () => {
  const root = new URL('../', import.meta.url)

  it.each([
    ['docs/configuration.md', configurationPage],
    ['.env.example', envExample],
  ])('%s is up to date (npm run docs writes it)', (path, page) => {
    expect(readFileSync(new URL(path, root), 'utf8')).toBe(page())
  })

  it('describes each setting in a sentence, with a default or an example', () => {
    const descriptions = Object.values(settings).map((schema) => schema.description ?? '')
    expect(descriptions.filter((text) => !/^\S.{9,260}\.$/.test(text))).toEqual([])
    const listed = [...envExample().matchAll(/^# ([A-Z_\d]+)=/gm)].map(([, name]) => name)
    expect(listed).toEqual(Object.keys(settings))
  })
})

const names = Object.keys(settings)
const textsOf = (folder: string, isWanted: (path: string) => boolean) =>
  readdirSync(new URL(`../${folder}/`, import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter(isWanted)
    .map((path) => readFileSync(new URL(`../${folder}/${path}`, import.meta.url), 'utf8'))
const unnamedIn = (text: string) => names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))

it('the product reads every setting', () => {
  const isProduct = (path: string) => path.endsWith('.ts') && !/\.test\.ts$|^testing\/|^config\.ts$/.test(path)
  // A comment or a message that names a setting does not read it.
  const code = textsOf('server', isProduct)
    .join('\n')
    .replaceAll(/\/\*.*?\*\/|(?<![:'"`])\/\/[^\n]*|'[^'\n]*'/gs, '')
  expect(unnamedIn(code)).toEqual([])
})

it('a test of the server, the deployments or the browser names every setting', () => {
  const tests = [
    ...['server', 'command', 'scripts', 'faults'].flatMap((folder) =>
      textsOf(folder, (path) => path.endsWith('.test.ts') && path !== 'config.test.ts'),
    ),
    ...textsOf('e2e', (path) => /\.spec\.ts$|^deploy\/.*\.mjs$/.test(path)),
  ]
  expect(unnamedIn(tests.join('\n'))).toEqual([])
})

it('a setting without a default needs or is needed by others, or works alone', () => {
  const alone = [
    ...['PUBLIC_URL', 'UPDATE_CHECK', 'S3_BUCKET', 'JWT_SECRET', 'OIDC_PROVIDERS', 'DB_VIEW_PIN', 'SUPPORT_EMAIL'],
    ...['DEVELOPER_URL', 'MAIL_FROM', 'USER_EXPIRY', 'ADMIN_EXPIRY', 'METRICS_TOKEN', 'BACKUP_SCHEDULE'],
    'BACKUP_S3_BUCKET',
  ]
  const [source = ''] = textsOf('server', (path) => path === 'config.ts')
  const [, groups = '', needs = ''] = source.split(/\nconst (?:groups|needs)\b/)
  const bound = [
    ...[...groups.matchAll(/'([A-Z\d_]+)'/g)].map(([, name]) => name),
    ...[...needs.matchAll(/^  \['\w+', '(\w+)'/gm)].map(([, name]) => name),
  ]
  const optional = Object.entries(settings).filter(([, setting]) => setting.safeParse(undefined).data === undefined)
  expect(optional.map(([name]) => name).filter((name) => !bound.includes(name))).toEqual(alone)
})

it('the page or GET /api/limits shows every setting of uploads, or there is a reason', () => {
  const hidden = {
    GUEST_QUOTA_BYTES: 'of all guests together',
    MAX_LINKS: 'no upload creates a link',
    UPLOAD_BY_URL: 'the failure names it',
    LEGACY_PATHS: 'of images that exist',
  }
  const shown = textsOf('server', (path) => /\/(page-config|upload-limits|expiry-by-role)\.ts$/.test(path))
  expect(shown).toHaveLength(3)
  const unnamed = unnamedIn(shown.join('\n'))
  expect(Object.keys(settingsByTopic.Uploads).filter((name) => unnamed.includes(name))).toEqual(Object.keys(hidden))
})
