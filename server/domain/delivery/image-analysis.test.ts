import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { animation, jpeg, transparentPng } from '../../testing/test-images.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const analyze = (id: string) => app.call('GET', `/api/analyze/${id}`)
const plain = (background: string) => sharp({ create: { width: 300, height: 200, channels: 3, background } })

describe('analyzeImage', () => {
  it('looks at an image with limited views for its owner only, and takes no view', async () => {
    const [owner, other] = [await app.newUser(), await app.newUser()]
    const { id } = (await app.upload(await jpeg(64, 64), { token: owner.token, fields: { max_views: '1' } })).body
    const by = async (token?: string) => (await app.call('GET', `/api/analyze/${id}`, { token })).status
    expect(await Promise.all([by(), by(other.token), by(owner.token)])).toEqual([401, 403, 200])
    expect((await app.call('GET', `/api/images/${id}`, { token: owner.token })).body.views_left).toBe(1)
    const guests = (await app.upload(await jpeg(64, 64), { fields: { max_views: '1' } })).body
    const asGuest = (guestToken?: string) => app.call('GET', `/api/analyze/${guests.id}`, { guestToken })
    expect([(await asGuest()).status, (await asGuest(guests.delete_token)).status]).toEqual([401, 200])
  })

  it('returns the fields of both readings of the specification', async () => {
    const image = await app.guestImage(await jpeg(2000, 1000), 'wide.jpg')
    const { status, body } = await analyze(image.id)
    expect(status).toBe(200)
    const facts = {
      format: 'jpeg',
      width: 2000,
      height: 1000,
      space: 'srgb',
      channels: 3,
      depth: 'uchar',
      hasAlpha: false,
      isProgressive: false,
      hasProfile: false,
      pages: 1,
    }
    expect(body).toMatchObject({ ...facts, file_name: image.file_name, original: { ...facts, size: image.size } })
    expect(body.recommendedSizes).toEqual({
      thumbnail: { width: 400, height: 200 },
      mobile: { width: 640, height: 320 },
      tablet: { width: 1024, height: 512 },
      desktop: { width: 1920, height: 960 },
    })
    expect(body.apiEndpoints).toEqual({
      original: image.url,
      resize: `${app.url}/api/resize/${image.id}/800`,
      webp: `${app.url}/api/webp/${image.id}/80`,
    })
    expect(body.optimizationTips.join()).toContain('2000 pixels wide')
    expect(await analyze(image.id)).toMatchObject({ body })
  })

  it('proposes WebP with the saving that the webp address has', async () => {
    const image = await app.guestImage(
      await sharp(await jpeg(800, 600))
        .jpeg({ quality: 100 })
        .toBuffer(),
      'large.jpg',
    )
    const { body } = await analyze(image.id)
    const webp = await app.request(`/api/webp/${image.id}/80`)
    const percent = Math.round((1 - Number(webp.headers.get('content-length')) / image.size) * 100)
    expect(percent).toBeGreaterThan(10)
    expect(body.optimizationTips).toContain(`As WebP this image is ${percent}% smaller: use the webp address.`)
  })

  it.each([
    ['#c81e32', 'red'],
    ['#14b432', 'green'],
    ['#1e32c8', 'blue'],
  ])('reads the colours of %s from its pixels', async (background, channel) => {
    const image = await app.guestImage(await plain(background).png().toBuffer(), 'plain.png')
    const { body } = await analyze(image.id)
    const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(background.slice(at, at + 2), 16))
    expect(body.colorInfo.averageColor).toEqual({ r, g, b })
    expect(body.colorInfo.dominantChannel).toBe(channel)
    expect(image.placeholder).toBe(background)
  })

  it('distinguishes a used alpha channel from an unused one', async () => {
    const used = await app.guestImage(await transparentPng(), 'dot.png')
    const unused = await app.guestImage(await plain('#808080').ensureAlpha().png().toBuffer(), 'grey.png')
    const tip = 'no pixel is transparent'
    expect((await analyze(used.id)).body).toMatchObject({ hasAlpha: true })
    expect((await analyze(used.id)).body.optimizationTips.join()).not.toContain(tip)
    expect((await analyze(unused.id)).body.optimizationTips.join()).toContain(tip)
  })

  it('counts frames', async () => {
    const image = await app.guestImage(await animation('webp', 5), 'moving.webp')
    expect((await analyze(image.id)).body).toMatchObject({ pages: 5, width: 64, height: 64 })
  })

  it('responds 410 for a deleted image and 404 for an unknown one', async () => {
    const image = await app.guestImage(await jpeg(100, 100))
    await analyze(image.id)
    await app.call('DELETE', `/api/images/${image.id}`, { guestToken: image.delete_token })
    expect((await analyze(image.id)).status).toBe(410)
    expect((await analyze('none')).status).toBe(404)
  })
})
