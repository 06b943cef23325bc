import { expect, test } from 'vitest'
import { auditQueryOf, searchOfAudit, tabOf } from '../admin-address.ts'
import { detailsText, toFilters, wholeLog } from './admin-audit.ts'

test.each([
  ['?tab=audit', wholeLog],
  ['?actor=ada%40example.com&action=login', { ...wholeLog, actor: 'ada@example.com', action: 'login' }],
  ['?action=__proto__&from=yesterday&to=2026-13-01', wholeLog],
  ['?from=2026-11-01&to=2026-11-22', { ...wholeLog, from: '2026-11-01', to: '2026-11-22' }],
  [`?target=${'x'.repeat(1000)}`, { ...wholeLog, target: 'x'.repeat(254) }],
] as const)('the audit log of %j', (search, expected) => {
  expect(auditQueryOf(search)).toEqual(expected)
  expect(auditQueryOf(searchOfAudit(expected))).toEqual(expected)
  expect(tabOf(searchOfAudit(expected))).toBe('audit')
})

test('the last day is included whole, in the time zone of the reader', () => {
  const { from, to } = toFilters({ ...wholeLog, from: '2026-11-22', to: '2026-11-22' })
  expect(new Date(from ?? '')).toEqual(new Date(2026, 10, 22))
  expect(new Date(to ?? '')).toEqual(new Date(2026, 10, 23))
  expect(toFilters(wholeLog)).toEqual({})
})

test.each([
  [{}, ''],
  [{ from: 'user', to: 'admin' }, 'from: user, to: admin'],
  [
    { fields: ['email', 'name'], email: { from: 'a@x.com', to: 'b@x.com' } },
    'fields: email name, email: from a@x.com to b@x.com',
  ],
  [{ S3_BUCKET: { from: null, to: 'pictures' } }, 'S3_BUCKET: from none to pictures'],
  [{ scopes: ['upload', 'read'], expiresAt: null, uploadsPerHour: 5 }, 'scopes: upload read, uploads per hour: 5'],
  [{ owner: 'guest', to: 'trash' }, 'owner: guest, to: Recently deleted'],
  [{ documents: 2, ids: ['a', 'b'] }, 'documents: 2, ids: a b'],
])('the text of the details %j', (details, text) => {
  expect(detailsText(details)).toBe(text)
})
