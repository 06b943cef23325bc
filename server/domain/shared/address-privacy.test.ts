// What is stored and logged of a client's address.
import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { dayMs } from '../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'
import { hashAddress, loadAddressKey, shortAddress } from './address-privacy.ts'
import { clearAddressHashes } from '../moderation/address-hashes.ts'

let app: TestApp | undefined
afterEach(async () => {
  await app?.stop()
  app = undefined
})
const start = async (environment: Record<string, string> = {}) => (app = await startTestApp(environment))

it.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['10.0.0.1', '10.0.0.0/24'],
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['0:0:0:0::/64', '0:0:0::/48'],
  ['unknown', 'unknown'],
])('the network of %s is %s', (address, network) => {
  expect(shortAddress(address)).toBe(network)
})

it('the hash of an address is an HMAC-SHA-256 with a key of the instance', () => {
  const addressKey = Buffer.from('a key')
  const expected = createHmac('sha256', 'a key').update('203.0.113.77').digest('hex')
  expect(hashAddress({ addressKey }, '203.0.113.77')).toBe(expected)
  expect(hashAddress({ addressKey: Buffer.from('another') }, '203.0.113.77')).not.toBe(expected)
})

it('the key is created once, and every server of a database has the same', async () => {
  const { deps } = await start()
  await deps.db.deleteFrom('settings').where('name', '=', 'address_key').execute()
  const keys = await Promise.all([1, 2, 3].map(() => loadAddressKey(deps.db, deps.randomBytes)))
  expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1)
  expect(keys[0]).toHaveLength(32)
})

describe('LOG_ADDRESSES', () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.77' }
  const ipv6 = { 'x-forwarded-for': '2001:db8:1:2:3:4:5:6' }
  const failLogin = (of: TestApp, headers: Record<string, string>, email: string) =>
    of.call('POST', '/api/login', { headers, body: { email, password: 'x' } })

  it.each([
    ['full', '203.0.113.77', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['short', '203.0.113.0/24', '2001:db8:1::/48', '2001:db8:1::/48'],
    ['hash', /^[\da-f]{64}$/, /^[\da-f]{64}$/, /^[\da-f]{64}$/],
  ])('is %s in log lines, also of the hot path, and in the audit log', async (form, ipv4, logged6, audited6) => {
    const { deps, logged, request, guestImage } = await start({ LOG_ADDRESSES: form, TRUST_PROXY: '1' })
    const image = await guestImage(await jpeg(8, 8))
    const path = `/uploads/${image.file_name}`
    // The second response comes from the hot cache.
    for (let n = 0; n < 2; n++) await (await request(path, { headers: forwarded })).arrayBuffer()
    await expect.poll(() => logged.filter((line) => line['path'] === path)).toHaveLength(2)
    for (const line of logged.filter((found) => found['path'] === path)) expect(line['address']).toMatch(ipv4)
    await failLogin(app as TestApp, forwarded, 'one@example.com')
    await failLogin(app as TestApp, ipv6, 'two@example.com')
    await expect.poll(() => logged.filter((line) => line['path'] === '/api/login')).toHaveLength(2)
    const [, line] = logged.filter((found) => found['path'] === '/api/login')
    expect(line?.['address']).toMatch(logged6)
    const entries = await deps.db.selectFrom('audit_log').selectAll().orderBy('created_at').execute()
    const addressOf = (email: string) => entries.find(({ target_label: label }) => label === email)?.address
    expect(addressOf('one@example.com')).toMatch(ipv4)
    expect(addressOf('two@example.com')).toMatch(audited6)
    if (form !== 'full') expect(JSON.stringify([logged, entries])).not.toMatch(/203\.0\.113\.77|db8:1:2/)
  })

  it('hashes an address alike in log lines and images, so that the operator can match them', async () => {
    const { deps, logged, guestImage } = await start({ LOG_ADDRESSES: 'hash' })
    const { id } = await guestImage(await jpeg(8, 8))
    await expect.poll(() => logged.find((line) => line['path'] === '/api/upload')).toBeDefined()
    const row = await deps.db.selectFrom('images').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(row.address_hash).toBe(hashAddress(deps, '127.0.0.1'))
    expect(logged.find((line) => line['path'] === '/api/upload')?.['address']).toBe(row.address_hash)
  })
})

describe('ADDRESS_RETENTION_DAYS', () => {
  const hashes = async ({ deps }: TestApp) =>
    (await deps.db.selectFrom('images').select('address_hash').orderBy('created_at').execute()).map(
      (row) => row.address_hash,
    )

  it('is how long images keep the hash, which no response contains', async () => {
    const running = await start({ ADDRESS_RETENTION_DAYS: '2' })
    const { deps } = running
    const { id, delete_token: guestToken } = await running.guestImage(await jpeg(8, 8))
    const hash = hashAddress(deps, '127.0.0.1')
    const { body } = await running.call('GET', `/api/images/${id}`, { guestToken })
    expect(JSON.stringify(body)).not.toContain(hash)
    running.moveClock(dayMs)
    await running.guestImage(await jpeg(9, 9))
    expect(await hashes(running)).toEqual([hash, hash])
    expect(await clearAddressHashes(deps, deps.now() + dayMs + 1000)).toEqual({ clearedImages: 1 })
    expect(await hashes(running)).toEqual([null, hash])
    expect(await clearAddressHashes(deps, deps.now() + 3 * dayMs)).toEqual({ clearedImages: 1 })
    expect(await clearAddressHashes(deps, deps.now() + 3 * dayMs)).toEqual({ clearedImages: 0 })
  })

  it('stores no hash when it is 0', async () => {
    const running = await start({ ADDRESS_RETENTION_DAYS: '0' })
    await running.guestImage(await jpeg(8, 8))
    expect(await hashes(running)).toEqual([null])
  })
})
