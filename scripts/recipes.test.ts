// Steps of docs/recipes/ that neither the compiler nor the tests of their subject notice when they are forgotten.
import { readdirSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'
import { expect, it } from 'vitest'
import { api } from '../contract/endpoints/api.ts'
import { type Endpoint, failuresOf } from '../contract/endpoints/endpoint.ts'
import { engineParameters } from '../contract/endpoints/image-engine.ts'
import { type FailureCode, failures } from '../contract/plain/failures.ts'
import * as pagePaths from '../contract/plain/page-paths.ts'
import { type WebhookEvent, webhookEventNames } from '../contract/plain/webhook-events.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const { paths } = pagePaths
const namesIn = (path: string, pattern: RegExp) => [...read(path).matchAll(pattern)].map(([, name = '']) => name)
const sectionOf = (page: string, heading: string) => page.split(`\n## ${heading}`)[1]?.split('\n## ')[0] ?? ''
/** The names of the screens of e2e/screens. */
const screens = () =>
  readdirSync(new URL('../e2e/screens', import.meta.url)).flatMap((file) =>
    namesIn(`e2e/screens/${file}`, /^  '?([\w-]+)'?[:,]/gm),
  )
const filesBelow = (folder: string, name: RegExp) =>
  readdirSync(new URL(`../${folder}`, import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path))
    .map((path) => `${folder}/${path}`)
/** The modules below a folder. */
const filesOf = (folder: string) => filesBelow(folder, /(?<!\.test)\.tsx?$/)

it('docs/architecture.md says what every table holds', () => {
  const model = sectionOf(read('docs/architecture.md'), 'Data model')
  const tables = namesIn('server/db/schema.ts', /^  (\w+): \w+Table$/gm)
  expect(tables.length).toBeGreaterThan(30)
  expect(tables.filter((name) => !model.includes(`\`${name}\``))).toEqual([])
})

it('docs/clients.md names every host whose API the server speaks', () => {
  const listed = sectionOf(read('docs/clients.md'), 'Compatible APIs').toLowerCase()
  const shared = ['api.ts', 'routes.ts', 'schemas.ts', 'imgur-albums.ts', 'zipline-folders.ts']
  const hosts = readdirSync(new URL('../contract/compat', import.meta.url))
    .filter((file) => !shared.includes(file))
    .map((file) => file.replace('.ts', ''))
  expect(hosts.length).toBeGreaterThan(3)
  expect(hosts.filter((host) => !listed.includes(host))).toEqual([])
})

/** The modules of server/domain/ that queue each event: every way in which it can happen. */
const eventModules: Record<WebhookEvent, string[]> = {
  'image.uploaded': ['uploads/store-row.ts'],
  'image.deleted': ['images/deletion/delete-image.ts', 'images/deletion/remove-images.ts'],
  'image.restored': ['images/deletion/restore-images.ts'],
  'image.expiring': ['webhooks/announce-expiring.ts'],
  'image.expired': ['images/deletion/remove-images.ts'],
  'image.reported': ['moderation/reports/send-report.ts'],
}

it.each(webhookEventNames)(
  'the event %s is sent by known modules, described in docs/integrate.md, and received in a test',
  (event) => {
    const modules = filesBelow('server/domain', /(?<!\.test)\.ts$/).filter((path) => read(path).includes(`'${event}'`))
    expect(modules.toSorted()).toEqual(eventModules[event].map((path) => `server/domain/${path}`))
    expect(read('docs/integrate.md')).toContain(`- \`${event}\`: `)
    // What the receiver got is compared as `type: 'image.x'`, or as the type with the image.
    expect(read('server/domain/webhooks/webhooks.test.ts')).toMatch(
      new RegExp(`type: '${event}'|\`${event} \\$|\\['${event}', id`),
    )
  },
)

/** Who each page is for. */
const audiences: Record<keyof typeof paths, 'everyone' | 'users' | 'admins'> = {
  home: 'everyone',
  login: 'everyone',
  loginReturn: 'everyone',
  register: 'everyone',
  confirmEmail: 'everyone',
  resetPassword: 'everyone',
  albumInvite: 'everyone',
  dashboard: 'users',
  albums: 'users',
  tags: 'users',
  notifications: 'users',
  apiKeys: 'users',
  links: 'users',
  account: 'users',
  apiDocs: 'users',
  apiDocsPage: 'users',
  admin: 'admins',
  tools: 'everyone',
  about: 'everyone',
  contact: 'everyone',
  report: 'everyone',
  privacy: 'everyone',
  terms: 'everyone',
}
const tableOf = (path: string, name: string) => read(path).split(`\nexport const ${name} = `)[1]?.split('\n\n')[0] ?? ''
const pathsIn = (table: string) => [...table.matchAll(/\[paths\.(\w+)/g)].map(([, name = '']) => name)
const routed = (audience: 'guest' | 'user' | 'admin') => pathsIn(tableOf('web/app/lazy-pages.ts', `${audience}Pages`))

it('the router shows every page to its audience', () => {
  const of = (audience: string) =>
    new Set(Object.keys(audiences).filter((path) => audiences[path as 'home'] === audience))
  expect(new Set(['home', ...routed('guest')])).toEqual(of('everyone'))
  expect(new Set([...routed('user'), 'apiDocs', 'apiDocsPage'])).toEqual(of('users'))
  expect(new Set(routed('admin'))).toEqual(of('admins'))
})

/** Texts and forms: what a form sends is no data. The second path of the API documentation is the same page. */
const withoutData = [
  ...['home', 'login', 'loginReturn', 'register', 'confirmEmail', 'resetPassword', 'albumInvite'],
  ...['tools', 'about', 'contact', 'report', 'privacy', 'terms', 'apiDocsPage'],
]

it.each(Object.keys(audiences).filter((name) => !withoutData.includes(name)))(
  'the data of the page %s fails in a journey',
  (name) => {
    expect(read('e2e/screens/data-screens.ts')).toMatch(new RegExp(`'${paths[name as keyof typeof paths]}\\b`))
  },
)

it.each(namesIn('web/features/admin/admin-address.ts', /^  '(\w+)',$/gm).filter((tab) => tab !== 'overview'))(
  'the admin tab %s is a screen, its data fails in a journey, and docs/behaviour.md has it',
  (tab) => {
    expect(read('e2e/screens/admin-screens.ts')).toMatch(new RegExp(`/admin\\?tab=${tab}\\b`))
    expect(read('e2e/screens/data-screens.ts')).toContain(`\n    ${tab}: [/`)
    expect(/^- `\/admin`: .*/m.exec(read('docs/behaviour.md'))?.[0]).toMatch(new RegExp(`\\b${tab}\\b`))
  },
)

/** The screens of pages that have a parameter in their path: one for the links of mails. null: not a page. */
const screensOfPatterns: Record<string, string | null> = {
  '/i/{id}': 'share',
  '/s/{slug}': null,
  '/d/{id}/{token}': 'delete-link',
  '/unsubscribe/{id}/{token}': 'delete-link',
  '/l/{slug}': 'link-page',
  '/l/{slug}/{albumId}': 'link-page-album',
  '/l/{slug}/preview.jpg': null,
  '/l/{slug}/images.zip': null,
}

it('every page with a parameter in its path is described in docs/behaviour.md, and a screen', () => {
  const patterns = Object.values(pagePaths).filter((path) => typeof path === 'string' && path.includes('{'))
  expect(new Set(patterns)).toEqual(new Set(Object.keys(screensOfPatterns)))
  const described = read('docs/behaviour.md')
  const pages = Object.entries(screensOfPatterns).filter(([, screen]) => screen !== null)
  expect(pages.filter(([path]) => !described.includes(`\`${path}\``))).toEqual([])
  expect(pages.filter(([, screen]) => !screens().includes(screen ?? ''))).toEqual([])
})

/** Opened by a link in a mail, by a login provider, or from another page. */
const unlisted = ['loginReturn', 'confirmEmail', 'resetPassword', 'albumInvite', 'apiDocsPage']

it.each(Object.keys(audiences).filter((name) => !unlisted.includes(name)))(
  'the page %s is in the command palette',
  (name) => {
    expect(read('web/app/site-commands.tsx')).toContain(`[paths.${name}, `)
  },
)

it('the page of every route but the landing is preloaded with the document', () => {
  const early = 'scripts/early-script.ts'
  const preloaded = (audience: string) =>
    new Set(pathsIn(read(early).split(`const ${audience}Pages = {`)[1]?.split('\n}')[0] ?? ''))
  expect(preloaded('user')).toEqual(new Set([...routed('user'), 'apiDocs', 'apiDocsPage', ...routed('admin')]))
  expect(preloaded('guest')).toEqual(new Set(routed('guest')))
  const loaded = read('web/app/lazy-pages.ts')
  const files = namesIn(early, /: 'web\/(pages\/[\w/-]+\.tsx)'/g)
  expect(files.filter((file) => !loaded.includes(`'../${file}'`))).toEqual([])
})

it('texts that count the embed formats count them right', () => {
  const count = namesIn('web/features/embed/code-formats.ts', /\bid: '(\w+)'/g).length
  const words = ['ten', 'eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen']
  const word = words[count - 10]
  expect(read('web/texts/prose.ts')).toContain(`Embed code for ${word} languages`)
  expect(read('web/texts/dashboard-messages.ts')).toContain(`documents in ${word} formats`)
})

it('docs/migrate.md has a row for every importer, and for no others', () => {
  const table = read('server/importers/sources.ts').split('export const sources')[1] ?? ''
  const kinds = [...table.matchAll(/^  (\w+): (?:\{|\w+\()/gm)].map(([, kind = '']) => kind)
  expect(kinds.length).toBeGreaterThan(5)
  const section = sectionOf(read('docs/migrate.md'), 'Moving in from another host')
  const rows = [...section.matchAll(/^\| `(\w+)`/gm)].map(([, kind = '']) => kind)
  expect(new Set(rows)).toEqual(new Set(kinds))
})

/** Linked where they are needed: a page for developers, and a form about an image. */
const linkedElsewhere = [...unlisted, 'apiDocs', 'report']

it.each(Object.entries(audiences).filter(([name]) => !linkedElsewhere.includes(name)))(
  'the page %s, for %s, is linked in the header, the account menu or the footer',
  (name, audience) => {
    const shell =
      audience === 'everyone' ? ['header', 'footer'] : ['account-links', 'account-menu', 'notifications-link']
    const linked = shell.flatMap((file) => namesIn(`web/app/${file}.tsx`, /\bpaths\.(\w+)/g))
    expect(linked).toContain(name)
  },
)

/** A question of words alone looks as in this screen. */
const question = 'delete-key'
/** So does what is shown once, to be copied. */
const shownOnce = 'admin-invite-link'

/** The screens that show the dialogs of each module, one for each. */
const dialogs: Record<string, string | string[]> = {
  'account/data-section': 'delete-account',
  'account/security/confirm-identity': 'confirm-identity',
  'account/security/passkey-row': ['account-passkey', question],
  'account/security/recovery-codes-dialog': 'account-recovery-codes',
  'account/security/security-section': [question, question, question],
  'account/security/totp-dialog': 'account-totp',
  'account/sessions-section': 'log-out-everywhere',
  'admin/backups/backups-panel': question,
  'admin/blocklist/add-blocks-dialog': 'admin-block-networks',
  'admin/blocklist/blocklist': question,
  'admin/images/block-uploader-dialog': 'admin-block-uploader',
  'admin/images/decision-dialog': 'admin-image-block',
  'admin/images/image-lightbox': 'admin-image',
  'admin/invites/invite-dialog': 'admin-invite',
  'admin/invites/invites-panel': [question, shownOnce],
  'admin/overview/cleanup-panel': question,
  'admin/reports/report-decision-dialog': 'admin-report-decision',
  'admin/users/deactivate-found': question,
  'admin/users/user-dialog': 'admin-user',
  'admin/users/users-panel': 'confirm-identity',
  'albums/add-to-album-dialog': 'add-to-album',
  'albums/album-form': 'album-new',
  'albums/delete-album-dialog': 'album-delete',
  'albums/members-dialog': 'album-members',
  'albums/remove-member-dialog': 'album-member-removal',
  'analysis/analysis-dialog': 'analysis',
  'api-docs/endpoints/endpoint-dialog': 'endpoint',
  'api-docs/try-it/try-it': question,
  'api-keys/key-list': 'delete-key',
  'api-keys/new-key-dialog': 'new-key',
  'dashboard/expiry-dialog': 'expiry',
  'dashboard/image-sheet': 'image-sheet',
  'dashboard/tags-dialog': 'image-tags',
  'dashboard/toolbar': 'dashboard-filters',
  'dashboard/views-dialog': 'views',
  'database-view/collections/delete-collection-dialog': 'delete-collection',
  'database-view/document/document-editor': question,
  'database-view/pin/pin-dialog': 'database-pin',
  'database-view/table/delete-documents-dialog': 'delete-documents',
  'embed/embed-dialog': 'embed',
  'links/edit-link-dialog': 'link-edit',
  'links/link-list': 'link-qr',
  'links/link-sheet': 'link-sheet',
  'links/too-many-dialog': 'link-too-many',
  'share/share-dialog': 'share-sheet',
  'shortcuts/shortcuts-dialog': 'shortcuts',
  'tags/rename-tag-dialog': 'tag-rename',
  'tags/tag-list': question,
  'trash/deletion-dialog': 'trash-deletion',
  'webhooks/deliveries-dialog': 'webhook-deliveries',
  'webhooks/webhook-dialog': 'webhook-options',
  'webhooks/webhook-section': [question, question, shownOnce],
}

it('every module with dialogs shows them in a screen of e2e/screens', () => {
  const rendered = ['web/features', 'web/pages', 'web/app'].flatMap(filesOf).flatMap((path) => {
    const count = namesIn(path, /<((?:Form|Confirm|CopyOnce)?Dialog)\b/g).length
    return count > 0 || path.endsWith('-dialog.tsx') ? [[path, count] as const] : []
  })
  const listed = Object.entries(dialogs).map(([name, shown]) => [`web/features/${name}.tsx`, [shown].flat().length])
  expect(Object.fromEntries(rendered)).toEqual(Object.fromEntries(listed))
  const known = screens()
  expect(
    Object.values(dialogs)
      .flat()
      .filter((name) => !known.includes(name)),
  ).toEqual([])
})

it('every page sets its title', () => {
  const pages = filesOf('web/pages')
    .flatMap((path) => read(path).split('\nexport '))
    .filter((code) => /^function \w+Page\(/.test(code))
  expect(pages.length).toBeGreaterThan(10)
  const [title, untitled] = [/\busePageTitle\([^)]/, /^function (\w+)/]
  // The site's own title is that of the landing page.
  expect(pages.filter((code) => !title.test(code)).map((code) => untitled.exec(code)?.[1])).toEqual(['LandingPage'])
})

it('docs/image-urls.md has a row for every parameter of the image engine', () => {
  const rows = namesIn('docs/image-urls.md', /^\| (`\w.*?`) \|/gm).flatMap((names) => names.split(', '))
  expect(new Set(rows)).toEqual(new Set(Object.keys(engineParameters).map((name) => `\`${name}\``)))
})

/** Columns of migrations that schema-versions.ts fills in no row: what triggers count, and columns that are null at first. */
const unfilled = {
  '0002-documents': ['session_id'],
  '0003-backups': ['shard', 'uploads'],
  '0004-mail': ['drop_at', 'last_error'],
  '0005-keys-and-limits': ['first_name', 'last_name', 'hits'],
  '0011-audit': ['former_owner_id'],
  '0012-http-hardening': ['bytes'],
  '0013-reports': ['announced_at', 'decision', 'decided_at', 'decided_by'],
  '0016-webhooks': ['old_secret', 'old_secret_until', 'off_reason', 'last_try_at', 'last_status', 'last_error'],
  '0019-confirmed-addresses': ['invite_id'],
  '0020-factors': ['last_used_at'],
  '0021-sessions': ['device', 'network'],
  '0031-visibility': ['view_key_version'],
}

it('every column of a migration has a value in a row of its version or a later one', () => {
  const fixtures = read('faults/upgrade/schema-versions.ts')
  const folder = 'server/db/migrations'
  const migrations = readdirSync(new URL(`../${folder}`, import.meta.url), { recursive: true, encoding: 'utf8' })
  const missing = migrations
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => {
      const name = path.replace(/^.*\/|\.ts$/g, '')
      // The images of the first version are written by a function above all entries.
      const rows = name.startsWith('0001') ? fixtures : fixtures.slice(fixtures.indexOf(`migration: '${name}'`))
      const columns = new Set(namesIn(`${folder}/${path}`, /addColumn\('(\w+)'/g))
      return [...columns]
        .filter((column) => !new RegExp(`\\b${column}\\b`).test(rows))
        .map((column) => `${name}: ${column}`)
    })
  const known = Object.entries(unfilled).flatMap(([name, columns]) => columns.map((column) => `${name}: ${column}`))
  expect(missing.toSorted()).toEqual(known.toSorted())
})

/** Headers of requests only or of mails, and schemes of `Authorization`. */
const sent = [
  'Client-ID',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'Reply-To',
  'X-API-Key',
  'Api-Key',
  'X-DB-Token',
  'X-Guest-Token',
  'X-Proof-Of-Work',
]

it('pages of CORS_ORIGINS can read every response header that the documents name', () => {
  const named = ['integrate', 'api', 'clients'].flatMap((page) =>
    namesIn(`docs/${page}.md`, /`([A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)+)(?=[`:])/g),
  )
  const exposed = namesIn('server/http/request/cross-origin.ts', /'([\w-]+)'/g)
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((header) => !exposed.includes(header) && !sent.includes(header))).toEqual([])
})

/** The codes that a function throws or names in its `@throws`, with those of the functions that it refers to there. */
function codesThrownBy(name: string, functions: Map<string, string>, seen = new Set<string>()): FailureCode[] {
  const code = seen.has(name) ? '' : (functions.get(name) ?? '')
  seen.add(name)
  const throws = /@throws ([^]*?)(?=\*\/|@)/.exec(code)?.[1] ?? ''
  const words = [...throws.matchAll(/\w+/g), ...code.matchAll(/(?<=new Failure\(')\w+/g)].map(([word]) => word)
  const others = [...throws.matchAll(/(?<=\b(?:as|like) )\w+/g)].map(([other]) => other)
  return [
    ...words.filter((word): word is FailureCode => word in failures),
    ...others.flatMap((other) => codesThrownBy(other, functions, seen)),
  ]
}

it('every endpoint declares what its function throws', () => {
  const documented = ['server/domain', 'server/http'].flatMap(filesOf).flatMap((path) => read(path).split('\n/**'))
  const functions = new Map(
    documented.map((text) => {
      const [code = ''] = text.split('\n}\n')
      return [/\*\/\n(?:export )?(?:async )?(?:function|const) (\w+)/.exec(code)?.[1] ?? '', code]
    }),
  )
  expect(Object.keys(api).filter((name) => codesThrownBy(name, functions).length > 0).length).toBeGreaterThan(100)
  const undeclared = Object.entries<Endpoint>(api).flatMap(([name, endpoint]) => {
    const declared = failuresOf(endpoint)
    return codesThrownBy(name, functions).flatMap((code) => (declared.includes(code) ? [] : [`${name}: ${code}`]))
  })
  expect(undeclared).toEqual([])
})

/** Where docs/behaviour.md, or docs/moderate.md for reports, has each mail, and its subject in a test that receives it. */
const mails = {
  contactMail: ["the form's recipient", 'Image Host: A question'],
  registrationMail: ['links that confirm an address', 'confirm your email address'],
  addressInUseMail: ['links that confirm an address', 'you already have an account'],
  confirmationMail: ['links that confirm an address', 'confirm your email address'],
  passwordResetMail: ['reset a password', 'choose a new password'],
  providerLoginMail: ['reset a password', 'how to log in'],
  albumInviteMail: ['join an album', 'an album is shared with you'],
  passwordChangedMail: ['passwords', 'your password was changed'],
  newKeyMail: ['API keys', 'a new API key'],
  webhookMail: ['webhooks', 'a webhook has a new URL'],
  deletionRequestedMail: ['deleting the account', 'your account will be deleted'],
  accountDeletedMail: ['deleting the account', 'your account has been deleted'],
  newLoginMail: ['unknown browsers', 'a login from a new browser'],
  loginWayMail: ['login methods', 'an authenticator app was added'],
  addressChangedMail: ['a changed address', 'your email address was changed'],
  expiryDigest: ['when images expire soon', '1 image expires within 7 days'],
  reportDigest: ['one message an hour about new reports', '1 image was reported'],
  takedownNotice: ['The owner of a quarantined or removed', 'one of your images was hidden'],
  webhookOffMail: ['when a webhook was switched off', 'was switched off'],
}
/** A mail names the link to turn it off exactly if its user can. */
const optional = ['expiryDigest', 'webhookOffMail']

it('the documents have every mail, and whether it can be turned off', () => {
  const written = read('server/domain/mail/mail-texts.ts').split(/^export (?:const|function) /m)
  // The first paragraph is the function itself.
  const texts = written.filter((code) => /\): MailText (?:=>|\{)/.test(code.split('\n\n')[0] ?? ''))
  expect(new Set(texts.map((code) => /^\w+/.exec(code)?.[0]))).toEqual(new Set(Object.keys(mails)))
  const described = read('docs/behaviour.md').split('\n## Contact form and mail')[1]?.split('\n## ')[0] ?? ''
  const can = described.split('\n- ').find((point) => point.includes('They can turn both off'))
  const others = `${described.replace(can ?? '', '')}${read('docs/moderate.md')}`
  const flat = (text = '') => text.replace(/\s+/g, ' ')
  const missing = Object.entries(mails).filter(
    ([name, [words = '']]) => !flat(optional.includes(name) ? can : others).includes(words),
  )
  expect(missing).toEqual([])
  const offered = texts.filter((code) => code.includes('unsubscribeUrl')).map((code) => /^\w+/.exec(code)?.[0])
  expect(offered).toEqual(optional)
})

it('every mail is received in a test, under its subject', () => {
  const received = filesBelow('server/domain', /\.test\.ts$/)
    .map(read)
    .filter((test) => /testing\/(mail-app|smtp-server)\.ts'/.test(test))
    .join('\n')
  expect(Object.values(mails).filter(([, subject = '']) => !received.includes(`${subject}'`))).toEqual([])
})

/** Modules that send to an address that need not be confirmed, or of no account. */
const toAddresses = {
  'domain/members/album-invites.ts': 'who is invited may have no account',
  'domain/accounts/registration.ts': 'has no account yet',
  'domain/accounts/email/password-reset.ts': 'the link is what confirms the address',
  'domain/accounts/email/confirm-email.ts': 'confirms the address, or tells the one before',
  'domain/accounts/delete-account.ts': 'the account is gone',
}

it('mail goes to confirmed addresses, but for a known few', () => {
  const sources = filesBelow('server', /(?<!\.test)\.ts$/).filter((path) => /\btoAddress: /.test(read(path)))
  expect(new Set(sources)).toEqual(new Set(Object.keys(toAddresses).map((path) => `server/${path}`)))
})

type FactorStep = 'logs in' | 'confirms a session' | 'is limited' | 'is accepted once' | 'is offered' | 'is described'
const factorFolder = 'server/domain/accounts/factors'
/** Where each kind of second factor does what the recipe says. */
const factorSteps: Record<string, Record<FactorStep, [path: string, words: string]>> = {
  totp: {
    'logs in': [`${factorFolder}/second-factor-login.ts`, 'acceptTotp(deps, account.id, body.code)'],
    'confirms a session': [`${factorFolder}/second-factor-login.ts`, 'confirmByCode(deps, origin, code)'],
    'is limited': [`${factorFolder}/second-factor-login.ts`, 'limitCodes(deps, {'],
    'is accepted once': [`${factorFolder}/totp.ts`, 'last_step'],
    'is offered': ['web/features/account/login/second-factor-form.tsx', "'totp'"],
    'is described': ['docs/security.md', 'authenticator'],
  },
  passkey: {
    'logs in': [`${factorFolder}/second-factor-login.ts`, 'verifyPasskey(deps, {'],
    'confirms a session': [`${factorFolder}/second-factor-login.ts`, 'confirmByPasskey(deps, origin,'],
    'is limited': [`${factorFolder}/second-factor-login.ts`, 'limitPasskeys(deps, address'],
    'is accepted once': [`${factorFolder}/passkey-challenges.ts`, 'useOnce('],
    'is offered': ['web/features/account/login/second-factor-form.tsx', "'passkey'"],
    'is described': ['docs/security.md', 'passkey'],
  },
}

it('every kind of second factor has all steps of its recipe', () => {
  const kinds = namesIn(`${factorFolder}/required-factor.ts`, /^  (\w+): \{$/gm)
  expect(kinds).toEqual(Object.keys(factorSteps))
  const places = Object.values(factorSteps).flatMap((steps) => Object.values(steps))
  expect(places.filter(([path, words]) => !read(path).includes(words))).toEqual([])
})

it('every function that sweeps or prunes is a job, or part of one', () => {
  const parts = ['pruneSnapshots']
  const functions = filesOf('server/domain').flatMap((path) =>
    namesIn(path, /^export (?:async )?function ((?:sweep|prune)\w+)/gm),
  )
  expect(functions.length).toBeGreaterThan(10)
  const jobs = read('server/jobs.ts')
  expect(functions.filter((name) => !new RegExp(`(run: |=> )${name}\\b`).test(jobs))).toEqual(parts)
})

/** What the privacy page says of each table that names users. */
const told: Record<string, string> = {
  images: 'With the image we store',
  albums: 'a title, tags, albums and links',
  links: 'a title, tags, albums and links',
  recovery_codes: 'hashes of your recovery codes',
  users: 'your email address, a name',
  sessions: 'When a session began',
  known_browsers: 'Of each browser in which you log in',
  api_keys: 'a hash of each key',
  webhooks: 'the addresses that receive events of your images',
  tags: 'a title, tags, albums and links',
  album_members: 'The email addresses that you invite',
  album_images: 'a title, tags, albums and links',
  totp_factors: 'the key of your authenticator app',
  passkeys: 'the public keys and names of your passkeys',
  identities: 'which account at another site you log in with',
  audit_log: 'Logins, deletions and changes of accounts',
}

/** Why it says nothing of the others. */
const untold: Record<string, string> = {
  image_tags: 'the tags of an image',
  images_by_views: 'numbers of an image',
  backups: 'no user',
  imported_rows: 'ids',
  tombstones: 'ids of what was deleted',
  report_cases: 'ids of what was reported',
  blocked_images: 'which admin did it',
  blocked_networks: 'which admin did it',
  invites: 'which admin did it',
  pin_attempts: 'a count of a day',
  mail_links: 'end within days',
  outgoing_mail: 'ends when it is sent',
  expiry_digests: 'when a mail was sent',
}

it('the privacy page names the data of every table of users, or there is a reason', () => {
  const tables = namesIn('server/domain/accounts/user-tables.test.ts', /^  '(\w+)\.\w+': \{/gm)
  const archived = namesIn('server/testing/own-data-columns.ts', /^  (\w+): \{/gm)
  expect(new Set([...archived, ...tables])).toEqual(new Set(Object.keys({ ...told, ...untold })))
  expect(archived.filter((table) => table in untold)).toEqual([])
  const page = read('web/texts/prose.ts').split('export const privacy')[1]?.split('\nexport ')[0] ?? ''
  expect(Object.values(told).filter((words) => !page.includes(words))).toEqual([])
})

interface Node {
  type?: string
  name?: { name?: string }
  value?: string | { value?: unknown; raw?: string } | null
  callee?: { type: string; name?: string; object?: { name?: string } }
}

const sentence = /^[A-Z][a-z]+ [a-z]/
const readAttributes = /^(aria-label|alt|hint|label|title|text|placeholder)$/

/** Texts in JSX and its attributes, and sentences elsewhere. */
function isRead({ type, name }: Node, text: string): boolean {
  if (type === 'JSXText') return /[A-Z][a-z]|[a-z] [a-z]/.test(text)
  if (type === 'JSXAttribute')
    return (readAttributes.test(name?.name ?? '') && text !== '') || (name?.name === 'name' && /^[A-Z]/.test(text))
  return (type === 'Literal' || type === 'TemplateElement') && sentence.test(text)
}

/** The texts of a module that people read: not those of errors, nor what only the console shows. */
function textsIn(node: Node): string[] {
  const { type, value, callee } = node
  if (type === 'ThrowStatement' || callee?.type === 'Super' || callee?.object?.name === 'console') return []
  if (/(Error|Exception)$/.test(callee?.name ?? '')) return []
  const text = typeof value === 'string' ? value : (value?.value ?? value?.raw)
  const children = Object.values(node).filter((child) => typeof child === 'object' && child !== null)
  return [...(typeof text === 'string' && isRead(node, text) ? [text] : []), ...children.flatMap(textsIn)]
}

it('modules of the page have no texts of their own', () => {
  const modules = filesOf('web').filter((path) => !path.startsWith('web/texts/'))
  expect(modules.length).toBeGreaterThan(300)
  // A name among those of the embed formats.
  expect(modules.flatMap((path) => textsIn({ ...parseSync(path, read(path)).program }))).toEqual(['Code editor'])
})

it('texts are copied with web/ui/copy/, which shows the outcome or says whether there is one', () => {
  const outside = filesOf('web').filter((path) => !path.startsWith('web/ui/copy/'))
  const using = (pattern: RegExp) => outside.filter((path) => pattern.test(read(path)))
  expect(using(/clipboard\.write|execCommand/)).toEqual([])
  // These show the outcome themselves: in a sheet, and with adminNotify.
  expect(using(/\bwrite(Rich)?Clipboard\(/).toSorted()).toEqual([
    'web/features/api-docs/copy-docs.ts',
    'web/features/database-view/document/tree-bar.tsx',
    'web/features/share/share-content.tsx',
  ])
})

it('the API documentation and the database view show toasts with adminNotify', () => {
  const modules = ['web/features/api-docs', 'web/features/database-view'].flatMap(filesOf)
  expect(modules.some((path) => read(path).includes('/toast/admin-toast.tsx'))).toBe(true)
  expect(modules.filter((path) => read(path).includes('/toast/toast.ts'))).toEqual([])
})

it('toasts show texts of web/texts/, never words of their caller', () => {
  const calls = filesOf('web').flatMap((path) =>
    [...read(path).matchAll(/\b(?:notify|adminNotify)\.\w+\(([^;]*?)(?:, '[a-z-]+')?\)/g)].map(([call, text = '']) => ({
      call: `${path}: ${call}`,
      text,
    })),
  )
  expect(calls.length).toBeGreaterThan(40)
  // Words: a literal with a letter. An empty text and names of toasts, such as 'account', are none.
  expect(calls.filter(({ text }) => /(['"`])[^'"`]*[A-Z ][^'"`]*\1/.test(text)).map(({ call }) => call)).toEqual([])
})

it('the page uses every field of its site', () => {
  const model = 'web/model/site.ts'
  const fields = namesIn('contract/plain/site.ts', /^  (\w+): .*/gm).filter((name) =>
    read(model).includes(`  ${name}: `),
  )
  expect(fields.length).toBeGreaterThan(15)
  const modules = filesOf('web').flatMap((path) => (path === model ? [] : [read(path)]))
  const importers = modules.filter((code) => /\/site\.ts'/.test(code))
  const isUsed = (field: string) => {
    // Some have another name in `uploadLimits`, which is passed on.
    const renamed = new RegExp(`(\\w+): given\\.${field}\\b`).exec(read(model))?.[1]
    return (renamed ? modules : importers).some((code) => new RegExp(`\\b${renamed ?? field}\\b`).test(code))
  }
  expect(fields.filter((field) => !isUsed(field))).toEqual([])
})
