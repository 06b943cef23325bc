// One table of all doors, the ways to store an image by HTTP, and of all rules of uploads: each rule holds at each door.
// A route that is neither a door nor known to store nothing fails the last tests, and so does a new caller of the
// functions that store images.
import { createHash } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api } from '../../../contract/endpoints/api.ts'
import { compatApi } from '../../../contract/compat/api.ts'
import { compatAliasRoutes, type CompatName, compatRoutes } from '../../../contract/compat/routes.ts'
import type { Endpoint } from '../../../contract/endpoints/endpoint.ts'
import { failures } from '../../../contract/plain/failures.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { type RouteName, routes } from '../../../contract/plain/routes.ts'
import type { Config } from '../../config.ts'
import { ownedDeleteToken } from '../../domain/images/deletion/delete-links.ts'
import type { ImageRow } from '../../domain/images/image-row.ts'
import { hashSecret } from '../../domain/shared/secrets.ts'
import { openRemoteClient } from '../../remote/remote-client.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import type { Build } from '../../testing/client-requests.ts'
import { sendBytes } from '../../testing/resumable.ts'
import { rowsInTurn } from '../../testing/short-run.ts'
import { animation, jpeg, png, shapes, webp } from '../../testing/test-images.ts'
import { type Door, doorsOf, doorsOfSeveral } from '../../testing/upload-doors.ts'

/** Has the images of the doors by URL. The client takes its address for a public one. */
const siteAddress = '127.8.8.8'
const published: Uint8Array[] = []
const site = createServer((request, response) =>
  response.end(published[Number((request.url ?? '').replace(/\D/g, ''))] ?? ''),
)
const publish = (bytes: Uint8Array) =>
  `http://${siteAddress}:${(site.address() as AddressInfo | null)?.port}/${published.push(bytes) - 1}`
const remote = openRemoteClient({
  resolve: async (host) => [{ address: host, family: 4 }],
  isAllowed: (address) => address === siteAddress,
})

const doors = doorsOf(publish)
const several = doorsOfSeveral(publish)
const [firstDoor] = doors as [Door, ...Door[]]
const guestDoors = doors.filter(({ keysOnly }) => !keysOnly)
/** These clients put the key into the URL. */
const keyInUrl = doors.filter(({ build }) => build('ik_x', new Uint8Array()).path.includes('ik_x'))

let turn = 0
/**
 * Of doors where an image is stored, which costs far more than a refusal: a short run tries an eighth, others each time. So
 * each rule meets doors of every kind, and each door some of the rules.
 */
const inTurn = <D>(all: D[]): D[] => (all.length > 10 ? rowsInTurn(all, ++turn, 8) : all)

let app: TestApp
let email: string
let userId: string
let token: string
let image: Buffer
let small: Buffer
/** May only upload. */
let key: string
const routed: { method: string; url: string }[] = []

beforeAll(async () => {
  /** Fastify publishes each new server on this channel before its routes are added. */
  const starts = channel('fastify.initialization')
  const listen = (message: unknown) =>
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) routed.push({ method: one, url: url.replace(/:(\w+)/g, '{$1}') })
    })
  starts.subscribe(listen)
  app = await startTestApp({ UPLOAD_BY_URL: 'on', TRUST_PROXY: '1' }, undefined, {
    wrap: async (deps) => ({ ...deps, remote }),
  })
  starts.unsubscribe(listen)
  await once(site.listen(0, siteAddress), 'listening')
  ;({ token, id: userId, email } = await app.newUser())
  image = await png()
  small = await png(16, 16)
  key = await newKey()
})
afterAll(async () => {
  site.closeAllConnections()
  site.close()
  await app.stop()
})

/** With a new login, since the clock moves. */
async function newKey(body: object = {}, of = email): Promise<string> {
  const login = await app.call('POST', '/api/login', { body: { email: of, password: 'secret-1' } })
  const created = await app.call('POST', '/api/api-keys', {
    token: login.body.token,
    body: { name: 'client', scopes: ['upload'], ...body },
  })
  return created.body.key as string
}

interface Answer {
  status: number
  text: string
  headers: Headers
}

async function sendBuilt(request: ReturnType<Build>, more: Record<string, string> = {}): Promise<Answer> {
  const { path, headers, body, rest } = request
  const sent = { ...headers, ...more }
  let response = await app.request(path.replace('/k//', '/'), {
    method: 'POST',
    headers: sent,
    body: new Uint8Array(body),
  })
  const location = response.headers.get('location')
  if (rest && location !== null) {
    const { authorization } = sent
    const credential: Record<string, string> = authorization === undefined ? {} : { authorization }
    response = await sendBytes(app, location, rest, { headers: { ...credential, ...more } })
  }
  // Its bytes stay for a later attempt, and would count in the next rule.
  if (location !== null && response.status >= 400) await app.deps.uploadRecords.remove(location.split('/').at(-1) ?? '')
  const text = await response.text()
  return {
    status: path === '/mcp' ? statusOfTool(response.status, text) : response.status,
    text,
    headers: response.headers,
  }
}

/** @param sentKey '' for a guest @param more headers */
function send({ build }: Door, sentKey: string, bytes: Uint8Array = image, more: Record<string, string> = {}) {
  const request = build(sentKey, bytes)
  if (sentKey === '') delete request.headers['authorization']
  return sendBuilt(request, more)
}

/** A session is accepted as Bearer only. */
const sendWithSession = (door: Door, session: string) => send(door, '', small, { authorization: `Bearer ${session}` })

/** A refusal of a tool is a result with the text of the failure. A key without the scope has no such tool. */
function statusOfTool(status: number, text: string): number {
  const { result, error } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as {
    result?: { isError?: boolean; content: { text: string }[] }
    error?: unknown
  }
  if (status !== 200 || (!error && !result?.isError)) return status
  const said = result?.content[0]?.text ?? ''
  if (/Tool .* not found/.test(error ? JSON.stringify(error) : said)) return 403
  const [, failure] =
    Object.entries(failures).find(([code, one]) => code !== 'invalid_input' && patternOf(one.text).test(said)) ?? []
  return failure?.status ?? failures.invalid_input.status
}
const patternOf = (text: string) =>
  new RegExp(`^${text.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.*')}$`)

const isStored = ({ status }: Answer) => status === 200 || status === 201
const rows = (): Promise<ImageRow[]> => app.deps.db.selectFrom('images').selectAll().execute()
/** The rows of the images that `act` stores. */
async function stores(act: () => Promise<unknown>): Promise<ImageRow[]> {
  const before = new Set((await rows()).map(({ id }) => id))
  await act()
  return (await rows()).filter(({ id }) => !before.has(id))
}

/** Sends a request to every door and expects the same refusal, with nothing stored. */
async function expectRefusals<D extends { name: string }>(
  status: number,
  request: (door: D) => Promise<Answer>,
  all: D[] = doors as unknown as D[],
) {
  const [before, uploadsBefore] = [await rows(), await app.files('resumable')]
  for (const door of all) {
    const answer = await request(door)
    expect([door.name, answer.status, answer.text]).toEqual([door.name, status, answer.text])
  }
  expect(await rows()).toEqual(before)
  // The folder of an upload is removed after its response.
  await expect.poll(() => app.files('tmp')).toEqual([])
  expect(await app.files('resumable')).toEqual(uploadsBefore)
  expect(app.deps.uploadsInFlight.total()).toEqual({ images: 0, bytes: 0 })
}

async function expectStored<D extends { name: string }>(request: (door: D) => Promise<Answer>, all: D[]) {
  for (const door of inTurn(all)) {
    const answer = await request(door)
    expect([door.name, isStored(answer), answer.text]).toEqual([door.name, true, answer.text])
  }
}

async function withConfig(settings: Partial<Config>, test: () => Promise<void>) {
  const before = { ...app.deps.config }
  Object.assign(app.deps.config, settings)
  try {
    await test()
  } finally {
    Object.assign(app.deps.config, before)
  }
}

/** The limits of the account. */
async function withQuota(quota: { quota_bytes?: number; quota_images?: number }, test: () => Promise<void>) {
  const set = (to: { quota_bytes?: number | null; quota_images?: number | null }) =>
    app.deps.db.updateTable('users').set(to).where('id', '=', userId).execute()
  await set(quota)
  try {
    await test()
  } finally {
    await set({ quota_bytes: null, quota_images: null })
  }
}

const nextHour = () => app.moveClock(limits.uploadWindowMs + 1000)

describe('credentials: at every door', () => {
  it('a wrong key is refused, not taken as a guest', () =>
    expectRefusals(401, (door: Door) => send(door, `ik_${'x'.repeat(49)}`)))

  it('a key without the scope upload is refused', async () => {
    const reading = await newKey({ scopes: ['read'] })
    await expectRefusals(403, (door: Door) => send(door, reading))
  })

  it('a key with the scope manage uploads, unless it is in a URL', async () => {
    const managing = await newKey({ scopes: ['manage'] })
    await expectStored(
      (door) => send(door, managing, small),
      doors.filter((door) => !keyInUrl.includes(door)),
    )
    await expectRefusals(403, (door) => send(door, managing), keyInUrl)
  })

  it('an expired key is refused', async () => {
    const short = await newKey({ expiresAt: new Date(app.deps.now() + 120_000).toISOString() })
    await app.deps.db.updateTable('api_keys').set({ expires_at: 1 }).where('expires_at', 'is not', null).execute()
    await expectRefusals(401, (door: Door) => send(door, short))
  })

  it('a suspended account is refused, with a key and with a session', async () => {
    const other = await app.newUser()
    const theirs = await newKey({}, other.email)
    await app.deps.db.updateTable('users').set({ status: 'Inactive' }).where('id', '=', other.id).execute()
    await expectRefusals(403, (door: Door) => send(door, theirs))
    await expectRefusals(403, (door) => sendWithSession(door, other.token), guestDoors)
  })

  it('a session uploads that was confirmed long ago: no upload asks for the password again', async () => {
    await app.deps.db.updateTable('sessions').set({ confirmed_at: 1 }).where('user_id', '=', userId).execute()
    await expectStored((door) => sendWithSession(door, token), guestDoors)
    await expectRefusals(
      401,
      (door) => sendWithSession(door, token),
      doors.filter(({ keysOnly }) => keysOnly),
    )
  })

  it('a session without the second factor that the server requires is refused', () =>
    withConfig({ REQUIRE_2FA: 'all' }, () => expectRefusals(403, (door) => sendWithSession(door, token), guestDoors)))
})

describe('blocks: at every door', () => {
  it('a blocked network is refused, with a key and without', async () => {
    const block = { network: '198.51.100.0/24', note: '', expires_at: null, created_at: 1, created_by: userId }
    await app.deps.db.insertInto('blocked_networks').values(block).execute()
    const from = { 'x-forwarded-for': '198.51.100.7' }
    await expectRefusals(403, (door: Door) => send(door, key, image, from))
    await expectRefusals(403, (door) => send(door, '', image, from), guestDoors)
  })

  it('a blocked image is refused', async () => {
    const bad = await shapes(7).png().toBuffer()
    const sha256 = createHash('sha256').update(bad).digest('hex')
    await app.deps.db
      .insertInto('blocked_images')
      .values({ sha256, phash: null, quality: null, reason: '', created_at: 1, created_by: null, version: 1 })
      .execute()
    await expectRefusals(403, (door: Door) => send(door, key, bad))
  })

  it('a page of another site may not upload as its visitor', async () => {
    const origin = 'https://evil.example'
    await expectRefusals(403, (door: Door) => send(door, door.keysOnly ? key : '', image, { origin }))
  })

  it('guests may be disabled, or have to prove work', async () => {
    await withConfig({ GUEST_UPLOADS: false }, () => expectRefusals(403, (door) => send(door, ''), guestDoors))
    await withConfig({ PROOF_OF_WORK: 0 }, () => expectRefusals(428, (door) => send(door, ''), guestDoors))
  })
})

describe('quotas: at every door', () => {
  it('those of the account and the key hold', async () => {
    const narrow = await newKey({ maxBytes: 1000 })
    await expectRefusals(413, (door: Door) => send(door, narrow))
    await withQuota({ quota_bytes: 1000 }, () => expectRefusals(413, (door: Door) => send(door, key)))
    await send(firstDoor, key, small)
    await withQuota({ quota_images: 1 }, () => expectRefusals(413, (door: Door) => send(door, key)))
  })

  it('those of all guests and of the server hold', async () => {
    await withConfig({ GUEST_QUOTA_BYTES: 1000 }, () => expectRefusals(507, (door) => send(door, ''), guestDoors))
    await withConfig({ MAX_STORAGE_BYTES: 1000 }, () => expectRefusals(507, (door: Door) => send(door, key)))
  })

  it('the largest file is that of the uploader', () =>
    withConfig({ GUEST_MAX_BYTES: 2000 }, async () => {
      expect(image.length).toBeGreaterThan(2000)
      await expectRefusals(413, (door) => send(door, ''), guestDoors)
      await expectStored((door) => send(door, key), doors)
    }))

  it('guests may upload fewer formats', async () => {
    const moving = await animation('gif')
    await expectRefusals(415, (door) => send(door, '', moving), guestDoors)
  })

  it('bytes that are no image are refused', async () => {
    for (const bytes of [Buffer.from('<html></html>'), Buffer.from([0, 1, 2, 3]), image.subarray(0, 100)])
      await expectRefusals(bytes.length === 100 ? 422 : 415, (door: Door) => send(door, key, bytes))
  })
})

describe('the limits of an hour', () => {
  const hourly = { GUEST_UPLOADS_PER_HOUR: 0, USER_UPLOADS_PER_HOUR: 0 }
  const subjects: [
    whose: string,
    settings: (limit: number) => Partial<Config>,
    credential: (limit: number) => Promise<string>,
  ][] = [
    ['an address', (limit) => ({ ...hourly, GUEST_UPLOADS_PER_HOUR: limit }), async () => ''],
    ['an account', (limit) => ({ ...hourly, USER_UPLOADS_PER_HOUR: limit }), async () => key],
    ['a key', () => hourly, (limit) => newKey({ uploadsPerHour: limit })],
  ]

  it.each(subjects)(
    'of %s count each file at every door, whichever doors are used',
    async (whose, settings, credential) => {
      const used = await credential(2)
      await withConfig(settings(2), async () => {
        for (const door of whose === 'an address' ? guestDoors : doors) {
          nextHour()
          for (let stored = 0; stored < 2; stored += door.files)
            await expectStored(() => send(door, used, small), [door])
          await expectRefusals(429, (one) => send(one, used, small), [door, firstDoor])
        }
      })
    },
  )

  it.each(rowsInTurn(subjects, 0))(
    'of %s count each of several files, all or none',
    async (_, settings, credential) => {
      const used = await credential(3)
      await withConfig(settings(3), async () => {
        for (const { name, build } of several) {
          nextHour()
          const answers = []
          for (const count of [4, 2, 2, 1, 1]) {
            const { status } = await sendBuilt(build(used, Array(count).fill(small) as Buffer[]))
            answers.push(status < 300 ? 'stored' : status)
          }
          // No hour has room for four files. One is left to the third request, which has two: none of them counts.
          expect([name, answers]).toEqual([name, [400, 'stored', 429, 'stored', 429]])
        }
      })
    },
  )

  it('do not count what a full disk refuses', () =>
    withConfig({ ...hourly, USER_UPLOADS_PER_HOUR: 2 }, async () => {
      for (const door of inTurn(doors)) {
        nextHour()
        const makeRoom = app.deps.uploadsInFlight.add('a crowd', 1024 ** 5)
        const statuses = []
        for (let n = 0; n < 2; n++) statuses.push((await send(door, key, small)).status)
        makeRoom()
        expect([door.name, statuses]).toEqual([door.name, [507, 507]])
        for (let stored = 0; stored < 2; stored += door.files) await expectStored(() => send(door, key, small), [door])
      }
    }))

  it('of requests hold', () =>
    withConfig({ RATE_LIMIT: 1 }, async () => {
      for (const [credential, all] of [
        ['', guestDoors],
        [key, doors],
      ] as const) {
        app.moveClock(limits.rateWindowMs + 1000)
        for (let n = 0; n < limits.rate.uploadFactor; n++) await send(firstDoor, credential, small)
        await expectRefusals(429, (door) => send(door, credential), [...all])
      }
    }))

  it('do not count an upload as an ordinary request', () =>
    withConfig({ RATE_LIMIT: 100 }, async () => {
      const read = async () => Number((await app.call('GET', '/api/me', { token })).headers.get('ratelimit-remaining'))
      app.moveClock(limits.rateWindowMs + 1000)
      const before = await read()
      await expectStored((door) => send(door, key, small), doors)
      expect(await read()).toBe(before - 1)
    }))
})

describe('several images in one upload', () => {
  /** What a door of several does with two images: nothing is decoded when they are refused together. */
  async function expectRefusedTogether(status: number, used: string) {
    const { ingest } = app.deps.imaging
    let ingested = 0
    app.deps.imaging.ingest = (...given) => {
      ingested++
      return ingest(...given)
    }
    try {
      await expectRefusals(status, ({ build }) => sendBuilt(build(used, [image, image])), several)
      expect(ingested).toBe(0)
    } finally {
      app.deps.imaging.ingest = ingest
    }
  }

  it('are refused together when only one fits into a quota', async () => {
    const { length: count } = (await rows()).filter(({ owner_id: owner }) => owner === userId)
    await withQuota({ quota_images: count + 1 }, () => expectRefusedTogether(413, key))
    const { image_bytes: bytes } = await app.deps.db
      .selectFrom('users')
      .select('image_bytes')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    await withQuota({ quota_bytes: bytes + 1.5 * image.length }, () => expectRefusedTogether(413, key))
    await expectRefusedTogether(413, await newKey({ maxBytes: Math.round(1.5 * image.length) }))
  })

  it('are all stored or none', () =>
    expectRefusals(415, ({ build }) => sendBuilt(build(key, [small, Buffer.from('no image')])), several))
})

describe('deletion links', () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M2 2h5v5"/></svg>')
  /** Every format of an account. */
  const formats: [format: string, make: () => Promise<Buffer>][] = [
    ['PNG', () => png(20, 20)],
    ['JPEG', () => jpeg(20, 20)],
    ['WebP', () => webp(20, 20)],
    ['GIF', () => animation('gif', 2, 16)],
    ['SVG', async () => svg],
  ]

  it.each(rowsInTurn(formats, 0, formats.length))(
    'of an image that existed are not for a key that may only upload the same %s, nor does it expire later',
    async (format, make) => {
      const session = (await app.call('POST', '/api/login', { body: { email, password: 'secret-1' } })).body.token
      const idempotency = { 'idempotency-key': `holiday.${format}` }
      const fields = { expires_in: '2d' }
      const { body } = await app.upload(await make(), { token: session, fields, headers: idempotency })
      const before = (await rows()).find(({ id }) => id === body.id)
      expect(before?.format).toBe(format.toLowerCase())
      const served = new Uint8Array(await (await fetch(body.url)).arrayBuffer())
      for (const door of inTurn(doors)) {
        const answer = await send(door, key, served, idempotency)
        expect([door.name, isStored(answer), answer.text]).toEqual([door.name, true, answer.text])
        expect(answer.text, door.name).not.toContain(body.id)
        expect(answer.text, door.name).not.toContain(ownedDeleteToken(app.deps, before!))
      }
      expect((await rows()).find(({ id }) => id === body.id)).toEqual(before)
    },
  )

  it('of each new image are in the response to its account, where the protocol has them', async () => {
    for (const door of [...inTurn(guestDoors), ...several]) {
      let answer: Answer | undefined
      const stored = await stores(async () => {
        answer = 'files' in door ? await send(door, key, small) : await sendBuilt(door.build(key, [small, small]))
      })
      expect(stored.length, door.name).toBeGreaterThan(0)
      for (const row of stored) expect(answer?.text, door.name).toContain(ownedDeleteToken(app.deps, row))
    }
  })

  it('of each new image of a guest are in the response', async () => {
    for (const door of [...inTurn(guestDoors), ...several]) {
      let answer: Answer | undefined
      const stored = await stores(async () => {
        answer = 'files' in door ? await send(door, '', small) : await sendBuilt(door.build('', [small, small]))
      })
      const hashes = (answer?.text.match(/(?<![\w-])[\w-]{43}(?![\w-])/g) ?? []).map(hashSecret)
      expect(stored.length, door.name).toBeGreaterThan(0)
      for (const row of stored) expect(hashes, door.name).toContain(row.guest_token_hash)
    }
  })
})

describe('a key in a URL', () => {
  it('may have no scope but upload', async () => {
    for (const scopes of [['upload', 'read'], ['manage']]) {
      const strong = await newKey({ scopes })
      await expectRefusals(403, (door) => send(door, strong), keyInUrl)
      expect((await send(keyInUrl[0]!, strong)).text).toContain(
        'A URL may contain only an API key whose only scope is upload',
      )
    }
  })

  it('is no session token', () => expectRefusals(401, (door) => send(door, token), keyInUrl))

  it('is not read by endpoints that are no uploads', async () => {
    const reading = await newKey({ scopes: ['read'] })
    expect((await app.call('GET', `/k/${reading}/api/images`)).status).toBe(401)
    expect((await app.call('GET', `/api/images?key=${reading}`)).status).toBe(401)
    expect((await app.call('GET', `/api/v1/images?key=${reading}`)).status).toBe(401)
  })
})

describe('credentials', () => {
  beforeEach(() => void app.logged.splice(0))

  it('appear in no log line, header, failure or metric', async () => {
    const wrong = `ik_${'w'.repeat(49)}`
    const image1 = await app.guestImage(image)
    const texts: string[] = []
    for (const used of [key, wrong, token]) {
      for (const door of used === wrong ? doors : inTurn(doors)) {
        const { text, headers } = await send(door, used, small)
        texts.push(text, JSON.stringify([...headers]))
      }
      for (const path of [
        `/k/${used}/no/such/path`,
        `/k/${used}`,
        `/no/such?key=${used}`,
        `/%6B/${used}/upload`,
        `/k/${used}/%zz`,
      ])
        texts.push(await (await app.request(path)).text())
    }
    await app.request(`/3/image/${image1.id}.${image1.delete_token}`)
    await app.request(`/3/image/${image1.id}.x${image1.delete_token}`)
    await app.request(`/delete/${image1.id}.${image1.delete_token}`)
    await app.request(`/3/nothing/${image1.id}.${image1.delete_token}`)
    const metrics = await (await app.request('/metrics')).text()
    const written = [...texts, metrics, JSON.stringify(app.logged)].join('\n')
    for (const secret of [key, wrong, token]) expect(written).not.toContain(secret)
    expect(JSON.stringify(app.logged)).not.toContain(image1.delete_token)
  })

  it('appear in no warning when the response is text or a redirect', async () => {
    for (const path of ['/api/1/upload?format=txt', '/api/1/upload?format=redirect', '/api/upload?format=txt']) {
      for (const headers of [{}, { 'x-zipline-no-json': 'true' }] as Record<string, string>[]) {
        const body = new FormData()
        body.append(path.startsWith('/api/1/') ? 'source' : 'file', new Blob([new Uint8Array(image)]), 'a.png')
        const response = await app.request(`${path}&key=${key}`, { method: 'POST', body, headers, redirect: 'manual' })
        expect([path, response.ok || response.status === 303]).toEqual([path, true])
      }
    }
    expect(app.logged.filter(({ level }) => Number(level) >= 40)).toEqual([])
    expect(JSON.stringify(app.logged)).not.toContain(key)
  })

  it('are not handed to other sites', async () => {
    const { headers } = await send(keyInUrl[0]!, key)
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })
})

describe('the table has every door', () => {
  const routeOf = ({ build }: Pick<Door, 'build'>) =>
    `POST ${build('ik_x', new Uint8Array())
      .path.replace(/^\/k\/ik_x/, '')
      .replace(/\?.*/, '')}`
  /** The second request of a resumable upload. */
  const doorRoutes = new Set([...doors.map(routeOf), 'PATCH /api/uploads/{id}'])
  const contract = new Map<string, Endpoint>([
    ...(Object.keys(routes) as RouteName[]).map((name): [string, Endpoint] => [routes[name], api[name]]),
    ...(Object.keys(compatRoutes) as CompatName[]).flatMap((name) =>
      [compatRoutes[name], ...compatAliasRoutes(name)].map((route): [string, Endpoint] => [route, compatApi[name]]),
    ),
  ])
  /** Part of an upload, outside of the contract, or of albums. The service worker takes what is shared for the page. */
  const storingNothing = [
    'POST /share-target',
    'POST /d/{id}/{token}',
    'POST /unsubscribe/{id}/{token}',
    'DELETE /mcp',
    'DELETE /api/uploads/{id}',
    'POST /api/albums',
    'POST /api/albums/{id}/images',
    'POST /l/{slug}',
    'POST /l/{slug}/{albumId}',
    'POST /3/album',
    'POST /3/album/{hash}/add',
    'POST /api/user/folders',
    'PUT /api/user/folders/{id}',
  ]
  const isSafe = (method: string) => ['GET', 'HEAD', 'OPTIONS'].includes(method)
  const mayStore = ({ upload, resumable, keyScope }: Endpoint) =>
    upload !== undefined || resumable !== undefined || keyScope === 'upload'

  it('of the router', () => {
    const unknown = routed
      .filter(({ method }) => !isSafe(method))
      .map(({ method, url }) => `${method} ${url.replace(/^\/users/, '/api/users')}`)
      .filter((route) => !doorRoutes.has(route) && !storingNothing.includes(route))
      .filter((route) => {
        const endpoint = contract.get(route)
        return endpoint === undefined || mayStore(endpoint)
      })
    expect(unknown).toEqual([])
    const known = new Set(routed.map(({ method, url }) => `${method} ${url}`))
    expect([...doorRoutes, ...storingNothing].filter((route) => !known.has(route))).toEqual([])
  })

  it('whose code stores an image', async () => {
    const folder = new URL('../../', import.meta.url)
    const callers: Record<string, string[]> = {}
    for (const path of await readdir(folder, { recursive: true })) {
      if (!path.endsWith('.ts') || path.endsWith('.test.ts') || !/^(domain|http|importers)\//.test(path)) continue
      const source = await readFile(new URL(path, folder), 'utf8')
      const imports = [...source.matchAll(/^import \{([^}]*)\}/gm)].flatMap(([, names = '']) => names.split(','))
      const storing = imports
        .map((name) => name.trim().split(' ')[0] ?? '')
        .filter((name) => ['uploadImage', 'uploadImages', 'finishUpload', 'importImage', 'storeRow'].includes(name))
      if (storing.length > 0) callers[path] = storing
    }
    expect(callers).toEqual({
      'importers/import-image.ts': ['uploadImage'],
      'importers/run-import.ts': ['importImage'],
      'domain/uploads/resumable-uploads.ts': ['uploadImage'],
      'domain/uploads/upload-several.ts': ['uploadImage'],
      'domain/uploads/upload-one.ts': ['storeRow'],
      'http/protocols/bind-compat.ts': ['uploadImages'],
      'http/protocols/mcp-upload.ts': ['uploadImage'],
      'http/routes.ts': ['uploadImage'],
      'http/uploads/tus/bind-resumable-uploads.ts': ['finishUpload'],
    })
  })

  it('and the others store nothing, whatever is sent to them', async () => {
    const { headers, body } = firstDoor.build(key, small)
    const stored = await stores(async () => {
      for (const route of storingNothing) {
        const [method = '', path = ''] = route.split(' ')
        await app.request(path, { method, headers, body: new Uint8Array(body), redirect: 'manual' })
      }
    })
    expect(stored).toEqual([])
  })
})
