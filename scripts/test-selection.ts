// What a run of the tests leaves out, and why. A short run shows each promise to users, each kind of page, each door and each
// command once, and SQL by hand on both databases. Variants of what it shows, what takes seconds, and what rarely changes are left
// to `npm test -- all`, which leaves out nothing but `sqliteOnly`, whose tests PostgreSQL adds nothing to. A run by hand
// (`npx vitest run FILE`) and one with a path (`npm test -- uploads`) select as `all` does.
//
// In this order: databases, faults, screens, journeys, files of unit tests, single unit tests. Of a table with many rows of one
// kind, the test itself takes some in turn: server/testing/short-run.ts.

/** `short` is `npm test`. */
type Scope = 'quick' | 'short' | 'all'

export const scope = (process.env.TEST_SCOPE ?? 'all') as Scope

/**
 * Tests of server/domain and server/http that a short run repeats on PostgreSQL: those with SQL of their own, and those whose
 * subject are races, locks or failures of the database. The others send statements that Kysely builds alike for both
 * databases and that these tests run too. Each has the modules whose SQL it covers, in addition to the module beside it;
 * test-selection.test.ts finds a module that nothing covers.
 */
export const onPostgres: Record<string, string[]> = {
  'server/domain/accounts/account-races.test.ts': [
    'accounts/operator-accounts',
    'accounts/api-keys',
    'shared/session-expiry',
  ],
  'server/domain/accounts/accounts.test.ts': ['accounts/account-rows'],
  'server/domain/accounts/delete-account.test.ts': [],
  'server/domain/accounts/factors/second-factor.test.ts': [
    'accounts/factors/remove-factors',
    'accounts/factors/passkeys',
    'accounts/factors/passkey-login',
    'accounts/factors/recovery-codes',
    'accounts/factors/totp',
  ],
  'server/domain/accounts/invites.test.ts': ['accounts/email/mail-links'],
  'server/domain/accounts/keys-and-users.test.ts': ['images/owner-counts', 'shared/keyset-page'],
  'server/domain/accounts/own-data.test.ts': [],
  'server/domain/accounts/providers/oidc-login.test.ts': ['accounts/providers/identities'],
  'server/domain/accounts/sessions.test.ts': [],
  'server/domain/accounts/user-tables.test.ts': ['accounts/known-browsers', 'audit/erase-from-audit-log'],
  'server/domain/albums/guest-album.test.ts': ['albums/claim-guest-albums'],
  'server/domain/albums/albums.test.ts': [
    'images/lists/albums-in-query',
    'albums/list-album-images',
    'albums/album-order',
    'albums/album-tree',
    'albums/delete-album',
    'albums/empty-album',
    'albums/album-contents',
  ],
  'server/domain/albums/album-of-upload.test.ts': [],
  'server/domain/audit/read-audit-log.test.ts': ['audit/prune-audit-log'],
  'server/domain/audit/audit-plans.test.ts': [],
  'server/domain/backups/backups.test.ts': ['backups/backup-run', 'backups/stalled-backups'],
  'server/domain/backups/killed-process.test.ts': [],
  'server/domain/backups/move-instance.test.ts': ['backups/table-rows'],
  'server/domain/backups/restore-backup.test.ts': [],
  'server/domain/database-view/collection-snapshot.test.ts': ['database-view/insert-documents'],
  'server/domain/database-view/database-view.test.ts': ['database-view/collections', 'database-view/images-collection'],
  'server/domain/database-view/pin-throttle.test.ts': ['database-view/database-unlock'],
  'server/domain/delivery/views-left.test.ts': ['delivery/view-counts'],
  'server/domain/images/cache-purges.test.ts': [],
  'server/domain/images/expiry/expiry.test.ts': ['images/expiry/set-expiry-of-several'],
  'server/domain/images/image-races.test.ts': [],
  'server/domain/images/lists/search-by-index.test.ts': [
    'images/lists/image-batches',
    'images/lists/query-terms-as-sql',
  ],
  'server/domain/images/lists/query-plans.test.ts': ['images/lists/list-images'],
  'server/domain/images/tags/old-tags.test.ts': [],
  'server/domain/images/tags/tags.test.ts': ['images/tags/change-tag', 'images/tags/tag-list'],
  'server/domain/images/deletion/trash.test.ts': [],
  'server/domain/links/links.test.ts': [
    'links/link-albums',
    'links/link-settings',
    'links/links',
    'links/show-links',
    'images/sharing/memberships',
    'images/sharing/link-targets',
    'images/sharing/named-keys',
  ],
  'server/domain/mail/contact.test.ts': [],
  'server/domain/mail/expiry-digests.test.ts': [],
  'server/domain/mail/mail-queue.test.ts': [],
  'server/domain/members/members.test.ts': ['members/album-invites', 'members/members'],
  'server/domain/moderation/blocked-images.test.ts': [],
  'server/domain/moderation/blocked-networks.test.ts': [],
  'server/domain/moderation/reports/reports.test.ts': [
    'moderation/address-hashes',
    'moderation/reports/report-digest',
    'moderation/reports/send-report',
    'moderation/reports/sweep-reports',
  ],
  'server/domain/shared/retry-when-disk-full.test.ts': [],
  'server/domain/shared/throttle.test.ts': ['shared/rate-counters'],
  'server/domain/shared/used-tokens.test.ts': [],
  'server/domain/uploads/claim-images.test.ts': [],
  'server/domain/uploads/quotas.test.ts': ['shared/transaction-locks', 'uploads/idempotency', 'uploads/store-row'],
  'server/domain/webhooks/webhooks.test.ts': [
    'webhooks/announce-expiring',
    'webhooks/delivery-list',
    'webhooks/switch-webhooks-off',
  ],
  'server/http/delivery/hot-responses.test.ts': [],
  'server/http/delivery/image-access.test.ts': [],
  'server/http/delivery/withdrawn-images.test.ts': ['images/sharing/view-keys'],
  'server/http/request/lost-connections.test.ts': [],
  'server/http/request/two-servers.test.ts': [],
  'server/http/request/unavailable.test.ts': [],
  'server/http/uploads/upload-limits.test.ts': ['uploads/key-limits'],
}

/**
 * Tests of server/domain and server/http that run on SQLite only: their result does not depend on SQL (headers, framing of
 * requests, delivery of files, drawing, who may call what), or other files run the same statements on PostgreSQL and they
 * race for no row.
 */
export const sqliteOnly = testsIn({
  'server/domain/accounts': `
    api-key-rights api-keys device-name email/email-links login-throttle names notices own-sessions
    password-policy temporary-passwords
  `,
  'server/domain/audit': `settings-changes`,
  'server/domain/backups': `upgrade-database write-archive`,
  'server/domain/database-view': `document-rules`,
  'server/domain/delivery': `image-analysis image-engine optimization-tips stored-variants svg-images variant-plan`,
  'server/domain/images': `image-names managed-image deletion/orphans deletion/restore-images`,
  'server/domain/moderation': `networks perceptual-hashes`,
  'server/domain/operations': `clock-guard update-check`,
  'server/domain/shared': `address-privacy disk-space proof-of-work`,
  'server/domain/uploads': `upload-one uploads-in-flight`,
  'server/http/delivery': `cache-headers delivery hot-cache sendfile`,
  'server/http/guard': `broken-requests connection-limit idle-connections pipelining slow-clients throughput-monitor`,
  'server/http/operations': `health metrics proxy-warning`,
  'server/http/pages': `
    catalogue delete-page demo-login html openapi page-assets share/oembed share/share-page site-documents
    unsubscribe-page
  `,
  'server/http/protocols': `client-setups clients emailjs hostile-bodies mcp`,
  'server/http/request': `
    common-headers errors exposure failures freshness log media-origin properties roles ssrf trusted-proxies
  `,
  'server/http/uploads': `multipart upload-by-url upload-doors upload-response-format`,
})

/**
 * Files of `onPostgres` that a short run has on SQLite only: their SQL is that of Kysely, and counts the changed rows or gives
 * way to an existing one as that of the other files does. test-selection.test.ts finds SQL by hand and locks among them.
 */
export const onPostgresInAll = testsIn({
  'server/domain/accounts': `accounts factors/second-factor invites own-data providers/oidc-login`,
  'server/domain/albums': `album-of-upload guest-album`,
  'server/domain/audit': `read-audit-log`,
  'server/domain/backups': `backups killed-process`,
  'server/domain/database-view': `collection-snapshot database-view`,
  'server/domain/images': `cache-purges deletion/trash`,
  'server/domain/mail': `contact expiry-digests mail-queue`,
  'server/domain/moderation': `blocked-networks`,
  'server/domain/shared': `used-tokens`,
  'server/domain/uploads': `claim-images`,
  'server/domain/webhooks': `webhooks`,
  'server/http/delivery': `hot-responses image-access`,
  'server/http/uploads': `upload-limits`,
})

/**
 * Single tests of the other files that a short run has on SQLite only, by a part of their titles: loops over what one round
 * shows, what happens outside of the database (headers, drawing, limits of memory, buckets), and who may do what, of which the
 * same statements run for those who may.
 */
export const leftOutOnPostgres: Record<string, string[]> = {
  'server/domain/albums/albums.test.ts': [
    'is not created of images of others alone',
    'with the role add remove only what they have added',
    'cannot tell an album from none',
    'do what it allows, in albums inside it too',
    'is created with images in the order sent',
    'takes its images to the trash when it is deleted',
  ],
  'server/domain/accounts/delete-account.test.ts': ['both are announced by mail'],
  'server/domain/images/expiry/expiry.test.ts': [
    'expire after the days of the specification',
    'an upload says that it stays',
    'a date within an extension',
  ],
  'server/domain/images/tags/tags.test.ts': ['is refused', 'keeps a colour'],
  'server/domain/links/links.test.ts': [
    'gets the same failure where',
    'gets no page for a cursor that no page gave',
    'a link has a field for every column',
    'keeps what is not sent, and says what it is',
    'a watermark is refused where the server has no font',
    'a visitor gets no ZIP file',
    'tries few passwords',
    'enters the password once',
  ],
  'server/domain/accounts/keys-and-users.test.ts': [
    'uploads and manages the images of its owner',
    'limits attempts with a wrong password',
    'get a new email or password only with',
    'of an admin does not act as admin',
    'is returned once, in full',
    'is slowed after five failures',
    'is refused without hashing when too many arrive',
    'that succeeds does not count towards the limits',
  ],
  'server/domain/backups/restore-backup.test.ts': [
    'restores the same rows and bytes',
    'sums up the views of a backup',
    'refuses an instance that is not empty and names its tables',
    'needs no space for originals, and restores with those',
    'refuses missing and damaged originals, changes nothing',
    'with a flipped bit at any position',
    'truncated at any position',
    'with an extra file, a missing file, or two files swapped',
    'of another format or a newer version',
  ],
  'server/domain/database-view/pin-throttle.test.ts': [
    'is closed to non-admins for a day',
    'is open again after a reset',
    'does not count attempts of the previous day',
  ],
  'server/domain/delivery/views-left.test.ts': [
    'are counted or not',
    'a robot that makes previews is refused',
    'sends the last view of a large original completely',
    'HEAD takes none',
    'a range is sent as a whole',
    'an ETag is not compared',
    'are not counted with VIEW_COUNTS=off',
  ],
  'server/domain/images/image-races.test.ts': [
    'is analyzed',
    'is served when its variant cannot be cached',
    'is served after the operator emptied the cache',
    'that is deleted while a variant is rendered',
  ],
  'server/domain/members/members.test.ts': ['with the role'],
  'server/domain/moderation/blocked-images.test.ts': [
    'is shown when the blocked image is from before',
    'takes ids, file names, URLs and digests',
    'are not restored by the owner who deleted them before',
    'is stored and quarantined, for guests and users',
    'is shown when it is too blank to be compared',
    'is shown again after the block was removed',
    'accepts as many images as a request may have',
    'are refused for guests and users, as received and as stored',
    'is found among many blocks',
  ],
  'server/domain/moderation/reports/reports.test.ts': [
    'stores a report of an image named by its',
    'responds 410 for a removed image',
    'accepts only a dismissal of the case',
    'drops the report of a bot',
    'decides about an image in the trash',
    'refuses blocked bytes and quarantines',
    'accepts 200 reports an hour from all addresses together',
    'accepts 50 of them without the time',
  ],
  'server/domain/uploads/quotas.test.ts': [
    'the check before the first byte knows nothing',
    'returns the stored image to a repetition',
    'accepts an upload again after',
    'holds for originals in a bucket',
    'an upload in flight counts with',
    'unfinished bodies that announce all free space',
    'who asks again uses up nothing of the hour',
    'has the default quota',
  ],
  'server/http/delivery/withdrawn-images.test.ts': [
    'its owner was suspended',
    'it was deleted by its delete link',
    'it was removed by an admin',
    'it was blocked',
    'its owner was deleted',
    'it expired',
  ],
}

/** The files of Vitest's project for PostgreSQL. */
export const postgresFiles =
  scope === 'short'
    ? { include: Object.keys(onPostgres).filter((path) => !onPostgresInAll.includes(path)), exclude: [] }
    : { include: ['server/{domain,http}/**/*.test.ts'], exclude: sqliteOnly }

/**
 * Scenarios of faults/ whose short form belongs to a short run: the promises to users (an acknowledged upload survives, a full
 * disk or a failing store loses nothing, a backup can be restored) and what only an outer force can show. The others repeat these
 * under load, on PostgreSQL or with crowds, for a minute each.
 */
export const shortFaults = ['backup', 'clock', 'full-disk', 'kill', 'points', 'power', 's3', 'upgrade']

/** Screens that a short run checks in all nine states: kinds of pages that share the least. */
export const screensInAllStates = namesIn(`dashboard-list landing`)

/** Those that it checks at three sizes in the light theme: one of each other kind of page, dialog and list. */
const screensAtThreeSizes = namesIn(`
  admin-users album document-edit endpoint-try lightbox link-page palette result share-sheet uploads
`)

function namesIn(list: string): string[] {
  return list.trim().split(/\s+/)
}

/** The paths of tests, whose names are listed by folder. */
function testsIn(names: Record<string, string>): string[] {
  return Object.entries(names).flatMap(([folder, list]) => namesIn(list).map((name) => `${folder}/${name}.test.ts`))
}

interface LeftOut {
  why: string
  /** The beginnings of the titles that a short run leaves out. Default: all of the file. */
  tests?: string[]
  /** The beginnings of the titles that it runs, of a file of which it leaves out the rest. */
  except?: string[]
}

/** Journeys that a short run leaves out, by file of e2e/. */
export const leftOutJourneys: Record<string, LeftOut> = {
  'account-page.spec.ts': {
    why: 'the API tests end sessions and keys, and download the data',
    except: ['a user asks for the deletion'],
  },
  'account.spec.ts': {
    why: 'refusals at a field and the limit of a user, which unit tests have',
    except: ['a visitor registers, logs in', 'a wrong password is reported'],
  },
  'admin-images.spec.ts': { why: 'one more tab of the admin page, whose requests the API tests make' },
  'admin.spec.ts': {
    why: 'tabs of one panel each, whose requests the API tests make',
    except: ['an admin finds, creates, edits'],
  },
  'album-members.spec.ts': {
    why: 'ends and failures of an invitation, which members.test.ts of the server has',
    except: ['somebody without an account'],
  },
  'albums.spec.ts': {
    why: 'more ways to the order and the place of images that the API tests of albums have',
    except: ['an album is made from a selection', 'images are put in order by keyboard'],
  },
  'analysis.spec.ts': { why: 'failures of one dialog', except: ['the analysis dialog shows'] },
  'api-docs.spec.ts': {
    why: 'comfort of reading the documentation',
    except: ['requests are sent as the user'],
  },
  'api-keys.spec.ts': { why: 'questions and options of one form', except: ['a user creates, copies, uses'] },
  'audit.spec.ts': { why: 'one more tab of the admin page, whose requests the API tests make' },
  'blocklist.spec.ts': { why: 'one more tab of the admin page, whose requests the API tests make' },
  'contact.spec.ts': { why: 'failures of one form', except: ['a sent message reaches the admin'] },
  'dashboard.spec.ts': {
    why: 'one action or preference each; two journeys use all actions',
    except: ['search, order and filters', 'several images are copied'],
  },
  'database-collections.spec.ts': { why: 'many collections, and those of admins', except: ['a collection is deleted'] },
  'database-document.spec.ts': {
    why: 'drafts, conflicts and unusual values of one editor',
    except: ['fields of every type'],
  },
  'database-pin.spec.ts': { why: 'ends of the unlock, which API tests have', except: ['the view is unlocked'] },
  'database-table.spec.ts': { why: 'paging, columns and selection of one table' },
  'drop-anywhere.spec.ts': {
    why: 'the same on every page',
    except: ['a user drops a file on /account'],
  },
  'early-loading.spec.ts': {
    why: 'the same promise for more pages',
    except: ['a guest who opens /login', 'the first requests of the dashboard'],
  },
  'folder-albums.spec.ts': { why: 'albums of folders, which the unit tests of the queue make' },
  'embed.spec.ts': { why: 'options and preferences of one dialog', except: ['every format'] },
  'failing-data.spec.ts': {
    why: 'one component says why a list failed, in all of these places',
    except: ['/dashboard says why there is nothing from /\\/api\\/images'],
  },
  'first-tasks.spec.ts': { why: 'clicks of what other journeys do' },
  'guest-uploads-off.spec.ts': { why: 'one setting, on a server of its own' },
  'guest.spec.ts': {
    why: 'variants of an upload by a guest',
    tests: [
      'the landing page describes',
      'an image is stored in the browser',
      'a second image',
      'a dropped image',
      'a truncated photograph',
      'a pasted image',
      'a text file named as an image',
      'files of another type',
      'to delete an image has its reason',
    ],
  },
  'guest-batch.spec.ts': {
    why: 'rarer files and refusals of a batch',
    except: ['a guest drops three files', 'a reload in the middle'],
  },
  'install.spec.ts': {
    why: 'installing the page, which rarely changes',
    except: ['every page opens offline'],
  },
  'large-gallery.spec.ts': { why: '100,000 images, of which the unit tests lay out as many' },
  'lightbox.spec.ts': {
    why: 'failures, gestures and themes of one viewer',
    except: ['an image opens 1600 px wide', 'the lightbox is operable by keyboard'],
  },
  'link-page.spec.ts': {
    why: 'comfort of looking at images, and what the tests of the page on the server have',
    except: ['a click opens the viewer'],
  },
  'links.spec.ts': {
    why: 'which of two links is offered, and the list of links; the API tests count the images of a link',
    except: ['a user shares a selection'],
  },
  'mail-links.spec.ts': {
    why: 'more links in mails, which the API tests follow',
    except: ['a user who lost the password'],
  },
  'many-files.spec.ts': { why: '300 files within the default limits, of which the queue of six shows the page' },
  'notifications.spec.ts': { why: 'failures of one list', except: ['a user extends one image'] },
  'ordinary-day.spec.ts': {
    why: 'variants of thumbnails that come back, and of a batch that goes on, which the unit tests of the queue simulate',
    except: ['that failed without a server', 'a second tab shows'],
  },
  'other-browsers.spec.ts': { why: 'needs Firefox and WebKitGTK from the system' },
  'phone.spec.ts': {
    why: 'one menu on a phone, and one size of text',
    tests: ['the account menu', 'the selection and what stays'],
  },
  'proof-of-work.spec.ts': { why: 'one setting, on a server of its own' },
  'page-heads.spec.ts': { why: 'places and sizes of titles, which one component sets' },
  'quota.spec.ts': {
    why: 'one setting, on a server of its own; the API tests have the quota of a user',
    tests: ['the sizes and days', 'sees how much of the quota'],
  },
  'reports.spec.ts': {
    why: 'more ways to send and decide about reports',
    except: ['a visitor reports', 'an admin dismisses'],
  },
  'screen-reader.spec.ts': {
    why: 'what is said of flows that other journeys pass; one has the search, the selection and the undo',
    except: ['a user hears how many'],
  },
  'screens.spec.ts': {
    why: 'dialogs and lists built of the components that the other screens show',
    except: [
      'the screens that a short run checks',
      ...[...screensInAllStates, ...screensAtThreeSizes].map((name) => `screen ${name} is`),
    ],
  },
  'scroll-areas.spec.ts': { why: 'when scroll bars hide' },
  'security.spec.ts': {
    why: 'rarer ways to log in, which API tests have',
    except: ['a user sets up an authenticator'],
  },
  'session.spec.ts': {
    why: 'unusual tokens and failures while the user is asked for',
    except: ['fetching the images'],
  },
  'share.spec.ts': {
    why: 'failures and the choice of the offered link',
    except: ['the share page shows'],
  },
  'shortcuts.spec.ts': {
    why: 'single shortcuts and notices',
    except: ['a page whose script fails'],
  },
  'slow-lines.spec.ts': {
    why: 'waits of many seconds, which the unit tests of the queue simulate',
    except: ['an upload of a guest waits'],
  },
  'palette.spec.ts': {
    why: 'a row per setting, found as the pages are, and the moments before the palette is loaded',
    tests: [
      'what is typed from Ctrl+K on',
      'other words lead to each setting',
      'other words lead to pages',
      'while the script of the keys hangs',
      'Escape before it is there',
      'what was used last',
    ],
  },
  'private.spec.ts': {
    why: 'more ways to the same change',
    tests: ['several images are made private', 'a thumbnail that was loading', 'new images are private'],
  },
  'share-sheet.spec.ts': {
    why: 'more ways to the same sheet',
    except: ['two clicks share an image'],
  },
  'srcset.spec.ts': { why: 'sizes of files for many screens' },
  'states.spec.ts': { why: 'one component shows the states of every list' },
  'strings.spec.ts': {
    why: 'texts and failures that strings.test.ts of web/texts/ fixes; other journeys read those on their way',
    except: ['the dashboard of a new user'],
  },
  'tag-list.spec.ts': { why: 'changes of a list, which the API tests of tags make' },
  'tags.spec.ts': {
    why: 'looks and explanations of one field',
    except: ['a selection gets tags'],
  },
  'toasts.spec.ts': { why: 'many toasts at once, which nothing shows in use, and how long one stays' },
  'tools.spec.ts': { why: 'more clients', except: ['a user sets up ShareX'] },
  'tooltips.spec.ts': { why: 'the delay of a tooltip, on many buttons' },
  'trash.spec.ts': {
    why: 'more ways to undo; the API tests of the trash have the requests and the setting',
    except: ['a deleted image is found'],
  },
  'try-again.spec.ts': { why: 'where the focus is after a failure' },
  'upload-several.spec.ts': {
    why: 'rarer formats and failures of the queue, which its unit tests have',
    except: ['a large PNG becomes a WebP', 'a queue of six', 'a reload neither loses'],
  },
  'user.spec.ts': {
    why: 'the same actions by keyboard and on a phone, where other journeys are those of a guest',
    except: ['a new user registers'],
  },
  'views.spec.ts': { why: 'one setting of an image, which views-left.test.ts of the server has' },
  'webhooks.spec.ts': { why: 'one form and its question for the password, whose requests the API tests make' },
}

/** One journey per main flow that a short run never leaves out, by the beginning of its title. */
export const mainFlows: Record<string, string> = {
  'guest upload': 'a guest uploads a photograph',
  'register, log in': 'a visitor registers, logs in',
  user: 'a new user registers, uploads, uses every action',
  gallery: 'search, order and filters are stored',
  'selection, delete, undo': 'several images are copied, extended, deleted and restored',
  queue: 'a queue of six',
  lightbox: 'an image opens 1600 px wide',
  embed: 'every format is copied',
  'share page': 'the share page shows the image',
  'API keys': 'a user creates, copies, uses and deletes an API key',
  'API docs': 'requests are sent as the user',
  'database view': 'the view is unlocked after a wrong PIN',
  document: 'fields of every type are edited',
  admin: 'an admin finds, creates, edits',
  moderation: 'an admin dismisses, quarantines',
  'expiry alert': 'a user extends one image',
  'second factor': 'a user sets up an authenticator app',
  'lost password': 'a user who lost the password',
  'slow line': 'an upload of a guest waits for a lost connection',
  keyboard: 'a guest uploads, copies, embeds, extends and deletes by keyboard alone',
  phone: 'a guest on a phone uploads',
  offline: 'every page opens offline',
  'specification texts': 'the dashboard of a new user',
}

/** Not after the beginning of another name: `albums.spec.ts` is no `folder-albums.spec.ts`. */
const before = String.raw`(?<![\w-])`

/** Patterns of what a short run leaves out, for text such as `share.spec.ts without script the share page shows the image`. */
export function patternOf(file: string, { tests, except }: LeftOut): RegExp {
  const titles = (beginnings: string[]) => `.* (${beginnings.map(escaped).join('|')})`
  if (tests !== undefined) return new RegExp(`${before}${escaped(file)}${titles(tests)}`)
  return new RegExp(`${before}${escaped(file)}${except === undefined ? '' : `(?!${titles(except)})`}`)
}

export const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Files of unit tests that a short run leaves out. */
export const leftOutFiles: Record<string, string> = {
  'bench/bench.test.ts': 'benchmarks are run by hand, and starting one takes longer than a journey',
  'command/library.test.ts': 'compiles a program against declarations, which the checks compile too',
  'e2e/clients/tus-clients.test.ts': 'programs of others over a line that is cut; one journey has such a line',
  'e2e/clients/curl-examples.test.ts':
    'runs the examples of the documentation with curl; the API tests send such requests',
  'faults/load/kill-storm.test.ts': 'a part of the faults, which run it',
  'faults/verify.test.ts': 'a part of the faults, which run it',
  'fuzz/fuzz.test.ts': 'random input finds more the longer it runs: each night',
  'scripts/supply-chain.test.ts': 'licences and scripts of packages, which change when package-lock.json does',
  'server/cli/doctor.test.ts': 'a command that changes nothing',
  'server/domain/backups/backup-bucket.test.ts': 'backups to disk and the S3 protocol have tests of their own',
  'server/heap-growth.test.ts': 'the young generation of V8, which changes with the version of Node',
  'server/domain/shared/used-tokens.test.ts': 'counters that were lost; proof-of-work.test.ts uses a proof twice',
  'server/domain/database-view/unusual-documents.test.ts': 'names and values of every script, in the same requests',
  'server/domain/backups/killed-process.test.ts': 'signals to a backup; the faults kill servers during one',
  'server/http/request/properties.test.ts': 'random requests find more the longer they run: each night',
  'server/imaging/decoder/container/fidelity.test.ts': 'of code that rarely changes',
  'server/imaging/decoder/frame-ranges.test.ts': 'animations in parts: of code that rarely changes',
  'server/imaging/decoder/perceptual-hash.test.ts':
    'of code that rarely changes; the tests of blocked images compare hashes',
  'server/imaging/decoder/svg/linear.test.ts': 'the work for n and 4n: of code that rarely changes',
  'server/importers/import-from.test.ts': 'used once in the life of an instance',
  'server/testing/samples.test.ts': 'runs each sample of the API documentation in each language',
}

/** Single tests that a short run leaves out, by a part of their titles, and why. */
const leftOutTests: Record<string, string[]> = {
  'starts a database or a bucket, or several servers in turn': [
    'copies an instance to PostgreSQL and S3, and back',
    'works with PostgreSQL and S3',
    'backup s3 and restore s3 move an instance',
    'needs pg_dump for PostgreSQL, or UPGRADE_BACKUP=off',
    'tries the migration on a copy, migrates with a copy, and is then done',
    'is refused while a server runs',
    'a server started while another stops waits for it, and is refused while another runs',
    'a truncated archive restores nothing',
    'a backup without FILE is listed with the other backups',
    'a failed start closes its database connections',
    'a backup of rows only restores beside a copy',
    'does not change an instance in use without --force, while its server runs',
    'adds the sample data once',
    'read a folder into an account and write it out again',
    'that was taken while 8 clients upload',
  ],
  'messages and options of commands, with a process for each': [
    'users deactivates and deletes many accounts at once',
    'a JSON array',
    'uploads the same bytes under two names as two images',
    'prints the usage of all commands and of each command',
    'and prints the reason in one line',
    'refuses, case ',
    'reports lists open cases, and the decision to ',
    'commands are entries of the audit log',
    'reports errors of move and restore when no server uses the data folder',
    'create-user generates a password with the options',
    'users lists and shows accounts, in text and in JSON',
    'reset-factors removes the second factors, and ends the sessions',
    'lists the commands, and describes one',
    'prints every command for ',
    'completes commands, options and files in bash',
    'reports a server that does not respond',
    'reset-password sets a temporary password and ends sessions and API keys',
    'reset-pin sets a new PIN',
    'unblock removes every block of an address while the server runs',
    'keys lists and revokes API keys while the server runs',
    'imports 3000 documents across the borders of read chunks',
    'a key that may only upload repeats an upload with tags',
    'files that were uploaded before get the album and the tags of the next run',
    'an interrupted upload to an album continues in no other album',
    'knows the tags of a record of an older version from its image',
    'work with names, URLs of variants and ids',
    'goes on when an upload cannot be recorded',
    'recognizes uploaded files while their images exist',
    'a server whose log is on a full disk starts, serves and stops',
    'continues after SIGKILL and after Ctrl-C',
    'users does not ',
    'users deactivates, activates, demotes and deletes',
    ' exits with ',
    'not-an-address',
    'demo ends at the first Ctrl-C',
    'a backup removes the archives that killed backups have left',
    'creates the admin of the settings and no other admin',
    'takes an id that begins with - for an id',
    '--copy passes the links to the clipboard program',
    'refuses other shells',
    'refuses an unknown command',
    'an array over many lines',
    'objects over many lines',
  ],
  'ends and failures of decoder processes, whose code rarely changes': [
    'killed during a render: the job fails',
    'stopped (SIGSTOP) during a job counts as too slow at once',
    'while idle: the next job does not notice',
    'impossible to start: every job ends with an error',
    'is an error when it is a render',
    'the last process for uploads ends when it is idle for long',
    'an error with a long message is cut',
  ],
  'decodes images for seconds; server/imaging/pool/lane.test.ts has the order of jobs': [
    'when it is rasterized again is an error, not a refusal',
    'of memory even at half size is refused',
    'take no longer than the limits allow when they are within the limits',
    'of more than 25 megapixels is rendered as its first frame',
    'responds 503 when too many are rasterized concurrently',
    'come from a new raster after the operator emptied the cache',
    'counts usage of all upload lanes',
    'of uploads has a second process while nothing else runs',
    'shares the permit of large images, and an ordinary render',
    'is fair: the caller with the least recent usage',
    'of large images is separate',
    'of large images and that of SVGs never run jobs at the same time',
    'of one lane does not wait for the other',
    'of time is killed, retried at half size, and refused',
    'is bounded: one running, two queued, further jobs are busy',
    'is replaced by the next one who asks for the image in the same moment',
    'is not enforced while the decoders are idle',
    'rejects a job with busy when too little time is left to run it',
    'continues after a job is killed',
    'old or large is replaced between jobs',
    'of time gets its response in time, like the ones queued behind it',
    'is not retried at half size when parsing exceeded the time',
    'are rendered for every kind of drawing',
    'with bytes changed: accepted or refused',
    'has waited since they came, also when they ask for their own render later',
    'waits on when those who asked first have waited too long',
    'is one of an IPv6 network of 64 bits',
  ],
  'image-access.test.ts, hot-responses.test.ts and private-images.test.ts ask for an image in the same state': [
    'it was deleted with undo',
    'it was moved to the trash',
    'it was quarantined',
    'it was made private',
    'it is private and its view key was ended',
  ],
  'waits for eight seconds or more': [
    'SIGTERM ends a start that does not end',
    'the app stops within its grace period although a connection is idle',
    'continues within a file after Ctrl-C and after kill -9 of the server',
    'fill no more than the buffer budget',
  ],
  'repetitions and variants of what another test does once': [
    'the server itself sends small originals, variants, SVGs',
    'appear in no warning when the response is text or a redirect',
    'guests may upload fewer formats',
    'leaves the queue, and the log has the status 499',
    'that is down for an hour loses nothing',
    'show four images in one, of what visitors see now',
    'arrives whole when one decoder renders them all',
    'the largest file is that of the uploader',
    'are not listed when they would exceed 16 MB',
    'read only the expired images, by index',
    'those of the account and the key hold',
    'needs a proof after two free requests in an hour',
    'compares every bit of every hash',
    'takes no image from another one who waits for it too',
    'accepts forty small SVGs of one caller at once',
    'count each file at every door, whichever doors are used',
    'many requested sizes of an image evict neither',
    'bytes are evicted before entries',
    '200 logins are limited as from one address',
    'a thousand moves to the same place keep positions short',
    'a list of a thousand albums has the covers and counts of all',
    'are twenty an hour from an address of clients',
    'is closed for twice as long each time',
    'is one mail for thousands of images',
    'need more than one proof',
    'of more than are ended at once leaves none',
    'pages through a large trash',
    'restore an image completely or not at all during the sweep',
    'stores forty icons that a user sends at once',
    'thousands of imported tags are in their normal form within seconds',
    'mail that is to be tried again later is tried for five days more',
  ],
}
export const leftOutTitles = Object.values(leftOutTests).flat()

/** Tests that start decoders, servers or databases of their own, or compute for seconds. */
export const slow = [
  '{bench,e2e,faults,fuzz}/**/*.test.ts',
  'command/{command,library}.test.ts',
  'server/cli/**/*.test.ts',
  'server/importers/*.test.ts',
  'server/app.test.ts',
  'server/start-failure.test.ts',
  'server/imaging/**/*.test.ts',
  'server/testing/*.test.ts',
  'server/blobs/s3.test.ts',
  'server/domain/accounts/{factors,providers}/*.test.ts',
  'server/domain/mail/expiry-digests.test.ts',
  'server/domain/mail/mail-queue.test.ts',
  'server/domain/backups/*.test.ts',
  'server/domain/database-view/*.test.ts',
  'server/domain/operations/instance-stats.test.ts',
  'server/domain/images/managed-image.test.ts',
  'server/domain/images/deletion/restore-images.test.ts',
  'server/domain/images/lists/{gallery-outline,query-plans}.test.ts',
  'server/domain/delivery/{image-engine,svg-images}.test.ts',
  'server/domain/uploads/{claim-images,upload-one}.test.ts',
  'server/http/delivery/{delivery,image-access,sendfile,withdrawn-images}.test.ts',
  'server/http/request/{common-headers,lost-connections,media-origin,trusted-proxies,two-servers}.test.ts',
  'server/http/{guard,hot}/*.test.ts',
  'server/http/delivery/{hot-cache,hot-responses}.test.ts',
]
