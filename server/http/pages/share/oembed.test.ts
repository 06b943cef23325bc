import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { animation, jpeg } from '../../../testing/test-images.ts'

let app: TestApp
let token: string
let image: UploadedImage

beforeAll(async () => {
  // Every URL in a response must be one that is served without a signature.
  app = await startTestApp({ SIGN_VARIANTS: 'on' })
  ;({ token } = await app.newUser())
  image = (await app.upload(await jpeg(1600, 800), { token, name: 'sea.jpg' })).body
  const body = { title: 'Sea & <sand>', alt: '"Waves"', slug: 'sea' }
  await app.call('PATCH', `/api/images/${image.id}`, { token, body })
})
afterAll(() => app.stop())

const oembed = (url: string, query = '') => app.call('GET', `/oembed?url=${encodeURIComponent(url)}${query}`)

describe('oEmbed', () => {
  it('describes the image behind every address of it', async () => {
    const { id, url, page_url: page } = image
    const paths = [`/s/sea`, `/s/SEA`, `/api/thumbnail/${id}/400`, `/api/resize/${id}/800`, `/api/resize/${id}/80/80`]
    const variants = [...paths, `/api/jpeg/${id}/800`, `/api/webp/${id}/80?width=400`].map((path) => app.url + path)
    for (const address of [page, `${page}?from=chat#top`, url, url.replace(/\.jpg$/, ''), ...variants]) {
      const { status, body } = await oembed(address)
      expect([address, status, body.title]).toEqual([address, 200, 'Sea & <sand>'])
    }
  })

  it('has all fields of a photo', async () => {
    const { body, headers } = await oembed(image.page_url)
    expect(body).toEqual({
      version: '1.0',
      type: 'photo',
      title: 'Sea & <sand>',
      provider_name: 'Image Host',
      provider_url: app.url,
      cache_age: 3600,
      url: `${app.url}/api/jpeg/${image.id}/1600`,
      width: 1600,
      height: 800,
      thumbnail_url: `${app.url}/api/jpeg/${image.id}/400`,
      thumbnail_width: 400,
      thumbnail_height: 200,
    })
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  it.each([
    ['&maxwidth=500', 400, 200, 400],
    ['&maxheight=100', 200, 100, 200],
    ['&maxwidth=300&maxheight=20', 40, 20, 40],
    ['&maxwidth=1&maxheight=1', 1, 1, 1],
    ['&maxwidth=999999', 1600, 800, 400],
  ])('stays within %s', async (query, width, height, thumbnailWidth) => {
    const { body } = await oembed(image.page_url, query)
    expect([body.width, body.height, body.thumbnail_width]).toEqual([width, height, thumbnailWidth])
    for (const url of [body.url, body.thumbnail_url]) expect((await app.request(url)).status).toBe(200)
  })

  it('is the same in XML', async () => {
    const response = await app.request(`/oembed?format=xml&url=${encodeURIComponent(image.page_url)}`)
    expect(response.headers.get('content-type')).toBe('text/xml; charset=utf-8')
    const xml = await response.text()
    expect(xml).toMatch(/^<\?xml version="1.0" encoding="utf-8" standalone="yes"\?>\n<oembed><version>1.0<\/version>/)
    expect(xml).toContain('<title>Sea &#38; &#60;sand&#62;</title>')
    expect(xml).toContain('<width>1600</width><height>800</height>')
  })

  it('has HTML with srcset and the alternative text as rich', async () => {
    const { body } = await oembed(image.page_url, '&type=rich&maxwidth=900')
    expect(body).toMatchObject({ type: 'rich', width: 800, height: 400 })
    expect(body).not.toHaveProperty('url')
    expect(body.html).toMatch(
      /^<a href="[^"]+"><img src="[^"]+" srcset="\S+ 320w, \S+ 400w, \S+ 512w, \S+ 640w, \S+ 800w" sizes="[^"]+" alt="&#34;Waves&#34;" width="800" height="400"/,
    )
  })

  it('names the owner who has chosen it, and ends with the image', async () => {
    await app.call('PUT', '/api/me', { token, body: { name: 'Ada', showName: true } })
    const { body: own } = await app.upload(await animation('gif'), { token, name: 'moving.gif' })
    const expiring = app.deps.now() + 90_000
    await app.deps.db.updateTable('images').set({ expires_at: expiring }).where('id', '=', own.id).execute()
    const { body } = await oembed(own.url)
    expect(body).toMatchObject({ author_name: 'Ada', title: 'moving.gif', url: own.url })
    expect(body.cache_age).toBeLessThanOrEqual(90)
    await app.call('PUT', '/api/me', { token, body: { showName: false } })
  })

  it('refuses as the standard says', async () => {
    const [gone, hidden] = [await app.guestImage(await jpeg()), await app.guestImage(await jpeg())]
    await app.call('DELETE', `/api/images/${gone.id}`, { guestToken: gone.delete_token })
    await app.deps.db.updateTable('images').set({ quarantined_at: 5 }).where('id', '=', hidden.id).execute()
    const rows: [url: string, query: string, status: number, code: string][] = [
      [gone.page_url, '', 404, 'image_not_found'],
      [hidden.page_url, '', 401, 'image_not_public'],
      [image.page_url, '&format=yaml', 501, 'oembed_format'],
      [`${app.url}/i/${'x'.repeat(22)}`, '', 404, 'image_not_found'],
      [`https://other.example/i/${image.id}`, '', 404, 'image_not_found'],
      [`${app.url}/about`, '', 404, 'image_not_found'],
      [`${app.url}/i/${image.id}/../x`, '', 404, 'image_not_found'],
      [`${app.url}/s/none`, '', 404, 'image_not_found'],
      ['no address', '', 404, 'image_not_found'],
      [image.page_url, '&maxwidth=0', 400, 'invalid_input'],
      [image.page_url, '&maxwidth=1.5', 400, 'invalid_input'],
      [image.page_url, '&maxheight=-1', 400, 'invalid_input'],
      [image.page_url, '&type=video', 400, 'invalid_input'],
      [image.page_url, '&url=twice', 400, 'invalid_input'],
    ]
    for (const [url, query, status, code] of rows) {
      const { status: got, body } = await oembed(url, query)
      expect([url, query, got, body.code]).toEqual([url, query, status, code])
    }
    expect((await app.call('GET', '/oembed')).body).toMatchObject({ code: 'invalid_input', error: /^url: / })
  })
})
