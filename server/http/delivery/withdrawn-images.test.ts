// An image that must not be served any more is not, from the response to the change on: under every
// address, on every server, and behind an nginx cache that is purged.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { withKey } from '../../../contract/derive/client.ts'
import { api } from '../../../contract/endpoints/api.ts'
import { identifiesCaller } from '../../../contract/endpoints/endpoint.ts'
import type { UploadedImage } from '../../../contract/endpoints/images.ts'
import { type RouteName, routes } from '../../../contract/plain/routes.ts'
import { promote } from '../../domain/accounts/operator-accounts.ts'
import { linkViewKeyOf } from '../../domain/images/sharing/view-keys.ts'
import { openLink } from '../../domain/links/open-link.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { hasNginx, type NginxCache, startNginxCache } from '../../testing/nginx.ts'
import { startSharedStores } from '../../testing/shared-stores.ts'
import { shapes } from '../../testing/test-images.ts'

const postgresUrl = inject('postgresUrl')
const site = 'http://img.example.com'
const closers: (() => Promise<unknown>)[] = []
let one: TestApp
/** The only server again, where there is no database that two can share. */
let two: TestApp
let nginx: NginxCache | undefined
let admin: string
let seed = 0
/** Unlike all before: an image that looks like a blocked one is quarantined. */
const nextImage = () => shapes(++seed, 600, 400).jpeg().toBuffer()

beforeAll(async () => {
  if (hasNginx) nginx = await startNginxCache()
  const environment = { ...nginx?.environment, PUBLIC_URL: site }
  if (postgresUrl === undefined) {
    one = await startTestApp(environment)
    two = one
  } else {
    const stores = await startSharedStores(postgresUrl)
    const shared = { ...environment, ...stores.environment }
    one = await startTestApp(shared)
    two = await startTestApp(shared)
    closers.push(() => two.stop(), stores.stop)
  }
  closers.unshift(() => one.stop())
  await nginx?.forwardTo([one, two])
  const { email } = await one.newUser()
  await promote(one.deps, email)
  admin = (await one.call('POST', '/api/login', { body: { email, password: 'secret-1' } })).body.token
})
afterAll(async () => {
  await nginx?.stop()
  for (const close of closers) await close()
})

const parameters = { width: '300', height: '200', quality: '80', extension: 'jpg', name: 'photo' }

/** Of original and variants. A new endpoint that serves images is included. */
function filesOf({ id, file_name }: UploadedImage): string[] {
  const images = (Object.keys(api) as RouteName[]).filter(
    (name) => api[name].response === 'image' && !identifiesCaller(api[name]),
  )
  const values: Record<string, string> = { id, file_name, ...parameters }
  const paths = images.map((name) =>
    routes[name].replace(/^\w+ /, '').replace(/\{(\w+)\}/g, (_, parameter: string) => values[parameter] ?? parameter),
  )
  return [...paths, `/uploads/${file_name.replace(/\.\w+$/, '')}`]
}

/** What the standard says where the image itself is deleted, or not available. */
const oembedStatuses: Record<number, number> = { 200: 200, 410: 404, 451: 401 }

/** The status of every public address of an image. */
function expectedOf(image: UploadedImage, status: number): Record<string, number> {
  const others = [`/api/analyze/${image.id}`, `/i/${image.id}`]
  const expected = Object.fromEntries([...filesOf(image), ...others].map((path) => [path, status]))
  const page = encodeURIComponent(`${site}/i/${image.id}`)
  return {
    ...expected,
    [`/s/${slugOf(image)}`]: status === 200 ? 302 : status,
    [`/oembed?url=${page}`]: oembedStatuses[status] ?? status,
  }
}

const slugOf = ({ id }: UploadedImage) => `link-${id.replaceAll(/[^a-z\d]/gi, '0').toLowerCase()}`

async function statusesOf(image: UploadedImage, front: string): Promise<Record<string, number>> {
  const requests = Object.keys(expectedOf(image, 200)).map(async (path): Promise<[string, number]> => {
    const response = await fetch(front + path, { redirect: 'manual' })
    await response.arrayBuffer()
    return [path, response.status]
  })
  return Object.fromEntries(await Promise.all(requests))
}

const fronts = () => [one.url, two.url, ...(nginx ? [nginx.url] : [])]

async function expectAll(image: UploadedImage, status: number): Promise<void> {
  for (const front of fronts()) expect(await statusesOf(image, front), front).toEqual(expectedOf(image, status))
}

interface Target {
  image: UploadedImage
  owner: { id: string; token: string }
}

/** With a custom link. */
async function uploadAs(token: string): Promise<UploadedImage> {
  const { body } = await one.upload(await nextImage(), { token })
  const { status } = await one.call('PATCH', `/api/images/${body.id}`, { token, body: { slug: slugOf(body) } })
  expect(status).toBe(200)
  return body
}

/** An image that both servers and nginx have cached. */
async function cachedImage(): Promise<Target> {
  const owner = await one.newUser()
  const image = await uploadAs(owner.token)
  for (let n = 0; n < 2; n++) await expectAll(image, 200)
  if (nginx) {
    const { headers } = await fetch(`${nginx.url}/uploads/${image.file_name}`)
    expect(headers.get('x-cache')).toBe('HIT')
  }
  return { image, owner }
}

const asAdmin = (method: string, path: string, body?: object) => two.call(method, path, { token: admin, body })
const moderate =
  (action: string) =>
  async ({ image }: Target) =>
    asAdmin('POST', '/api/admin/images/moderate', { action, ids: [image.id], reason: 'a reason' })

const setVisibility =
  (visibility: string) =>
  ({ image, owner }: Target) =>
    two.call('PATCH', `/api/images/${image.id}`, { token: owner.token, body: { visibility } })

type Cause = [what: string, apply: (target: Target) => Promise<{ status: number }>, status: number]
describe('an image is not served under any address when', () => {
  it.each<Cause>([
    ['it was deleted', ({ image, owner }) => two.call('DELETE', `/api/images/${image.id}`, owner), 410],
    [
      'it was deleted with undo',
      ({ image, owner }) => two.call('DELETE', `/api/images/${image.id}?undo=1`, owner),
      410,
    ],
    [
      'it was moved to the trash',
      ({ image, owner }) => two.call('DELETE', `/api/images/${image.id}?trash=1`, owner),
      410,
    ],
    ['it was deleted by its delete link', deleteByLink, 410],
    ['it was removed by an admin', moderate('remove'), 410],
    ['it was blocked', moderate('block'), 410],
    ['it was quarantined', moderate('quarantine'), 451],
    ['it was made private', setVisibility('private'), 404],
    ['it was made private with others', setVisibilityOfSeveral, 404],
    ['its owner was suspended', ({ owner }) => asAdmin('PUT', `/api/users/${owner.id}`, { status: 'Inactive' }), 451],
    ['its owner was deleted', ({ owner }) => asAdmin('DELETE', `/api/users/${owner.id}`), 410],
    ['its views were limited and used up', useUpViews, 410],
  ])('%s', async (_, apply, status) => {
    const target = await cachedImage()
    expect((await apply(target)).status).toBeLessThan(300)
    await expectAll(target.image, status)
  })

  async function setVisibilityOfSeveral({ image, owner }: Target) {
    const body = { ids: [image.id], visibility: 'private' }
    return two.call('POST', '/api/images/visibility', { token: owner.token, body })
  }

  async function deleteByLink({ image }: Target) {
    return fetch(two.url + new URL(image.delete_url ?? '').pathname, { method: 'POST' })
  }

  async function useUpViews({ image, owner }: Target) {
    const limited = await two.call('PATCH', `/api/images/${image.id}`, { token: owner.token, body: { max_views: 2 } })
    for (const front of fronts().slice(-2)) expect((await fetch(front + new URL(image.url).pathname)).status).toBe(200)
    return limited
  }

  it('it is private and its view key was ended', async () => {
    const { image, owner } = await cachedImage()
    const { token } = owner
    await setVisibility('private')({ image, owner })
    const { key } = (await two.call('POST', `/api/images/${image.id}/view-keys`, { token, body: {} })).body
    const paths = filesOf(image).map((path) => `${path}?key=${key}`)
    const statuses = () =>
      Promise.all(fronts().flatMap((front) => paths.map(async (path) => (await fetch(front + path)).status)))
    for (let n = 0; n < 2; n++) expect(new Set(await statuses())).toEqual(new Set([200]))
    expect((await two.call('DELETE', `/api/images/${image.id}/view-keys`, { token })).status).toBe(200)
    expect(new Set(await statuses())).toEqual(new Set([404]))
  })

  it('it expired', async () => {
    const { image } = await uncachedImage()
    // The clock of nginx cannot be moved.
    const expiresAt = Date.now() + 4000
    await one.deps.db.updateTable('images').set({ expires_at: expiresAt }).where('id', '=', image.id).execute()
    await expectAll(image, 200)
    await expect.poll(() => Date.now(), { timeout: 10_000 }).toBeGreaterThan(expiresAt)
    await expectAll(image, 410)
  })

  /** Rendered on both servers, but unknown to nginx. */
  async function uncachedImage(): Promise<Target> {
    const owner = await one.newUser()
    const image = await uploadAs(owner.token)
    for (const front of [one.url, two.url]) await statusesOf(image, front)
    return { image, owner }
  }
})

it('of 10 views, 100 concurrent readers on all servers and behind nginx get exactly 10', async () => {
  const { body: image } = await one.upload(await nextImage(), { fields: { max_views: '10' } })
  const paths = filesOf(image)
  const statuses = await Promise.all(
    Array.from({ length: 100 }, async (_, n) => {
      const response = await fetch((fronts()[n % fronts().length] ?? '') + paths[n % paths.length])
      await response.arrayBuffer()
      return response.status
    }),
  )
  expect(statuses.filter((status) => status === 200).length).toBe(10)
  expect(statuses.filter((status) => status === 410).length).toBe(90)
})

it('a link that is revoked on one server is closed on every server, and in the cache', async () => {
  const { token } = await one.newUser()
  const { body: image } = await one.upload(await nextImage(), { token, fields: { visibility: 'private' } })
  const { body: made } = await one.call('POST', '/api/links', { token, body: { images: [image.id], max_size: 500 } })
  const link = await one.deps.db.selectFrom('links').selectAll().where('id', '=', made.id).executeTakeFirstOrThrow()
  const path = withKey(`/i/${image.id}.webp?w=320`, linkViewKeyOf(one.deps, image, link))
  const etags: string[] = []
  for (const front of [...fronts(), ...fronts()]) {
    const response = await fetch(front + path)
    expect([front, response.status, response.headers.get('cache-control')]).toEqual([front, 200, 'private, no-cache'])
    etags.push(response.headers.get('etag') ?? '')
  }
  const revoked = await one.call('PATCH', `/api/links/${link.id}`, { token, body: { revoked: true } })
  expect(revoked.body.state).toBe('revoked')
  for (const front of fronts())
    for (const etag of ['"none"', ...etags])
      expect([front, (await fetch(front + path, { headers: { 'if-none-match': etag } })).status]).toEqual([front, 404])
})

it.skipIf(postgresUrl === undefined)('two servers give away each view of a link once', async () => {
  const { token } = await one.newUser()
  const { body: image } = await one.upload(await nextImage(), { token })
  const { body: link } = await one.call('POST', '/api/links', { token, body: { images: [image.id], max_views: 3 } })
  const visit = {
    slug: link.slug,
    cookie: undefined,
    isRobot: false,
    isHead: false,
    isFromOwnPage: false,
    siteUrl: site,
  }
  const visits = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      openLink((n % 2 === 0 ? one : two).deps, visit).then(
        () => 'open',
        (error: { code: string }) => error.code,
      ),
    ),
  )
  expect(visits.filter((code) => code === 'open').length).toBe(3)
  expect(new Set(visits)).toEqual(new Set(['open', 'link_not_found']))
})
