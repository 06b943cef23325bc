// The share page as link previews and oEmbed consumers read it, with parsers of others.
import { once } from 'node:events'
import http from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { extract } from '@extractus/oembed-extractor'
import openGraph from 'open-graph-scraper'
import sharp from 'sharp'
import { unfurl } from 'unfurl.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { rowsInTurn } from '../../../testing/short-run.ts'
import { animation, jpeg, shapes, transparentPng } from '../../../testing/test-images.ts'

let app: TestApp
let token: string
let userId: string

beforeAll(async () => {
  app = await startTestApp()
  ;({ token, id: userId } = await app.newUser('ada@example.com'))
})
afterAll(() => app.stop())

const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="3000" height="1000"><circle cx="500" cy="500" r="400" fill="red"/></svg>',
)
const images: [
  what: string,
  name: string,
  bytes: () => Promise<Buffer>,
  card: [mime: string, width: number, height: number],
][] = [
  ['a JPEG', 'sea.jpg', () => jpeg(2400, 1600), ['image/jpeg', 1200, 800]],
  ['a small JPEG', 'small.jpg', () => jpeg(300, 200), ['image/jpeg', 300, 200]],
  ['a PNG with transparency', 'dot.png', () => transparentPng(1500), ['image/png', 1200, 1200]],
  ['an animated GIF', 'moving.gif', () => animation('gif'), ['image/gif', 64, 64]],
  ['an SVG', 'drawing.svg', async () => svg, ['image/jpeg', 1200, 400]],
  ['a portrait', 'portrait.jpg', () => jpeg(1000, 3000), ['image/jpeg', 400, 1200]],
  ['a panorama', 'panorama.png', () => shapes(1, 6000, 600).png().toBuffer(), ['image/jpeg', 1200, 120]],
]

const uploadAs = async (name: string, bytes: Buffer) => (await app.upload(bytes, { token, name })).body
const update = async (id: string, body: object) => {
  const response = await app.call('PATCH', `/api/images/${id}`, { token, body })
  expect([response.status, response.body.code]).toEqual([200, undefined])
}
const open = async (path: string, headers: Record<string, string> = {}) => {
  const response = await app.request(path, { headers })
  return { status: response.status, headers: response.headers, html: await response.text() }
}

it.each([
  ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
  ['gzip;q=0.8, br;q=0', 'gzip', gunzipSync],
  ['br;q=0.0, deflate', null, (body: Buffer) => body],
  ['identity', null, (body: Buffer) => body],
  [undefined, null, (body: Buffer) => body],
] as const)('share pages and pages of gone images are compressed for %s', async (accepted, encoding, open) => {
  const { page_url: url } = await uploadAs('sea.jpg', await jpeg(300, 200))
  const headers = { accept: 'text/html', ...(accepted !== undefined && { 'accept-encoding': accepted }) }
  for (const [path, status] of [
    [new URL(url).pathname, 200],
    [`/i/${'x'.repeat(22)}.jpg`, 404],
  ] as const) {
    const sent = await receive(`${app.url}${path}`, headers)
    expect([sent.status, sent.headers['content-encoding'] ?? null]).toEqual([status, encoding])
    expect(sent.headers.vary).toContain('Accept-Encoding')
    expect(sent.headers['content-length']).toBe(String(sent.body.length))
    expect(open(sent.body).toString()).toMatch(/^<!doctype html>[^]*<\/html>\n$/)
    // The first flight of a connection is about 14 KB, headers included.
    if (encoding !== null) expect(sent.body.length).toBeLessThan(6000)
  }
})

/** The bytes as they are sent. */
async function receive(url: string, headers: Record<string, string>) {
  const [response] = (await once(http.get(url, { headers }), 'response')) as [http.IncomingMessage]
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(await response.toArray()) }
}

it('the share page of an image with limited views shows nothing of it', async () => {
  const response = await app.upload(await jpeg(300, 200), { token, fields: { max_views: '3' } })
  expect(response.status).toBe(201)
  const { page_url: url, placeholder, blur } = response.body
  const { html } = await open(new URL(url).pathname)
  expect(html).toContain('</html>')
  for (const part of [placeholder, blur, 'theme-color']) expect(html).not.toContain(part)
})

describe.each(rowsInTurn(images, 0, 2))('the share page of %s', (_, name, bytes, [mime, width, height]) => {
  it('has a card with an image of its declared type and size', async () => {
    const image = await uploadAs(name, await bytes())
    await update(image.id, { title: 'A title', alt: 'What it shows' })
    const { result } = await openGraph({ url: image.page_url, onlyGetOpenGraphInfo: false })
    expect(result).toMatchObject({
      ogType: 'website',
      ogSiteName: 'Image Host',
      ogTitle: 'A title',
      ogUrl: image.page_url,
      ogDescription: 'What it shows',
      twitterCard: 'summary_large_image',
      twitterTitle: 'A title',
      ogImage: [{ width: String(width), height: String(height), type: mime, alt: 'What it shows' }],
    })
    const { url } = result.ogImage?.[0] ?? { url: '' }
    expect(result.twitterImage?.[0]?.url).toBe(url)
    const preview = await app.request(url)
    expect([preview.status, preview.headers.get('content-type')]).toEqual([200, mime])
    const pixels = await sharp(Buffer.from(await preview.arrayBuffer())).metadata()
    expect([pixels.width, pixels.height]).toEqual([width, height])
  })

  it('leads consumers of oEmbed to the same image', async () => {
    const { page_url: page } = await uploadAs(name, await bytes())
    const oembed = await extract(page)
    expect(oembed).toMatchObject({ type: 'photo', version: '1.0', title: name, provider_name: 'Image Host' })
    const { url } = oembed as unknown as { url: string }
    expect((await app.request(url)).headers.get('content-type')).toMatch(/^image\/(jpeg|png|gif|webp)$/)
    const card = await unfurl(page)
    expect(card).toMatchObject({
      title: `${name} · Image Host`,
      open_graph: { images: [{ width, height, type: mime }] },
      twitter_card: { card: 'summary_large_image' },
      oEmbed: { type: 'photo', title: name },
    })
  })
})

it('leads strangers to the upload, where they can', async () => {
  const closed = await startTestApp({
    GUEST_UPLOADS: 'off',
    REGISTRATION: 'closed',
    ADMIN_EMAIL: 'a@example.com',
    ADMIN_PASSWORD: 'secret-1',
  })
  try {
    const login = await closed.call('POST', '/api/login', { body: { email: 'a@example.com', password: 'secret-1' } })
    const { id } = (await closed.upload(await jpeg(30, 20), { token: login.body.token as string })).body
    expect(await (await closed.request(`/i/${id}`)).text()).not.toContain('Host your own image')
    const { id: other } = await uploadAs('own.jpg', await jpeg(31, 20))
    expect((await open(`/i/${other}`)).html).toContain('/">Host your own image</a>')
  } finally {
    await closed.stop()
  }
})

describe('the share page', () => {
  it('shows hostile texts as text', async () => {
    const { id, page_url: page } = await uploadAs('sea.jpg', await jpeg())
    const title = '0;url=//evil" http-equiv="refresh </title></script><script>alert(1)</script> <img src=x>'
    const alt = `'"><svg onload=alert(1)> {{7*7}} \${x} </style> &quot;`
    await update(id, { title, alt })
    await app.deps.db
      .updateTable('users')
      .set({ show_name: 1, name: '"><b>Ada</b>' })
      .where('id', '=', userId)
      .execute()
    const { html } = await open(page)
    const { result } = await openGraph({ html })
    expect([result.ogTitle, result.twitterTitle, result.ogImage?.[0]?.alt]).toEqual([title, title, alt])
    expect(result.ogDescription).toMatch(/^by "><b>Ada<\/b> · /)
    expect(html).not.toMatch(/<meta[^>]* http-equiv="|<svg|<b>|<img src=x|alert\(1\)<\/script>/)
    expect(html.match(/<script/g)).toHaveLength(1)
    await app.deps.db.updateTable('users').set({ show_name: 0, name: 'Ada' }).where('id', '=', userId).execute()
    expect((await open(page)).html).not.toContain('Ada')
  })

  it('is small, loads nothing but images and the typeface, runs its own script only, and is not indexed or stored', async () => {
    const image = await uploadAs('sea.jpg', await jpeg(2000, 1000))
    await update(image.id, { title: 'T'.repeat(200), alt: 'A'.repeat(1000) })
    const { html, headers } = await open(image.page_url)
    expect(Buffer.byteLength(html)).toBeLessThan(20_000)
    expect((await openGraph({ html })).result.ogDescription).toBe(`${'A'.repeat(299)}…`)
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-cache',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
      vary: 'Accept-Language, Accept-Encoding',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src( 'sha256-[^']+'){3}; script-src 'sha256-[^']+'; img-src 'self' data: \S+; font-src 'self'; form-action 'none'; frame-ancestors 'none'/,
      ),
    })
    expect(html).toContain(`<link rel="canonical" href="${image.page_url}">`)
    expect(html).toContain(`<meta name="theme-color" content="${image.placeholder}">`)
    expect(html).toContain(`/report?image=${image.id}`)
  })

  it.each([
    [undefined, 'en', 'Direct link', 'Expires on '],
    ['de-AT,en;q=0.5', 'de', 'Direkter Link', 'Läuft am '],
    ['tlh, fr;q=0.4, ja;q=0.8', 'ja', '直接リンク', '有効期限: '],
    ['es;q=0, xx', 'en', 'Direct link', 'Expires on '],
    [`${'x,'.repeat(5000)}de`, 'en', 'Direct link', 'Expires on '],
  ])('with Accept-Language %.40s is in %s', async (accepted, language, direct, expires) => {
    const { page_url: page } = await uploadAs('sea.jpg', await jpeg())
    const { html } = await open(page, accepted === undefined ? {} : { 'accept-language': accepted })
    expect(html).toContain(`<html lang="${language}">`)
    expect(html).toContain(direct)
    expect(html).toContain(expires)
  })

  it('counts down the last days, hours and minutes', async () => {
    const { id, page_url: page } = await uploadAs('sea.jpg', await jpeg())
    const left = { '3d': 'in 3 days', '5h': 'in 5 hours', '2m': 'in 2 minutes', '20s': 'in 1 minute' }
    const ms = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 }
    for (const [time, text] of Object.entries(left)) {
      const leftMs = Number.parseInt(time, 10) * ms[time.slice(-1) as keyof typeof ms]
      await app.deps.db
        .updateTable('images')
        .set({ expires_at: app.deps.now() + leftMs + 5000 })
        .where('id', '=', id)
        .execute()
      expect((await open(page)).html).toContain(`Expires ${text}`)
    }
  })

  it('has the size and the average colour of the picture before it is loaded', async () => {
    const image = await uploadAs('sea.jpg', await jpeg(1600, 800))
    const { html } = await open(image.page_url)
    expect(html).toMatch(
      /<img src="[^"]+\.jpg\?w=800&#38;fmt=auto" srcset="[^"]+ 320w, [^"]+ 1600w" sizes="[^"]+" alt="sea" width="1600" height="800">/,
    )
    expect(html).toContain(`background: ${image.placeholder} url(data:image/webp;base64,${image.blur}) center / cover;`)
  })
})

describe('a page of an image that is not served', () => {
  const rows: [what: string, set: object, status: number, text: string][] = [
    ['expired', { expires_at: 5 }, 410, 'This image expired on Jan 1, 1970'],
    ['deleted', { expires_at: 5, undo_until: 6 }, 410, 'This image has expired or was deleted'],
    ['seen as often as its owner wanted', { views_left: 0 }, 410, 'This image has expired or was deleted'],
    ['quarantined', { quarantined_at: 5 }, 451, 'This image is not available'],
  ]
  it.each(rows)('says so, as its custom link does: %s', async (what, set, status, text) => {
    const { id, page_url: page } = await uploadAs('sea.jpg', await jpeg())
    await update(id, { slug: `not-served-${what.slice(0, 4)}` })
    await app.deps.db.updateTable('images').set(set).where('id', '=', id).execute()
    for (const path of [page, `/s/not-served-${what.slice(0, 4)}`]) {
      const response = await open(path)
      expect([response.status, response.headers.get('cache-control')]).toEqual([status, 'no-store'])
      expect(response.html).toContain(`<h1>${text}</h1>`)
      expect(response.html).not.toContain(id)
    }
  })

  it('is 404 for an unknown id and an unknown link, in the language of the reader', async () => {
    for (const path of ['/i/none', `/i/${'x'.repeat(22)}`, '/s/none', '/i/%00', '/s/%22%3E']) {
      const { status, html } = await open(path, { 'accept-language': 'fr' })
      expect([status, html.includes('Il n’y a pas d’image à cette adresse')]).toEqual([404, true])
    }
  })
})

describe('with MEDIA_ORIGIN', () => {
  it('pages are on the host of the site and images on the other', async () => {
    const other = await startTestApp({
      PUBLIC_URL: 'https://img.example.com',
      MEDIA_ORIGIN: 'https://media.example.com',
    })
    try {
      const { id } = await other.guestImage(await jpeg())
      const html = await (await other.request(`/i/${id}`)).text()
      const { result } = await openGraph({ html })
      expect(result.ogUrl).toBe(`https://img.example.com/i/${id}`)
      expect(result.ogImage?.[0]?.url).toMatch('https://media.example.com/')
      expect(html).toContain('<meta property="og:image:secure_url" content="https://media.example.com/')
    } finally {
      await other.stop()
    }
  })
})
