// Jobs use the trusted time, not a later reading of the clock, and lose nothing by a wrong one.
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AuditAction } from '../contract/plain/audit-actions.ts'
import { dayMs } from '../contract/plain/limits.ts'
import { StoreUnavailable } from './blobs/blob-store.ts'
import { DatabaseUnavailable } from './db/database-errors.ts'
import type { Deps } from './domain/shared/deps.ts'
import { queueMail } from './domain/mail/mail-queue.ts'
import { allTables } from './domain/backups/table-list.ts'
import { jobNames, openJobs } from './jobs.ts'
import { startTestApp, type TestApp } from './testing/app.ts'
import { jpeg } from './testing/test-images.ts'
import { startSmtpServer, type TestSmtpServer } from './testing/smtp-server.ts'

const jumpMs = 57 * dayMs

let smtp: TestSmtpServer
let app: TestApp
let userId: string
beforeAll(async () => {
  smtp = await startSmtpServer()
  app = await startTestApp({ SMTP_URL: smtp.url, SUPPORT_EMAIL: 'support@example.com' })
  const user = await app.newUser()
  userId = user.id
  const headers = { 'idempotency-key': 'a key that is wanted still' }
  expect((await app.upload(await jpeg(20, 10), { token: user.token, headers })).status).toBe(201)
  await insertWanted()
})
afterAll(async () => {
  await app.stop()
  await smtp.stop()
})

/** Rows that jobs delete when their time has come, which is not yet. */
async function insertWanted(): Promise<void> {
  const { db, now } = app.deps
  const at = now()
  const later = at + dayMs
  const token = { token_hash: 'x', note: '', role: 'user', max_uses: 1, uses: 0 } as const
  const by = { created_at: at, created_by: userId }
  await db
    .insertInto('invites')
    .values({ ...token, ...by, id: 'x', expires_at: later })
    .execute()
  await db
    .insertInto('blocked_networks')
    .values({ ...by, network: '192.0.2.0/24', note: '', expires_at: later })
    .execute()
  await db.insertInto('tombstones').values({ id: 'x', file_name: 'x.jpg', gone_at: at, visibility: 'public' }).execute()
  await db.insertInto('used_tokens').values({ id: 'x', expires_at: later }).execute()
  const report = { id: 'x', image_id: 'x', original_name: 'x.jpg', opened_at: at, announced_at: at, report_count: 1 }
  await db.insertInto('report_cases').values(report).execute()
  // Its creator has not uploaded its first image.
  const none = { guest_token_hash: 'x', parent_id: null, cover_id: null, query: null, upload_visibility: null }
  await db
    .insertInto('albums')
    .values({ ...none, id: 'x', owner_id: null, title: '', description: '', created_at: at })
    .execute()
  const hook = { id: 'x', user_id: userId, url: 'https://x.example/', events: 'image.uploaded', secret: 'x' }
  await db
    .insertInto('webhooks')
    .values({ ...hook, created_at: at, paused_until: 0, expiring_until: 0 })
    .execute()
  const sent = {
    id: 'x',
    webhook_id: 'x',
    event: 'image.uploaded',
    body: '{}',
    status: 'delivered',
    attempts: 1,
  } as const
  await db
    .insertInto('webhook_deliveries')
    .values({ ...sent, created_at: at, next_try_at: at })
    .execute()
}

/** Tables that jobs delete from for other reasons than the time, or that only requests delete from. */
const notByTime = [
  ...['album_images', 'album_members', 'api_keys', 'backups', 'blocked_images', 'cache_purges', 'collections'],
  ...['database_unlocks', 'documents', 'legacy_paths', 'pin_attempts', 'settings', 'webhooks'],
]

/** Tables that the modules of the jobs delete from, and the modules of server/domain/ that they import. */
function prunedTables(): string[] {
  const sources = new Map<string, string>()
  const visit = ({ href }: URL) => {
    if (sources.has(href)) return
    const source = readFileSync(new URL(href), 'utf8')
    sources.set(href, source)
    for (const [, path = ''] of source.matchAll(/^import (?!type )[^']* from '(\.[^']+)'/gm)) {
      const imported = new URL(path, href)
      if (imported.pathname.includes('/server/domain/')) visit(imported)
    }
  }
  visit(new URL('./jobs.ts', import.meta.url))
  const deletions = [...sources.values()].flatMap((source) => [...source.matchAll(/deleteFrom\('(\w+)'\)/g)])
  return [...new Set(deletions.map(([, name = '']) => name))]
}

const rowsOf = async (table: 'sessions' | 'idempotency_keys' | 'outgoing_mail') =>
  (await app.deps.db.selectFrom(table).selectAll().execute()).length

function runOf(name: string, deps: Deps): () => Promise<void> {
  const job = openJobs(deps).find((one) => one.name === name)
  if (!job) throw new Error(`No job ${name}`)
  return job.run
}

it.each([
  ['sweepSessions', 'sessions', 1],
  ['sweepIdempotencyKeys', 'idempotency_keys', 1],
  ['sendExpiryDigests', 'outgoing_mail', 0],
] as const)('%s uses the trusted time when the clock changes afterwards', async (name, table, left) => {
  const start = app.deps.now()
  let looks = 0
  const run = runOf(name, { ...app.deps, now: () => (looks++ === 0 ? start : start + jumpMs) })
  await run()
  expect(await rowsOf(table)).toBe(left)
})

it('sweepCounters and sweepMailLinks delete what has ended, and nothing else', async () => {
  const { db, now } = app.deps
  const [ended, running] = [now() - 1, now() + dayMs]
  const link = { purpose: 'reset', email: 'ada@example.com', user_id: userId } as const
  for (const [name, at] of Object.entries({ ended, running })) {
    await db.insertInto('rate_counters').values({ key: name, hits: 1, ends_at: at }).execute()
    await db
      .insertInto('mail_links')
      .values({ ...link, token_hash: name, expires_at: at })
      .execute()
  }
  await runOf('sweepCounters', app.deps)()
  await runOf('sweepMailLinks', app.deps)()
  const counters = await db.selectFrom('rate_counters').select('key').execute()
  expect(counters.map(({ key }) => key).filter((key) => key === 'ended' || key === 'running')).toEqual(['running'])
  expect(await db.selectFrom('mail_links').select('token_hash').execute()).toEqual([{ token_hash: 'running' }])
})

it('every job is named by a test', () => {
  const folder = new URL('.', import.meta.url)
  const tests = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => readFileSync(new URL(path, folder), 'utf8'))
    // Without the lines of lists of jobs, as below.
    .map((source) => source.replaceAll(/^ +'?\w+'?(: '.*')?,$/gm, ''))
  // Tests call what writeViews calls: `viewCounts.flush`.
  const names = jobNames.filter((name) => name !== 'writeViews')
  expect(names.filter((name) => !tests.some((source) => new RegExp(`\\b${name}\\b`).test(source)))).toEqual([])
})

/** What a wrong clock does to the jobs that run with any. */
const withAnyClock = {
  sendDueMail: 'sends earlier or later; it discards by the trusted time',
  sendDueDeliveries: 'sends earlier or later',
  writeViews: 'counts for another day',
  purgeCaches: 'purges earlier or later',
  sendReportDigest: 'sends earlier or later',
  sweepCollections: 'nothing: it deletes what was dropped',
  sweepCounters: 'limits of minutes begin again',
  checkForUpdate: 'asks earlier or later',
  scheduledBackup: 'takes a backup earlier or later',
}

it('every job runs with a trusted clock, or a wrong one does no harm', () => {
  const names = openJobs(app.deps).flatMap(({ name, clock }) => (clock === 'any' ? [name] : []))
  expect(names).toEqual(Object.keys(withAnyClock))
})

it('every job returns counts for /metrics, or is known to have none', async () => {
  const without: string[] = []
  const metrics = Object.assign(Object.create(app.deps.metrics) as Deps['metrics'], {
    job: (name: string, outcome: string, _: number, counts?: object) => {
      if (outcome !== 'done' || counts === undefined) without.push(name)
    },
  })
  for (const { at, run } of openJobs({ ...app.deps, metrics })) if (at !== undefined) await run()
  // Nobody asks how much of these ended.
  expect(without).toEqual([
    'writeViews',
    'sweepCollections',
    'sweepGuestAlbums',
    'sweepSessions',
    'sweepBlockedNetworks',
    'sweepIdempotencyKeys',
    'sweepCounters',
  ])
})

/** The entry of the audit log that a job leaves, or why there is none. */
const audited: Record<string, AuditAction | { none: string }> = {
  sweepExpired: 'image_expired',
  sendDueMail: { none: 'sends what has an entry, or needs none' },
  sendExpiryDigests: { none: 'a reminder' },
  sendDueDeliveries: 'webhook_switched_off',
  announceExpiringImages: { none: 'a reminder' },
  pruneWebhookDeliveries: { none: 'a list of the last days' },
  writeViews: { none: 'numbers' },
  purgeCaches: { none: 'of images that have an entry' },
  sweepUploads: { none: 'uploads that were not finished' },
  sendReportDigest: { none: 'a reminder' },
  sweepReports: { none: 'their decisions have entries' },
  sweepCollections: { none: 'has one since it was deleted' },
  sweepSnapshots: { none: 'copies of collections that have one' },
  deleteDueAccounts: 'user_deleted',
  sweepGuestAlbums: { none: 'nobody uses them any more' },
  sweepMailLinks: { none: 'has ended' },
  sweepSessions: { none: 'has ended' },
  sweepBlockedNetworks: { none: 'the entry of the block says until when' },
  sweepIdempotencyKeys: { none: 'has ended' },
  pruneAuditLog: { none: 'the log itself, by AUDIT_RETENTION_DAYS' },
  clearAddressHashes: { none: 'by ADDRESS_RETENTION_DAYS' },
  sweepCounters: { none: 'has ended' },
  sweepUsedTokens: { none: 'has ended' },
  checkForUpdate: { none: 'changes nothing' },
  scheduledBackup: 'backup_created',
  sweepOrphans: { none: 'bytes without an image' },
}

it('every job leaves its entry in the audit log, or has a reason not to', async () => {
  expect(jobNames).toEqual(Object.keys(audited))
  const { db } = app.deps
  const due = await app.newUser()
  const { body: image } = await app.upload(await jpeg(21, 10))
  await db.updateTable('users').set({ deletion_at: 1, email_confirmed_at: null }).where('id', '=', due.id).execute()
  await db.updateTable('images').set({ expires_at: 1000 }).where('id', '=', image.id).execute()
  const left: Record<string, string[]> = {}
  for (const { name, run } of openJobs(app.deps)) {
    await db.deleteFrom('audit_log').execute()
    if (name !== 'scheduledBackup') await run()
    const entries = await db.selectFrom('audit_log').select('action').distinct().execute()
    if (entries.length > 0) left[name] = entries.map(({ action }) => action)
  }
  // What these do needs a receiver, or a folder of backups.
  const elsewhere = ['sendDueDeliveries', 'scheduledBackup']
  const expected = Object.entries(audited).filter(
    ([name, action]) => typeof action === 'string' && !elsewhere.includes(name),
  )
  expect(left).toEqual(Object.fromEntries(expected.map(([name, action]) => [name, [action]])))
})

it('a job of every minute or second is logged only when it did something', async () => {
  const frequent = openJobs(app.deps).filter(
    ({ at }) => at?.split(' ').at(-5)?.startsWith('*') && !at.startsWith('*/10 * * * *'),
  )
  expect(frequent.length).toBeGreaterThan(5)
  for (const { run } of frequent) await run()
  const logged = app.logged.length
  for (const { run } of frequent) await run()
  expect(app.logged.slice(logged)).toEqual([])
})

it('while the database or the bucket is unavailable, all jobs have one line a minute in the log, without a stack', async () => {
  const lines: object[] = []
  const log = { ...app.deps.log, error: (line: object) => lines.push(line) } as unknown as Deps['log']
  let movedMs = 0
  const now = () => app.deps.now() + movedMs
  const failing = (error: Error) => {
    const fail = () => Promise.reject(error)
    return openJobs({ ...app.deps, log, now, viewCounts: { ...app.deps.viewCounts, flush: fail } })
      .filter(({ name }) => name === 'writeViews')
      .map(({ run }) => run)
  }
  const unavailable = failing(new DatabaseUnavailable(new Error('connect ECONNREFUSED')))
  const runs = [...unavailable, ...unavailable, ...failing(new StoreUnavailable('S3 cannot be reached'))]
  for (const run of runs) await run()
  expect(lines).toEqual([{ job: 'writeViews', reason: 'The database is unavailable: connect ECONNREFUSED' }])
  movedMs = 60_000
  for (const run of runs) await run()
  expect(lines).toHaveLength(2)
  for (const run of [...failing(new Error('A bug')), ...failing(new Error('A bug'))]) await run()
  expect(lines).toHaveLength(4)
})

it('no daily or hourly job starts at minute 0, when all the world does', () => {
  const times = openJobs(app.deps).map(({ at }) => at)
  expect(times.filter((at) => at?.split(' ').at(-5) === '0')).toEqual([])
})

it('sendDueMail discards nothing while the clock is not trusted', async () => {
  let movedMs = 0
  const jobs = openJobs({ ...app.deps, now: () => app.deps.now() + movedMs })
  const run = (name: string) => jobs.find((job) => job.name === name)?.run()
  // Checks the clock; this job does so only when a mail is due.
  await run('sweepSessions')
  await run('sendDueMail')
  const mail = { userId, subject: 'Soon', body: 'A text', dropAt: app.deps.now() + dayMs }
  await app.deps.db.transaction().execute((db) => queueMail({ ...app.deps, db }, mail))
  movedMs = 400 * dayMs
  await run('sendDueMail')
  expect(await rowsOf('outgoing_mail')).toBe(1)
  expect(smtp.mails).toEqual([])
})

it.each([
  ['after', 400 * dayMs],
  ['before', -400 * dayMs],
])('no job loses a row or a file while the clock is 400 days %s the right time', async (_, wrongByMs) => {
  const kept = async () => {
    const tables = allTables.filter((name) => name !== 'rate_counters')
    const rows = tables.map(async (name) => {
      const { count } = await app.deps.db
        .selectFrom(name)
        .select((row) => row.fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      return [name, Number(count)] as const
    })
    const files = await app.files('originals')
    return Object.fromEntries([...(await Promise.all(rows)), ['files', files.length]])
  }
  // Otherwise the mail that waits is sent.
  smtp.refuse({ code: 450, text: 'Later' })
  const guest = await app.newUser()
  expect(
    (await app.upload(await jpeg(20, 10), { token: guest.token, headers: { 'idempotency-key': wrongByMs + ' days' } }))
      .status,
  ).toBe(201)
  let movedMs = 0
  const jobs = openJobs({ ...app.deps, now: () => app.deps.now() + movedMs }).filter(({ at }) => at !== undefined)
  // Checks the clock.
  await jobs.find(({ clock }) => clock === 'trusted')?.run()
  const before = await kept()
  const byTime = prunedTables().filter((name) => !notByTime.includes(name) && name !== 'rate_counters')
  expect(byTime.length).toBeGreaterThan(10)
  expect(byTime.filter((name) => before[name] === 0)).toEqual([])
  movedMs = wrongByMs
  for (const job of jobs) {
    await job.run()
    expect(await kept(), job.name).toEqual(before)
  }
})

it('two servers run every job at the same time without an error, when all that has a time is due', async () => {
  smtp.refuse(null)
  // The last trusted time: without it, any is trusted.
  await app.deps.db.deleteFrom('settings').where('name', '=', 'clock').execute()
  const outcomes: string[] = []
  const metrics = Object.assign(Object.create(app.deps.metrics) as Deps['metrics'], {
    job: (name: string, outcome: string) => outcomes.push(`${name} ${outcome}`),
  })
  const later = () => app.deps.now() + 400 * dayMs
  const servers = [1, 2].map(() => openJobs({ ...app.deps, metrics, now: later }, () => later()))
  for (const { name, at } of servers[0] ?? []) {
    if (at === undefined) continue
    const runs = servers.flatMap((jobs) => jobs.filter((job) => job.name === name))
    await Promise.all(runs.map(({ run }) => run()))
  }
  expect(outcomes.length).toBeGreaterThan(40)
  expect(outcomes.filter((outcome) => !outcome.endsWith(' done'))).toEqual([])
})
