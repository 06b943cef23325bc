// Images that are not rendered yet, requested by many at once: they wait, and nobody sees a broken one.
import { EventEmitter, once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'

let app: TestApp
let image: { id: string }
let large: { id: string }
beforeAll(async () => {
  // Requests name their address, the connection is this machine's.
  const settings = { RENDER_LIMIT: '25', DECODERS: '1', TRUST_PROXY: '1' }
  app = await startTestApp(settings, undefined, { imagingJobTimeLimitMs: 300_000 })
  image = await app.guestImage(await jpeg(900, 700))
  large = await app.guestImage(await jpeg(4000, 3000))
})
afterAll(() => app.stop())

const from = (address: string) => ({ 'x-forwarded-for': address })
const transform = () => app.deps.imaging.stats().transform

/** Occupies the only decoder for a second, as a client of its own. */
async function occupyDecoder(quality: number): Promise<{ response: Promise<Response> }> {
  const path = `/api/webp/${large.id}/${quality}?width=4000`
  const response = app.request(path, { headers: from('192.0.2.99') })
  await expect.poll(() => transform().running, { interval: 1 }).toBe(1)
  return { response }
}

async function untilQueued(): Promise<void> {
  await expect.poll(() => transform().queued, { interval: 1 }).toBe(1)
}

/** As renders that took a minute would, beside those of others. */
function spendBudget(address: string): void {
  const { imaging } = app.deps
  const context = imaging.jobContext(address)
  const settle = imaging.reserveBudget(context)
  context.usedMs = 60_000
  settle()
}

describe('a page of a hundred images', () => {
  it('arrives whole when one decoder renders them all, for three visitors at once', async () => {
    const page = (address: string, first: number) =>
      Array.from({ length: 100 }, async (_, n) => {
        const response = await app.request(`/api/jpeg/${image.id}/${first + n}`, { headers: from(address) })
        await response.arrayBuffer()
        return response.status
      })
    const pages = [page('192.0.2.1', 100), page('192.0.2.2', 200), page('192.0.2.3', 300)].flat()
    const statuses = await Promise.all(pages)
    expect(statuses.filter((status) => status !== 200)).toEqual([])
    expect(transform()).toMatchObject({ refusedAsBusy: 0, queued: 0 })
  })

  it('is rendered once for all who ask for the same sizes', async () => {
    const before = transform().jobs
    const requests = Array.from({ length: 30 }, (_, n) =>
      app.request(`/api/jpeg/${image.id}/${400 + (n % 3)}`, { headers: from(`192.0.2.${n + 1}`) }),
    )
    for (const response of await Promise.all(requests)) expect(response.status).toBe(200)
    expect(transform().jobs - before).toBe(3)
  })

  it('costs a list no render: its thumbnails of 200 and 400 px are there after the upload', async () => {
    const { id } = await app.guestImage(await jpeg(1800, 1200))
    const before = transform().jobs
    for (const width of [200, 400]) expect((await app.request(`/api/thumbnail/${id}/${width}`)).status).toBe(200)
    expect(transform().jobs).toBe(before)
  })
})

describe('a visitor who goes away', () => {
  it('leaves the queue, and the log has the status 499', async () => {
    const occupied = await occupyDecoder(91)
    const leaving = new AbortController()
    const path = `/api/jpeg/${image.id}/501`
    const left = app.request(path, { signal: leaving.signal, headers: from('192.0.2.1') }).catch(() => 'left')
    await untilQueued()
    const { jobs } = transform()
    leaving.abort()
    expect(await left).toBe('left')
    await expect.poll(() => transform().queued).toBe(0)
    expect((await occupied.response).status).toBe(200)
    expect(transform()).toMatchObject({ jobs: jobs + 1, refusedAsBusy: 0 })
    const lines = () => app.logged.filter((line) => line['path'] === path)
    await expect.poll(lines).toMatchObject([{ status: 499 }])
  })

  it('takes no image from another one who waits for it too', async () => {
    const occupied = await occupyDecoder(92)
    const path = `/api/jpeg/${image.id}/502`
    const leaving = new AbortController()
    const left = app.request(path, { signal: leaving.signal, headers: from('192.0.2.1') }).catch(() => 'left')
    await untilQueued()
    const stays = app.request(path, { headers: from('192.0.2.2') })
    leaving.abort()
    expect(await left).toBe('left')
    expect((await stays).status).toBe(200)
    await occupied.response
  })

  it('is replaced by the next one who asks for the image in the same moment', async () => {
    const occupied = await occupyDecoder(93)
    const path = `/api/jpeg/${image.id}/503`
    const leaving = new AbortController()
    const left = app.request(path, { signal: leaving.signal }).catch(() => 'left')
    await untilQueued()
    leaving.abort()
    const next = await app.request(path)
    expect([await left, next.status]).toEqual(['left', 200])
    await occupied.response
  })
})

/** Runs `work` while no raster is drawn. */
async function withoutRasters(work: () => Promise<void>): Promise<void> {
  const { imaging } = app.deps
  const { rasterize } = imaging
  const held = new EventEmitter()
  imaging.rasterize = async (...given) => {
    await once(held, 'released')
    return rasterize(...given)
  }
  try {
    await work()
  } finally {
    imaging.rasterize = rasterize
    held.emit('released')
  }
}

describe('an SVG whose raster was evicted', () => {
  it('is drawn for the visitor who stays when the one who asked first for its raster leaves', async () => {
    const { token } = await app.newUser()
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"><path d="M9 9h99v99"/></svg>'
    const { body } = await app.upload(Buffer.from(svg), { token, name: 'drawing.svg', type: 'image/svg+xml' })
    await app.deps.variants.deleteImage(body.id)
    const started = vi.spyOn(app.deps.imaging, 'jobContext')
    const leaving = new AbortController()
    const [one, another] = [640, 800].map((width) => `/api/resize/${body.id}/${width}`) as [string, string]
    let stays: Promise<Response> | undefined
    await withoutRasters(async () => {
      const left = app.request(one, { signal: leaving.signal, headers: from('192.0.2.1') }).catch(() => 'left')
      await expect.poll(() => started.mock.calls.map(([caller]) => caller)).toContain('192.0.2.1')
      stays = app.request(another, { headers: from('192.0.2.2') })
      await expect.poll(() => started.mock.calls.map(([caller]) => caller)).toContain('192.0.2.2')
      leaving.abort()
      expect(await left).toBe('left')
      await expect.poll(() => app.logged.filter(({ path }) => path === one)).toMatchObject([{ status: 499 }])
    })
    started.mockRestore()
    expect((await stays)?.status).toBe(200)
  })
})

describe('a visitor who joins', () => {
  it('has waited since they came, also when they ask for their own render later', async () => {
    const occupied = await occupyDecoder(98)
    const path = `/api/jpeg/${image.id}/505`
    const first = app.request(path, { headers: from('192.0.2.1') })
    await untilQueued()
    const started = vi.spyOn(app.deps.imaging, 'jobContext')
    const second = app.request(path, { headers: from('192.0.2.2') })
    await expect.poll(() => started.mock.calls).toEqual([['192.0.2.2']])
    started.mockRestore()
    expect([(await first).status, (await second).status]).toEqual([200, 200])
    await occupied.response
  })

  it('waits on when those who asked first have waited too long', async () => {
    const occupied = await occupyDecoder(97)
    const path = `/api/jpeg/${image.id}/504`
    const { imaging } = app.deps
    const { jobContext } = imaging
    // The first one may not wait at all.
    imaging.jobContext = (...given) => ({ ...jobContext(...given), startByMs: performance.now() + 100 })
    const first = app.request(path, { headers: from('192.0.2.1') })
    await untilQueued()
    imaging.jobContext = jobContext
    const second = app.request(path, { headers: from('192.0.2.2') })
    expect([(await first).status, (await second).status]).toEqual([503, 200])
    await occupied.response
  })
})

describe('the budget of an address', () => {
  it('is not enforced while the decoders are idle', async () => {
    const occupied = await occupyDecoder(96)
    spendBudget('198.51.100.1')
    expect((await occupied.response).status).toBe(200)
    expect((await app.request(`/api/jpeg/${image.id}/601`, { headers: from('198.51.100.1') })).status).toBe(200)
  })

  it('once spent, is refused with the time to wait while somebody else is served, and nobody else is', async () => {
    await app.request(`/api/jpeg/${image.id}/601`, { headers: from('198.51.100.2') })
    const occupied = await occupyDecoder(94)
    spendBudget('198.51.100.2')
    const refused = await app.request(`/api/jpeg/${image.id}/602`, { headers: from('198.51.100.2') })
    expect([refused.status, await refused.json()]).toMatchObject([429, { code: 'too_many_requests' }])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const cached = await app.request(`/api/jpeg/${image.id}/601`, { headers: from('198.51.100.2') })
    expect(cached.status).toBe(200)
    const other = await app.request(`/api/jpeg/${image.id}/603`, { headers: from('198.51.100.3') })
    expect([other.status, (await occupied.response).status]).toEqual([200, 200])
  })

  it('is one of an IPv6 network of 64 bits', async () => {
    const occupied = await occupyDecoder(95)
    spendBudget('2001:db8:1:2::/64')
    const statuses = ['2001:db8:1:2::9', '2001:db8:1:3::9'].map(
      async (address, n) => (await app.request(`/api/jpeg/${image.id}/${604 + n}`, { headers: from(address) })).status,
    )
    expect(await Promise.all(statuses)).toEqual([429, 200])
    await occupied.response
  })
})
