// Blocked networks through the API: who is refused where, and how blocks are added, found and removed.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../contract/endpoints/api.ts'
import type { BlockedNetwork } from '../../../contract/endpoints/blocklists.ts'
import type { Endpoint } from '../../../contract/endpoints/endpoint.ts'
import { dayMs, hourMs } from '../../../contract/plain/limits.ts'
import { moderationLimits } from '../../../contract/plain/moderation-limits.ts'
import { type RouteName, routes } from '../../../contract/plain/routes.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'
import { promote } from '../accounts/operator-accounts.ts'
import { sweepBlockedNetworks, unblockContaining } from './blocked-networks.ts'

let app: TestApp
let bytes: Buffer
let admin: { token: string }
let adminEmail: string
let user: { token: string; email: string }
beforeAll(async () => {
  app = await startTestApp({ TRUST_PROXY: '1' })
  bytes = await jpeg(60, 40)
  user = await app.newUser()
  const { email } = await app.newUser('boss@example.com')
  adminEmail = email
  await promote(app.deps, email)
  admin = (await app.call('POST', '/api/login', { body: { email, password: 'secret-1' } })).body
})
beforeEach(() => app.deps.db.deleteFrom('blocked_networks').execute())
afterAll(() => app.stop())

const from = (address: string) => ({ 'x-forwarded-for': address })
const block = (networks: string[], more: object = {}, headers: Record<string, string> = {}) =>
  app.call('POST', '/api/admin/blocked-networks', { ...admin, headers, body: { networks, ...more } })
const unblock = (networks: string[]) =>
  app.call('DELETE', '/api/admin/blocked-networks', { ...admin, body: { networks } })

async function list(query: Record<string, string> = {}) {
  const path = `/api/admin/blocked-networks?${new URLSearchParams(query).toString()}`
  const { status, body, headers } = await app.call('GET', path, admin)
  expect(status, JSON.stringify(body)).toBe(200)
  return {
    blocks: body as BlockedNetwork[],
    networks: (body as BlockedNetwork[]).map(({ network }) => network),
    total: Number(headers.get('x-total-count')),
    link: headers.get('link'),
  }
}

let people = 0
/** What a blocked network may not do, as a guest, as a user and with an API key. */
async function codesFrom(address: string): Promise<Record<string, string | undefined>> {
  const headers = from(address)
  const email = `person-${people++}@example.com`
  const { key } = (await app.call('POST', '/api/api-keys', { token: user.token, body: {} })).body
  const answers = {
    upload: await app.upload(bytes, { headers }),
    'upload as a user': await app.upload(bytes, { headers, token: user.token }),
    'upload with a key': await app.upload(bytes, { headers, token: key }),
    register: await app.call('POST', '/api/register', { headers, body: { email, password: 'secret-1' } }),
    login: await app.call('POST', '/api/login', { headers, body: { email: user.email, password: 'secret-1' } }),
  }
  await app.deps.db.deleteFrom('api_keys').execute()
  return Object.fromEntries(
    Object.entries(answers).map(([what, { status, body }]) => [what, status < 400 ? undefined : body.code]),
  )
}
const all = (code: string | undefined) => ({
  upload: code,
  'upload as a user': code,
  'upload with a key': code,
  register: code,
  login: code,
})

describe('a client of a blocked network', () => {
  it.each([
    ['203.0.113.0/24', '203.0.113.7', '203.0.112.255'],
    ['203.0.113.7', '203.0.113.7', '203.0.113.8'],
    ['203.0.113.7', '::ffff:203.0.113.7', '::ffff:203.0.113.8'],
    ['::ffff:203.0.113.0/120', '203.0.113.7', '203.0.112.7'],
    ['2001:db8::/32', '2001:DB8:1::1', '2001:db9::1'],
    ['2001:db8::1', '2001:db8:0:0::1', '2001:db8::2'],
  ])('that is %s, such as %s, cannot upload, register or log in, and %s can', async (network, inside, outside) => {
    expect((await block([network])).status).toBe(201)
    expect(await codesFrom(inside)).toEqual(all('address_blocked'))
    expect(await codesFrom(outside)).toEqual(all(undefined))
    expect((await unblock([network])).body).toEqual({ success: true, removed: 1 })
    expect(await codesFrom(inside)).toEqual(all(undefined))
  })

  it('gets 403 before the body of an upload is read, and can see pages, images and its own account', async () => {
    const image = await app.guestImage(bytes)
    await block(['203.0.113.7'])
    const headers = from('203.0.113.7')
    const form = { ...headers, 'content-type': 'multipart/form-data; boundary=x' }
    const refused = await app.request('/api/upload', { method: 'POST', headers: form, body: 'not a form' })
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { error: 'Requests from your network are not accepted here', code: 'address_blocked' },
    ])
    expect((await app.request(`/uploads/${image.file_name}`, { headers })).status).toBe(200)
    expect((await app.call('GET', '/api/me', { token: user.token, headers })).status).toBe(200)
  })

  it('cannot log in as an admin, and an admin with a session can remove the block', async () => {
    await block(['198.51.100.0/24'])
    const headers = from('198.51.100.1')
    const body = { email: adminEmail, password: 'secret-1' }
    expect((await app.call('POST', '/api/login', { body, headers })).status).toBe(403)
    const removal = { ...admin, headers, body: { networks: ['198.51.100.0/24'] } }
    expect((await app.call('DELETE', '/api/admin/blocked-networks', removal)).body.removed).toBe(1)
    expect((await app.call('POST', '/api/login', { body, headers })).status).toBe(200)
  })

  it('is refused until the block ends, which the list and the sweep follow', async () => {
    const expires_at = new Date(app.deps.now() + dayMs).toISOString()
    await block(['203.0.113.7'], { expires_at })
    await block(['203.0.113.8'])
    expect((await list()).blocks.find(({ network }) => network.endsWith('.7'))).toMatchObject({ expires_at })
    expect((await codesFrom('203.0.113.7')).login).toBe('address_blocked')
    app.moveClock(dayMs)
    expect((await codesFrom('203.0.113.7')).login).toBe(undefined)
    expect(await list()).toMatchObject({ networks: ['203.0.113.8'], total: 1 })
    await sweepBlockedNetworks(app.deps, app.deps.now())
    expect(await app.deps.db.selectFrom('blocked_networks').select('network').execute()).toHaveLength(1)
  })
})

/** What a blocked network may do without an account, and why. */
const allowed: Partial<Record<RouteName, string>> = {
  downloadOwnDataByLink: 'its ticket is of a session',
  downloadBackupByLink: 'its ticket is of a session',
  startPasskeyLogin: 'loginWithPasskey refuses',
  ...Object.fromEntries(
    ['updateImage', 'deleteImage', 'restoreImage', 'extendImage', 'createViewKey', 'endViewKeys', 'signVariant'].map(
      (name) => [name, 'the image is there already'],
    ),
  ),
  sendReport: 'its visitors may report too',
  sendEmail: 'who is blocked can ask why',
  sendEmailForm: 'who is blocked can ask why',
}
const openToAll = (Object.keys(routes) as RouteName[]).filter(
  (name) => !routes[name].startsWith('GET') && api[name].access === 'public',
)

it.each(openToAll)('%s refuses blocked networks, or has a reason not to', async (name) => {
  const endpoint: Endpoint = api[name]
  const refuses = !(name in allowed)
  expect(endpoint.refusesBlockedNetworks === true).toBe(refuses)
  await block(['203.0.113.7'])
  const [method = '', path = ''] = routes[name].replaceAll(/\{\w+\}/g, 'none').split(' ')
  const headers = from('203.0.113.7')
  const response = await (endpoint.upload
    ? app.upload(bytes, { headers })
    : app.call(method, path, { headers, body: {} }))
  expect(response.body.code === 'address_blocked', JSON.stringify(response.body)).toBe(refuses)
})

it('no reason is for an endpoint that has none', () => {
  expect(Object.keys(allowed).filter((name) => !openToAll.includes(name as RouteName))).toEqual([])
})

describe('blockUploader', () => {
  const upload = async (address: string) =>
    (await app.upload(bytes, { headers: from(address) })).body as { id: string; original_name: string }
  const blockUploader = (id: string, more: object = {}, headers: Record<string, string> = from('192.0.2.99')) =>
    app.call('POST', `/api/admin/images/${id}/block-uploader`, { ...admin, headers, body: more })

  it.each([
    ['203.0.113.7', '203.0.113.7', '203.0.113.8'],
    ['2001:db8:1:2::3', '2001:db8:1:2:9::1', '2001:db8:1:3::3'],
  ])('of an image from %s blocks every door to %s, and none to %s', async (uploader, inside, outside) => {
    const { status, body } = await blockUploader((await upload(uploader)).id, { note: ' Floods ' })
    expect([status, body]).toEqual([201, { success: true, network: expect.stringMatching(/^hash:[\da-f]{64}$/) }])
    expect(await codesFrom(inside)).toEqual(all('address_blocked'))
    expect(await codesFrom(outside)).toEqual(all(undefined))
    expect((await list()).blocks).toMatchObject([{ network: body.network, note: 'Floods', created_by: adminEmail }])
    expect(await list({ q: inside }), 'found by an address').toMatchObject({ networks: [body.network] })
    expect(await list({ q: outside })).toMatchObject({ networks: [] })
    expect((await unblock([body.network])).body.removed).toBe(1)
    expect(await codesFrom(inside)).toEqual(all(undefined))
  })

  it('ends by itself, is in the audit log with the name of the image, and is counted when it refuses', async () => {
    const { id } = await upload('203.0.113.7')
    const expires_at = new Date(app.deps.now() + hourMs).toISOString()
    const { network } = (await blockUploader(id, { expires_at })).body
    const entries = await app.call('GET', '/api/admin/audit?action=block_added&limit=1', admin)
    expect(entries.body[0]).toMatchObject({ target: network, target_label: id, details: { until: expires_at } })
    const refusals = async () =>
      Number(
        /image_host_block_refusals_total\{[^}]*address_blocked[^}]*\} (\d+)/.exec(
          (await app.deps.metrics.text()).body,
        )?.[1] ?? 0,
      )
    const before = await refusals()
    expect((await codesFrom('203.0.113.7')).login).toBe('address_blocked')
    expect(await refusals()).toBeGreaterThan(before)
    app.moveClock(hourMs)
    expect((await codesFrom('203.0.113.7')).login).toBe(undefined)
  })

  it('is refused for an own image, one without an address, and one that does not exist', async () => {
    const own = await blockUploader((await upload('203.0.113.7')).id, {}, from('203.0.113.7'))
    expect([own.status, own.body.code]).toEqual([409, 'own_upload_network'])
    const { id } = await upload('203.0.113.8')
    await app.deps.db.updateTable('images').set({ address_hash: null }).where('id', '=', id).execute()
    expect((await blockUploader(id)).body.code).toBe('uploader_unknown')
    expect((await blockUploader('none')).body.code).toBe('image_not_found')
    const past = await blockUploader((await upload('203.0.113.7')).id, { expires_at: '2001-01-01T00:00:00.000Z' })
    expect([past.status, past.body.code]).toEqual([400, 'invalid_input'])
    expect((await list()).total).toBe(0)
  })

  it('is removed by the command that unblocks an address', async () => {
    await blockUploader((await upload('203.0.113.7')).id)
    expect(await unblockContaining(app.deps, '203.0.113.8')).toEqual([])
    expect(await unblockContaining(app.deps, '203.0.113.7')).toHaveLength(1)
    expect((await codesFrom('203.0.113.7')).login).toBe(undefined)
  })

  it.each(['2001:db8:0:0:9::1', '2001:db8:0:0::/64', '2001:db8::/64'])(
    'is found and removed as %s',
    async (written) => {
      const { network } = (await blockUploader((await upload('2001:db8::3')).id)).body
      expect(await list({ q: written })).toMatchObject({ networks: [network] })
      expect((await unblock([written])).body.removed).toBe(1)
      expect(await codesFrom('2001:db8::3')).toEqual(all(undefined))
    },
  )

  it('is not removed with a larger network', async () => {
    const { network } = (await blockUploader((await upload('2001:db8::3')).id)).body
    expect((await unblock(['2001:db8::/48'])).body.removed).toBe(0)
    expect((await unblock([network])).body.removed).toBe(1)
  })

  it('is in the list of images as a hash that finds the others from there', async () => {
    const [one, other] = [await upload('203.0.113.40'), await upload('203.0.113.40')]
    await upload('203.0.113.41')
    const found = await app.call('GET', `/api/admin/images?q=${one.id}`, admin)
    const hash = found.body[0].address_hash
    expect(hash).toMatch(/^[\da-f]{64}$/)
    const all = await app.call('GET', `/api/admin/images?q=${hash}`, admin)
    expect(all.body.map(({ id }: { id: string }) => id).toSorted()).toEqual([one.id, other.id].toSorted())
    const short = await app.call('GET', `/api/admin/images?q=address:${hash.slice(0, 12)}`, admin)
    expect(short.body).toEqual(all.body)
    const none = await app.call('GET', '/api/admin/images?q=address:0123456789', admin)
    expect(none.body).toEqual([])
  })

  it('is in the list of images as the own network where it would be refused', async () => {
    const { id } = await upload('203.0.113.42')
    const isOwn = async (address: string) =>
      (await app.call('GET', `/api/admin/images?q=${id}`, { ...admin, headers: from(address) })).body[0]
        .from_own_network
    expect(await isOwn('203.0.113.42')).toBe(true)
    expect(await isOwn('203.0.113.43')).toBe(false)
  })
})

describe('blockNetworks', () => {
  it('writes each network in one spelling and replaces the note and end of one that is blocked', async () => {
    const networks = ['203.0.113.7/24', '203.0.113.200/24', '2001:DB8:0::/48', '192.0.2.1/32']
    const { status, body } = await block(networks, { note: ' Floods ' })
    const written = ['203.0.113.0/24', '2001:db8::/48', '192.0.2.1']
    expect([status, body]).toEqual([201, { success: true, networks: written }])
    const { blocks, total } = await list()
    expect(total).toBe(3)
    for (const one of blocks) expect(one).toMatchObject({ note: 'Floods', expires_at: null, created_by: adminEmail })

    app.moveClock(1)
    await block(['203.0.113.9/24'], { note: 'Again', expires_at: '2999-01-01T00:00:00.000Z' })
    const [first, ...others] = (await list()).blocks
    expect(first).toMatchObject({ network: '203.0.113.0/24', note: 'Again', expires_at: '2999-01-01T00:00:00.000Z' })
    expect(others).toHaveLength(2)
  })

  it.each([
    ['203.0.113.7', ['192.0.2.1', '203.0.113.0/24'], '203.0.113.0/24'],
    ['203.0.113.7', ['0.0.0.0/0'], '0.0.0.0/0'],
    ['::ffff:203.0.113.7', ['203.0.113.7'], '203.0.113.7'],
    ['2001:db8::1', ['2001:db8::/64'], '2001:db8::/64'],
  ])('refuses an admin at %s who blocks %j, and blocks none of it', async (address, networks, own) => {
    const refused = await block(networks, {}, from(address))
    expect([refused.status, refused.body.code, refused.body.error]).toEqual([
      409,
      'own_network',
      `The network ${own} contains your own address`,
    ])
    expect((await list()).total).toBe(0)
  })

  it('accepts a network beside the address of the admin', async () => {
    expect((await block(['2001:db8::2', '203.0.113.8'], {}, from('2001:db8::1'))).status).toBe(201)
  })

  it.each([
    [{ networks: ['192.0.2.1', '192.0.2.1/33'] }, 'networks: 192.0.2.1/33 is not an address or a network'],
    [{ networks: ['example.com'] }, 'networks: example.com is not an address or a network'],
    [{ networks: [] }, 'networks'],
    [{ networks: Array.from({ length: moderationLimits.maxBlocks + 1 }, (_, n) => `10.0.${n}.0/24`) }, 'networks'],
    [{ networks: ['x'.repeat(moderationLimits.maxNetworkLength + 1)] }, 'networks.0'],
    [{ networks: ['192.0.2.1'], note: 'x'.repeat(moderationLimits.maxReasonLength + 1) }, 'note'],
    [{ networks: ['192.0.2.1'], expires_at: '2020-01-01T00:00:00.000Z' }, 'expires_at: must lie in the future'],
    [{ networks: ['192.0.2.1'], expires_at: 'tomorrow' }, 'expires_at'],
    [{ networks: ['192.0.2.1'], more: 1 }, 'more'],
  ])('refuses %j', async (body, problem) => {
    const answer = await app.call('POST', '/api/admin/blocked-networks', { ...admin, body })
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_input'])
    expect(answer.body.error.startsWith(problem), answer.body.error).toBe(true)
    expect((await list()).total).toBe(0)
  })

  it('accepts as many networks as a request may have, and refuses more than the list may have', async () => {
    const networks = (count: number, second: number) =>
      Array.from({ length: count }, (_, n) => `10.${second}.${Math.floor(n / 256)}.${n % 256}`)
    expect((await block(networks(moderationLimits.maxBlocks, 0))).status).toBe(201)
    const row = (network: string) => ({ network, note: '', expires_at: null, created_at: 1, created_by: 'x' })
    const others = moderationLimits.maxBlockedNetworks - moderationLimits.maxBlocks
    for (let at = 0; at < others; at += 5000) {
      const batch = networks(Math.min(5000, others - at), 1 + at / 5000).map(row)
      await app.deps.db.insertInto('blocked_networks').values(batch).execute()
    }
    const refused = await block(['192.0.2.1'])
    expect([refused.status, refused.body.code]).toEqual([409, 'block_list_full'])
    expect((await block(['10.1.0.1'], { note: 'blocked already' })).status).toBe(201)
    expect((await unblock(['10.0.0.0', '10.0.0.1'])).body.removed).toBe(2)
    expect((await block(['192.0.2.1'])).status).toBe(201)
    expect((await codesFrom('10.20.0.1')).login).toBe('address_blocked')
  })
})

describe('listBlockedNetworks', () => {
  it('lists the newest first, in pages', async () => {
    for (const network of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      await block([network])
      app.moveClock(1)
    }
    const first = await list({ limit: '2' })
    expect(first).toMatchObject({ networks: ['192.0.2.3', '192.0.2.2'], total: 3 })
    const next = new URL(/<([^>]+)>/.exec(first.link ?? '')?.[1] ?? '')
    expect(await list(Object.fromEntries(next.searchParams))).toMatchObject({ networks: ['192.0.2.1'], link: null })
  })

  it.each([
    ['198.51.100.7', ['198.51.100.0/24', '198.0.0.0/8']],
    ['198.51.100.0/25', ['198.51.100.0/24', '198.0.0.0/8']],
    ['::ffff:198.51.100.7', ['198.51.100.0/24', '198.0.0.0/8']],
    ['2001:db8::5', ['2001:db8::/32']],
    ['198.51', ['198.51.100.0/24', '198.51.101.1']],
    [' FLOODS_ ', ['198.51.101.1']],
    ['%', []],
    ['203.0.113.1', []],
  ])('finds %j', async (q, expected) => {
    await block(['198.51.100.0/24', '198.0.0.0/8', '2001:db8::/32'], { note: 'Floods of spam' })
    await block(['198.51.101.1'], { note: 'Many floods_' })
    const { networks, total } = await list({ q })
    expect(networks.toSorted()).toEqual(expected.toSorted())
    expect(total).toBe(expected.length)
  })

  it.each(['cursor=x', 'limit=0', 'sort=name', `q=${'x'.repeat(301)}`])('refuses %s', async (query) => {
    const { status, body } = await app.call('GET', `/api/admin/blocked-networks?${query}`, admin)
    expect([status, body.code]).toEqual([400, 'invalid_input'])
  })
})

it('unblockNetworks skips networks that are not blocked', async () => {
  await block(['203.0.113.0/24'])
  expect((await unblock(['203.0.113.9/24', '192.0.2.1', 'nonsense'])).body).toEqual({ success: true, removed: 1 })
})
