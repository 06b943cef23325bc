import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import { sweepExpired } from '../../../domain/images/deletion/sweep.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { sendRaw } from '../../../testing/raw-http.ts'
import { jpeg } from '../../../testing/test-images.ts'

let app: TestApp
let picture: Buffer

beforeAll(async () => {
  app = await startTestApp()
  picture = await jpeg()
})
afterAll(() => app.stop())

const chrome = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
const browser = { accept: chrome, 'sec-fetch-dest': 'document' }
const img = { accept: 'image/avif,image/webp,*/*;q=0.8', 'sec-fetch-dest': 'image' }

const open = async (path: string, headers: Record<string, string> = browser, method = 'GET') => {
  const response = await app.request(path, { headers, method })
  return { status: response.status, headers: response.headers, body: await response.text() }
}
const h1Of = (html: string) => /<h1>(.*)<\/h1>/.exec(html)?.[1]
const set = (id: string, columns: object) =>
  app.deps.db.updateTable('images').set(columns).where('id', '=', id).execute()
/** Of the original, of variants, and of addresses in older texts. */
const addressesOf = ({ id, file_name: name }: UploadedImage) => [
  `/uploads/${name}`,
  `/i/${id}.webp?w=400`,
  `/api/thumbnail/${id}/400`,
  `/api/webp/${id}/80`,
]

describe('the address of an image that is not there', () => {
  it('shows a page to people and responds to programs and <img> as before', async () => {
    const image = await app.guestImage(picture)
    await app.call('DELETE', `/api/images/${image.id}`, { guestToken: image.delete_token })
    for (const path of addressesOf(image)) {
      const page = await open(path)
      expect([path, page.status, h1Of(page.body)]).toEqual([path, 410, 'This image has expired or was deleted'])
      expect(page.body).toContain('<a class="button primary" href="/">Host your own image</a>')
      for (const headers of [{ accept: '*/*' }, img, { accept: 'application/json' }]) {
        const data = await open(path, headers)
        expect([data.status, JSON.parse(data.body)]).toEqual([
          410,
          { error: 'This image has expired or was deleted', code: 'image_gone' },
        ])
      }
    }
  })

  it('may be stored by no cache, and names what the response depends on', async () => {
    const path = `/uploads/none-${'x'.repeat(22)}.jpg`
    for (const [headers, vary] of [
      [browser, 'Accept, Sec-Fetch-Dest, Accept-Language, Accept-Encoding'],
      [img, 'Accept, Sec-Fetch-Dest'],
    ] as const) {
      const response = await open(path, headers)
      expect([response.status, response.headers.get('cache-control'), response.headers.get('vary')]).toEqual([
        404,
        'no-store',
        vary,
      ])
    }
    const { headers, body } = await open(path)
    expect(headers.get('x-robots-tag')).toBe('noindex')
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src( 'sha256-[^']+'){2}; script-src 'none'; img-src 'self' data: \S+; font-src 'self'; form-action 'none'; frame-ancestors 'none'/,
    )
    expect(body).not.toContain('<script')
    expect(Buffer.byteLength(body)).toBeLessThan(14_000)
    expect((await open(path, browser, 'HEAD')).body).toBe('')
  })

  it('says when the image expired, before and after the sweep', async () => {
    const image = await app.guestImage(picture)
    await set(image.id, { expires_at: Date.UTC(2025, 2, 3) })
    const expired = [410, 'This image expired on Mar 3, 2025']
    const seen = async () => {
      const { status, body } = await open(`/uploads/${image.file_name}`)
      return [status, h1Of(body)]
    }
    expect(await seen()).toEqual(expired)
    await sweepExpired(app.deps)
    expect(await seen()).toEqual(expired)
    const { body } = await open(`/i/${image.id}`, { ...browser, 'accept-language': 'de' })
    expect(h1Of(body)).toBe('Dieses Bild ist am 03.03.2025 abgelaufen')
  })

  it.each([
    ['was deleted', { undo_until: 6 }],
    ['was seen for the last time', { views_left: 0 }],
    ['went with its account', { former_owner_id: 'nobody' }],
  ])('has no date of an image that %s, before and after the sweep', async (_, columns) => {
    const image = await app.guestImage(picture)
    await set(image.id, { expires_at: 5, ...columns })
    for (const sweep of [async () => undefined, () => sweepExpired(app.deps)]) {
      await sweep()
      const { status, body } = await open(`/uploads/${image.file_name}`)
      expect([status, h1Of(body)]).toEqual([410, 'This image has expired or was deleted'])
    }
  })

  it('tells no more than before about an image in quarantine', async () => {
    const image = await app.guestImage(picture)
    await set(image.id, { quarantined_at: 5 })
    for (const path of addressesOf(image)) {
      const { status, body } = await open(path)
      expect([status, h1Of(body)]).toEqual([451, 'This image is not available'])
      expect(body).not.toContain(image.id)
    }
  })

  it.each([
    '/uploads/none.jpg',
    `/i/${'x'.repeat(22)}.png`,
    '/uploads',
    '/uploads/a/b',
    `/api/webp/${'x'.repeat(22)}/80`,
  ])('is a page with 404 for %s', async (path) => {
    const { status, body } = await open(path)
    expect([status, h1Of(body)]).toEqual([404, 'There is no image at this address'])
    const data = await open(path, img)
    expect([data.status, JSON.parse(data.body)]).toEqual([404, expect.objectContaining({ error: expect.any(String) })])
  })

  it('keeps JSON for what a person cannot mend by another address', async () => {
    const image = await app.guestImage(picture)
    const { status, body } = await open(`/i/${image.id}.webp?w=wide`)
    expect([status, JSON.parse(body).code]).toEqual([400, 'invalid_input'])
    expect(JSON.parse((await open('/api/nothing')).body).code).toBe('endpoint_not_found')
  })
})

describe('on other sites', () => {
  it('with MEDIA_ORIGIN the page loads nothing from the host of images, and leads to the site', async () => {
    const other = await startTestApp({
      PUBLIC_URL: 'https://img.example.com',
      MEDIA_ORIGIN: 'https://media.example.com',
    })
    try {
      const sent = `GET /uploads/none.jpg HTTP/1.1\r\nHost: media.example.com\r\nConnection: close\r\nAccept: ${chrome}\r\n\r\n`
      const [response] = await sendRaw(other.url, sent)
      const html = response?.body.toString() ?? ''
      expect([response?.status, h1Of(html)]).toEqual([404, 'There is no image at this address'])
      expect(html).toContain('<a class="button primary" href="https://img.example.com/">')
      expect(html).not.toMatch(/(src|href)="\/|url\(\//)
      expect(response?.headers['content-security-policy']).not.toContain('font-src')
    } finally {
      await other.stop()
    }
  })

  it('where strangers cannot upload, nobody is invited to', async () => {
    const closed = await startTestApp({ GUEST_UPLOADS: 'off', REGISTRATION: 'closed' })
    try {
      const html = await (await closed.request('/uploads/none.jpg', { headers: browser })).text()
      expect(html).toContain('<a class="button primary" href="/">Start page</a>')
    } finally {
      await closed.stop()
    }
  })
})
