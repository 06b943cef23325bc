// What a run of the tests leaves out, and why. `npm test -- all` leaves out nothing but `sqliteOnly`, whose tests PostgreSQL adds
// nothing to. A run by hand (`npx vitest run FILE`) and one with a path (`npm test -- uploads`) select as `all` does.

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
  'server/domain/accounts/account-races.test.ts': ['accounts/admins', 'accounts/api-keys'],
  'server/domain/accounts/accounts.test.ts': [],
  'server/domain/accounts/delete-account.test.ts': [],
  'server/domain/accounts/factors/second-factor.test.ts': [
    'accounts/factors/factors',
    'accounts/factors/passkeys',
    'accounts/factors/recovery-codes',
    'accounts/factors/totp',
  ],
  'server/domain/accounts/invites.test.ts': ['accounts/email/mail-links'],
  'server/domain/accounts/keys-and-users.test.ts': ['images/owner-counts', 'shared/keyset-page'],
  'server/domain/accounts/providers/oidc-login.test.ts': ['accounts/providers/identities'],
  'server/domain/accounts/sessions.test.ts': [],
  'server/domain/accounts/user-tables.test.ts': ['accounts/known-browsers', 'audit/erase-from-audit-log'],
  'server/domain/audit/audit-log.test.ts': ['audit/prune-audit-log'],
  'server/domain/audit/audit-plans.test.ts': [],
  'server/domain/backups/backups.test.ts': ['backups/backup-run'],
  'server/domain/backups/killed-process.test.ts': [],
  'server/domain/backups/move-instance.test.ts': ['backups/table-rows'],
  'server/domain/backups/restore-backup.test.ts': [],
  'server/domain/database-view/collection-snapshot.test.ts': ['database-view/insert-documents'],
  'server/domain/database-view/database-view.test.ts': ['database-view/collections', 'database-view/images-collection'],
  'server/domain/database-view/pin-throttle.test.ts': ['database-view/database-unlock'],
  'server/domain/delivery/image-views.test.ts': ['delivery/view-counts'],
  'server/domain/images/cache-purges.test.ts': [],
  'server/domain/images/image-races.test.ts': [],
  'server/domain/images/image-search.test.ts': ['images/image-list-filters'],
  'server/domain/images/query-plans.test.ts': [],
  'server/domain/mail/contact.test.ts': [],
  'server/domain/mail/expiry-digests.test.ts': [],
  'server/domain/mail/mail-queue.test.ts': [],
  'server/domain/moderation/blocked-images.test.ts': [],
  'server/domain/moderation/blocked-networks.test.ts': [],
  'server/domain/moderation/reports/reports.test.ts': [
    'moderation/address-hashes',
    'moderation/reports/report-jobs',
    'moderation/reports/send-report',
  ],
  'server/domain/shared/retry-when-disk-full.test.ts': [],
  'server/domain/shared/throttle.test.ts': ['shared/rate-counters'],
  'server/domain/shared/used-tokens.test.ts': [],
  'server/domain/uploads/claim-images.test.ts': [],
  'server/domain/uploads/quotas.test.ts': ['shared/transaction-locks', 'uploads/idempotency', 'uploads/store-row'],
  'server/domain/webhooks/webhooks.test.ts': [
    'webhooks/announce-expiring',
    'webhooks/deliveries',
    'webhooks/switch-off',
  ],
  'server/http/delivery/hot-responses.test.ts': [],
  'server/http/delivery/withdrawn-images.test.ts': [],
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
export const sqliteOnly = [
  'server/domain/accounts/api-key-rights.test.ts',
  'server/domain/accounts/api-keys.test.ts',
  'server/domain/accounts/email/email-links.test.ts',
  'server/domain/accounts/login-throttle.test.ts',
  'server/domain/accounts/names.test.ts',
  'server/domain/accounts/notices.test.ts',
  'server/domain/accounts/own-sessions.test.ts',
  'server/domain/accounts/password-policy.test.ts',
  'server/domain/accounts/temporary-passwords.test.ts',
  'server/domain/shared/addresses.test.ts',
  'server/domain/audit/settings-changes.test.ts',
  'server/domain/operations/clock-guard.test.ts',
  'server/domain/database-view/document-rules.test.ts',
  'server/domain/backups/upgrade-database.test.ts',
  'server/domain/backups/write-archive.test.ts',
  'server/domain/accounts/device-name.test.ts',
  'server/domain/shared/disk-space.test.ts',
  'server/domain/delivery/image-analysis.test.ts',
  'server/domain/delivery/image-engine.test.ts',
  'server/domain/images/image-names.test.ts',
  'server/domain/images/manage-image.test.ts',
  'server/domain/delivery/optimization-tips.test.ts',
  'server/domain/images/orphans.test.ts',
  'server/domain/images/soft-delete.test.ts',
  'server/domain/delivery/stored-variants.test.ts',
  'server/domain/delivery/svg-images.test.ts',
  'server/domain/uploads/upload-one.test.ts',
  'server/domain/delivery/variant-plan.test.ts',
  'server/domain/moderation/networks.test.ts',
  'server/domain/moderation/perceptual-hashes.test.ts',
  'server/domain/shared/proof-of-work.test.ts',
  'server/domain/operations/update-check.test.ts',
  'server/domain/uploads/uploads-in-flight.test.ts',
  'server/http/pages/catalogue.test.ts',
  'server/http/protocols/client-setups.test.ts',
  'server/http/protocols/clients.test.ts',
  'server/http/protocols/emailjs.test.ts',
  'server/http/protocols/hostile-bodies.test.ts',
  'server/http/pages/delete-page.test.ts',
  'server/http/delivery/delivery.test.ts',
  'server/http/pages/demo-login.test.ts',
  'server/http/request/errors.test.ts',
  'server/http/request/exposure.test.ts',
  'server/http/request/failures.test.ts',
  'server/http/delivery/send-image.test.ts',
  'server/http/request/freshness.test.ts',
  'server/http/guard/broken-requests.test.ts',
  'server/http/guard/connection-limit.test.ts',
  'server/http/guard/minimum-throughput.test.ts',
  'server/http/guard/pipelining.test.ts',
  'server/http/guard/slow-clients.test.ts',
  'server/http/request/headers.test.ts',
  'server/http/operations/health.test.ts',
  'server/http/delivery/hot-cache.test.ts',
  'server/http/pages/html.test.ts',
  'server/http/request/log.test.ts',
  'server/http/protocols/mcp.test.ts',
  'server/http/request/media-origin.test.ts',
  'server/http/operations/metrics.test.ts',
  'server/http/uploads/multipart.test.ts',
  'server/http/pages/openapi.test.ts',
  'server/http/request/properties.test.ts',
  'server/http/operations/proxy-warning.test.ts',
  'server/http/request/roles.test.ts',
  'server/http/pages/share/oembed.test.ts',
  'server/http/pages/share/share-page.test.ts',
  'server/http/delivery/sendfile.test.ts',
  'server/http/pages/site-documents.test.ts',
  'server/http/request/ssrf.test.ts',
  'server/http/request/trusted-proxies.test.ts',
  'server/http/pages/unsubscribe-page.test.ts',
  'server/http/uploads/upload-by-url.test.ts',
  'server/http/uploads/upload-doors.test.ts',
  'server/http/uploads/upload-format.test.ts',
  'server/http/pages/page-assets.test.ts',
]

/** The files of Vitest's project for PostgreSQL. */
export const postgresFiles =
  scope === 'short'
    ? { include: Object.keys(onPostgres), exclude: [] }
    : { include: ['server/{domain,http}/**/*.test.ts'], exclude: sqliteOnly }

/**
 * Scenarios of faults/ whose short form belongs to a short run: the promises to users (an acknowledged upload survives, a full
 * disk or a failing store loses nothing) and what only an outer force can show. The others repeat these under load, on
 * PostgreSQL or with crowds, for a minute each.
 */
export const shortFaults = ['backup', 'clock', 'full-disk', 'kill', 'points', 'power', 's3', 'upgrade']

/**
 * Screens that a short run checks in all states: together they show every component of web/ui and every kind of page. The
 * others are checked at three sizes in the light theme; the remaining states add colours and sizes to parts that these show.
 */
export const screensInAllStates = [
  'account-security',
  'admin',
  'admin-audit',
  'admin-blocked-networks',
  'admin-images',
  'admin-reports',
  'admin-users',
  'analysis',
  'api-docs-examples',
  'api-key-options',
  'confirm-identity',
  'dashboard',
  'dashboard-list',
  'dashboard-selection',
  'database',
  'document-edit',
  'endpoint-try',
  'landing',
  'lightbox',
  'login-second-factor',
  'new-key',
  'notifications',
  'palette',
  'share',
  'tools',
  'uploads',
]

/** Files of unit tests that a short run leaves out. They took 150 s of the 1,285 s of all files. */
export const leftOutFiles: Record<string, string> = {
  'bench/bench.test.ts': 'benchmarks are run by hand, and starting one takes longer than a journey',
  'fuzz/fuzz.test.ts': 'random input finds more the longer it runs: each night',
  'server/cli/doctor.test.ts': 'a command that changes nothing',
  'server/domain/backups/backup-bucket.test.ts': 'backups to disk and the S3 protocol have tests of their own',
  'server/imaging/decoder/svg/linear.test.ts': 'the work for n and 4n: of code that rarely changes',
  'server/importers/import-from.test.ts': 'used once in the life of an instance',
}

/** Single tests that a short run leaves out: each waits or starts processes for eight seconds or more. */
export const leftOutTitles = [
  'copies an instance to PostgreSQL and S3, and back',
  'prints the usage of all commands and of each command',
  'SIGTERM ends a start that does not end',
  'the app stops within its grace period although a connection is idle',
  'continues within a file after Ctrl-C and after kill -9 of the server',
]

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
  'server/domain/images/{claim-images,image-files,image-outline,manage-image,query-plans,soft-delete,svg-images,uploads}.test.ts',
  'server/domain/delivery/{image-engine,svg-images}.test.ts',
  'server/domain/images/gallery-layout.test.ts',
  'server/domain/uploads/{claim-images,upload-one}.test.ts',
  'server/http/delivery/{delivery,sendfile,withdrawn-images}.test.ts',
  'server/http/request/{headers,lost-connections,media-origin,trusted-proxies,two-servers}.test.ts',
  'server/http/{guard,hot}/*.test.ts',
  'server/http/delivery/{hot-cache,hot-responses}.test.ts',
]
