// Pages, filters and exports of the audit log.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../../contract/endpoints/audit.ts'
import { dayMs } from '../../../contract/plain/limits.ts'
import type { AuditLogTable } from '../../db/schema.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { newId } from '../shared/secrets.ts'
import { pruneAuditLog } from './prune-audit-log.ts'

const admin = { email: 'boss@example.com', password: 'boss-secret' }
/** More than three of the batches in which the log is read. */
const entryCount = 1700
const start = Date.parse('2026-01-01T00:00:00Z')
let app: TestApp
let token: string
beforeAll(async () => {
  app = await startTestApp({ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password })
  token = (await app.call('POST', '/api/login', { body: admin })).body.token
})
afterAll(() => app.stop())
beforeEach(async () => {
  await app.deps.db.deleteFrom('audit_log').execute()
})

const row = (n: number, values: Partial<AuditLogTable> = {}): AuditLogTable => ({
  id: newId(app.deps),
  // Three entries in each millisecond.
  created_at: start + Math.floor(n / 3),
  action: 'login',
  actor: 'ada',
  actor_email: 'ada@example.com',
  target: null,
  target_label: null,
  address: '203.0.113.7',
  details: '{}',
  ...values,
})

async function add(rows: AuditLogTable[]): Promise<void> {
  for (let at = 0; at < rows.length; at += 500)
    await app.deps.db
      .insertInto('audit_log')
      .values(rows.slice(at, at + 500))
      .execute()
}

const list = (query: Record<string, string> = {}) =>
  app.call('GET', `/api/admin/audit?${new URLSearchParams(query).toString()}`, { token })
const ids = (entries: AuditEntry[]) => entries.map(({ id }) => id)

/** Follows the links to the end. */
async function everyPage(query: Record<string, string>): Promise<string[]> {
  const found: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await list({ ...query, ...(cursor === '' ? {} : { cursor }) })
    expect(page.status).toBe(200)
    found.push(...ids(page.body))
    const next = /<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1]
    cursor = next === undefined ? null : new URL(next).searchParams.get('cursor')
  }
  return found
}

const newestFirst = (rows: AuditLogTable[]) =>
  rows.toSorted((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1)).map(({ id }) => id)

describe('listAuditEntries', () => {
  it('has every entry once, newest first, on pages without a total', async () => {
    const rows = Array.from({ length: 450 }, (_, n) => row(n))
    await add(rows)
    const first = await list({ limit: '200' })
    expect([first.body.length, first.headers.has('x-total-count')]).toEqual([200, false])
    expect(await everyPage({ limit: '200' })).toEqual(newestFirst(rows))
  })

  it('finds by each filter, exactly, and by all of them together', async () => {
    const login = row(0)
    const failed = row(10, {
      action: 'login_failed',
      actor: 'guest',
      actor_email: null,
      target: 'ada',
      target_label: 'ada@example.com',
    })
    const deleted = row(20, { action: 'image_deleted', target: 'image' })
    const byBob = row(30, { actor: 'bob', actor_email: 'bob@example.com', action: 'image_deleted', target: 'image' })
    await add([login, failed, deleted, byBob])
    const at = (n: number) => new Date(start + n).toISOString()
    for (const [query, expected] of [
      [{}, [byBob, deleted, failed, login]],
      [{ actor: 'ada' }, [deleted, login]],
      [{ actor: ' Ada@Example.com ' }, [deleted, login]],
      [{ actor: 'guest' }, [failed]],
      [{ actor: 'ad' }, []],
      [{ actor: "' or 1=1 --" }, []],
      [{ action: 'image_deleted' }, [byBob, deleted]],
      [{ target: 'image' }, [byBob, deleted]],
      [{ target: 'ADA@example.com' }, [failed]],
      [{ target: 'image', actor: 'bob@example.com', action: 'image_deleted' }, [byBob]],
      [{ target: 'image', actor: 'bob', action: 'login' }, []],
      [{ actor: '', target: ' ' }, [byBob, deleted, failed, login]],
      [{ from: at(6) }, [byBob, deleted]],
      [{ to: at(6) }, [failed, login]],
      [{ from: at(3), to: at(4), actor: 'guest' }, [failed]],
    ] as [Record<string, string>, AuditLogTable[]][]) {
      const { status, body } = await list(query)
      expect([status, ids(body)], JSON.stringify(query)).toEqual([200, expected.map(({ id }) => id)])
    }
  })

  it('finds rare entries behind thousands that only one of the filters matches', async () => {
    const rows = Array.from({ length: entryCount }, (_, n) =>
      row(n, n % 600 === 1 ? { action: 'role_changed', target: `target ${n}` } : {}),
    )
    await add(rows)
    const rare = rows.filter(({ action }) => action === 'role_changed')
    const query = { actor: 'ada', action: 'role_changed' }
    expect(ids((await list(query)).body)).toEqual(newestFirst(rare))
    expect(await everyPage({ ...query, limit: '1' })).toEqual(newestFirst(rare))
    expect(ids((await list({ ...query, target: 'target 601' })).body)).toHaveLength(1)
  })

  it.each([
    ['action', 'no_such_action'],
    ['action', '__proto__'],
    ['from', 'yesterday'],
    ['from', '2026-01-01'],
    ['to', '2026-13-01T00:00:00Z'],
    ['actor', 'x'.repeat(255)],
    ['target', 'a\0b'],
    ['limit', '0'],
    ['cursor', 'nonsense'],
    ['who', 'ada'],
  ])('refuses %s=%j', async (name, value) => {
    expect(await list({ [name]: value })).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
  })
})

describe('exportAuditEntries', () => {
  const download = (query: string, method = 'GET') =>
    app.request(`/api/admin/audit/export?${query}`, { method, headers: { authorization: `Bearer ${token}` } })

  it('has every matching entry as one line of JSON, as the list has them', async () => {
    const rows = Array.from({ length: entryCount }, (_, n) => row(n, { actor: n % 2 === 0 ? 'ada' : 'bob' }))
    await add(rows)
    const response = await download('actor=ada')
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/x-ndjson; charset=utf-8',
    ])
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-log-[\d-]{10}\.ndjson"$/)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    const lines = (await response.text()).trimEnd().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as AuditEntry).id)).toEqual(
      newestFirst(rows.filter(({ actor }) => actor === 'ada')),
    )
    const { body } = await list({ actor: 'ada', limit: '1' })
    expect(JSON.parse(lines[0] ?? '')).toEqual(body[0])
  })

  it('quotes CSV, and no cell is a formula', async () => {
    await add([
      row(0, {
        id: 'one',
        action: 'login_failed',
        actor: 'guest',
        actor_email: null,
        target_label: '=HYPERLINK("http://evil.example","x")',
        details: '{"code":"wrong_credentials"}',
      }),
      row(3, { id: 'two', target: '-1+1', target_label: 'a "b", c', address: null }),
    ])
    const response = await download('format=csv&to=2026-01-02T00:00:00Z')
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(await response.text()).toBe(
      [
        'id,created_at,action,actor,actor_email,target,target_label,address,details',
        `two,2026-01-01T00:00:00.001Z,login,ada,ada@example.com,'-1+1,"a ""b"", c",,{}`,
        `one,2026-01-01T00:00:00.000Z,login_failed,guest,,,"'=HYPERLINK(""http://evil.example"",""x"")",203.0.113.7,"{""code"":""wrong_credentials""}"`,
        '',
      ].join('\r\n'),
    )
  })

  it('sends no body to HEAD, and refuses unknown formats', async () => {
    const head = await download('', 'HEAD')
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect((await download('format=xml')).status).toBe(400)
  })
})

describe('pruneAuditLog', () => {
  it('deletes the entries that are older than AUDIT_RETENTION_DAYS', async () => {
    const rows = Array.from({ length: 1200 }, (_, n) => row(n))
    const young = row(0, { created_at: start + 10 * dayMs })
    await add([...rows, young])
    const prune = (AUDIT_RETENTION_DAYS: number) =>
      pruneAuditLog({ ...app.deps, config: { ...app.deps.config, AUDIT_RETENTION_DAYS } }, start + 20 * dayMs)
    expect(await prune(0)).toEqual({ deletedEntries: 0 })
    expect(await prune(30)).toEqual({ deletedEntries: 0 })
    expect(await prune(15)).toEqual({ deletedEntries: 1200 })
    expect(ids((await list()).body)).toEqual([young.id])
  })

  it('deletes the oldest of too many entries of another action', async () => {
    const deletions = Array.from({ length: 5 }, (_, n) => row(n, { action: 'image_deleted' }))
    await add([...deletions, row(9, { action: 'image_restored' })])
    expect(await pruneAuditLog(app.deps, start, { failures: 1, others: 2 })).toEqual({ deletedEntries: 3 })
    expect(await everyPage({ action: 'image_deleted' })).toHaveLength(2)
  })

  it('deletes the oldest of too many failures, and nothing else', async () => {
    const failed = (n: number) => row(n * 3, { action: 'login_failed', actor: 'guest' })
    const failures = Array.from({ length: 1200 }, (_, n) => failed(n))
    const others = [row(0), row(1, { action: 'pin_failed' }), row(2, { action: 'image_deleted' })]
    await add([...failures, ...others])
    const unlimited = { ...app.deps, config: { ...app.deps.config, AUDIT_RETENTION_DAYS: 0 } }
    expect(await pruneAuditLog(unlimited, start, { failures: 1200, others: 1 })).toEqual({ deletedEntries: 0 })
    expect(await pruneAuditLog(unlimited, start, { failures: 10, others: 1 })).toEqual({ deletedEntries: 1190 })
    expect(new Set(await everyPage({}))).toEqual(new Set([...failures.slice(-10), ...others].map(({ id }) => id)))
  })
})
