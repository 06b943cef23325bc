// An index has the order of each page of the audit log, and finds what the jobs clear.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { dayMs } from '../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { plansOf } from '../../testing/query-plans.ts'
import type { Deps } from '../shared/deps.ts'
import { clearAddressHashes } from '../moderation/address-hashes.ts'
import { writeCursor } from '../shared/keyset-page.ts'
import { listAuditEntries } from './read-audit-log.ts'
import { pruneAuditLog } from './prune-audit-log.ts'

const isPostgres = inject('postgresUrl') !== undefined
/** Enough that a plan without an index would be the dearer one for PostgreSQL. */
const rowCount = 60_000
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  const numbers = isPostgres
    ? sql`generate_series(1, ${sql.lit(rowCount)}) as n(n)`
    : sql`(with recursive n(n) as (select 1 union all select n + 1 from n where n < ${sql.lit(rowCount)}) select n from n) as n`
  const now = sql.lit(app.deps.now())
  await sql`
    insert into audit_log (id, created_at, action, actor, actor_email, target, target_label, address, details)
    select 'e' || n.n, ${now} - n.n, 'action ' || (n.n % 30), 'actor ' || (n.n % 50),
      case n.n % 2 when 0 then (n.n % 50) || '@example.com' end, 'target ' || (n.n % 5000),
      case n.n % 9 when 0 then (n.n % 50) || '@example.com' end, '203.0.113.7', '{}'
    from ${numbers}`.execute(app.deps.db)
  await sql`
    insert into images (id, file_name, original_name, owner_id, guest_token_hash, format, width, height, frames, has_alpha,
      bytes, sha256, placeholder, created_at, expires_at, address_hash)
    select 'i' || n.n, n.n || '.jpg', 'picture.jpg', null, null, 'jpeg', 100, 100, 1, 0, 1, '', '#808080',
      ${now} - n.n, ${now} + ${sql.lit(dayMs)}, case n.n % 3 when 0 then 'hash ' || n.n end
    from ${numbers}`.execute(app.deps.db)
  await sql`analyze`.execute(app.deps.db)
})
afterAll(() => app.stop())

const scans = isPostgres ? /Seq Scan on (audit_log|images)\b/ : /SCAN (audit_log|images)\b(?! USING (COVERING )?INDEX)/
const sorts = isPostgres ? /\bSort\b/ : /USE TEMP B-TREE/

it.each([
  ['no filter', {}, 'audit_log_newest'],
  ['an action', { action: 'login' }, 'audit_log_action'],
  ['an actor', { actor: 'actor 7' }, 'audit_log_actor'],
  ['the email of an actor', { actor: '8@example.com' }, 'audit_log_actor_email'],
  ['a target', { target: 'target 70' }, 'audit_log_target'],
  ['the email of a target', { target: '9@example.com' }, 'audit_log_target_label'],
  ['all filters', { target: 'target 70', actor: 'actor 7', action: 'login' }, 'audit_log_target'],
] as const)('an index serves the pages of the audit log with %s', async (_, filters, index) => {
  const now = app.deps.now()
  const from = new Date(now - dayMs).toISOString()
  const cursor = writeCursor('newest', { value: now, id: 'x' })
  for (const query of [filters, { ...filters, from }, { ...filters, cursor }]) {
    for (const plan of await plansOf(app.deps, (deps) => listAuditEntries(deps, { query: { ...query, limit: 2 } }))) {
      expect(plan).not.toMatch(scans)
      // PostgreSQL reads the few rows of a target, or the end of a range, and sorts them.
      if (!isPostgres) {
        expect(plan).not.toMatch(sorts)
        expect(plan).toMatch(new RegExp(`\\b${index}\\b`))
      }
    }
  }
})

it('an index serves the pruning of the audit log', async () => {
  for (const plan of await plansOf(app.deps, (deps) => pruneAuditLog(deps, deps.now()))) expect(plan).not.toMatch(scans)
})

it('an index serves the clearing of addresses', async () => {
  const clear = (deps: Deps) => clearAddressHashes(deps, deps.now())
  for (const plan of await plansOf(app.deps, clear)) expect(plan).not.toMatch(scans)
})
