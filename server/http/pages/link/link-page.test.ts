// What a visitor of a link gets: the page, the password, the preview in chats, and nothing of what the link does not share.
import { brotliCompressSync } from 'node:zlib'
import openGraph from 'open-graph-scraper'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../domain/shared/secrets.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { animation, jpeg } from '../../../testing/test-images.ts'

let app: TestApp
let owner: Awaited<ReturnType<TestApp['newUser']>>
let picture: Buffer
const browser = { accept: 'text/html,application/xhtml+xml', 'user-agent': 'Mozilla/5.0 Firefox/150.0' }

beforeAll(async () => {
  app = await startTestApp({ MAX_LINKS: '200' })
  owner = await app.newUser('ada@example.com')
  picture = await jpeg(1200, 800)
})
afterAll(() => app.stop())

const newImage = async (fields: Record<string, string> = {}, name = 'sea.jpg', bytes = picture): Promise<string> =>
  (await app.upload(bytes, { token: owner.token, name, fields })).body.id

async function newAlbum(images: string[], values: object = {}): Promise<string> {
  const id = newId(app.deps)
  const album = { id, owner_id: owner.id, title: 'Italy 2026', description: 'By the sea', created_at: 1, ...values }
  await app.deps.db.insertInto('albums').values(album).execute()
  const rows = images.map((image_id, at) => ({
    album_id: id,
    image_id,
    position: `a${String(at).padStart(5, '0')}`,
    added_at: 1,
  }))
  for (let at = 0; at < rows.length; at += 50)
    await app.deps.db
      .insertInto('album_images')
      .values(rows.slice(at, at + 50))
      .execute()
  return id
}

/** Rows like that of an image, without bytes. */
async function copies(imageId: string, count: number, values: object = {}): Promise<string[]> {
  const row = await app.deps.db.selectFrom('images').selectAll().where('id', '=', imageId).executeTakeFirstOrThrow()
  const rows = Array.from({ length: count }, () => newId(app.deps)).map((id) => ({
    ...row,
    id,
    file_name: `copy-${id}.jpg`,
    ...values,
  }))
  for (let at = 0; at < count; at += 20)
    await app.deps.db
      .insertInto('images')
      .values(rows.slice(at, at + 20))
      .execute()
  return rows.map(({ id }) => id)
}

async function newLink(body: object): Promise<string> {
  const { status, body: link } = await app.call('POST', '/api/links', { token: owner.token, body })
  expect([status, link.code]).toEqual([201, undefined])
  return `/l/${link.slug}`
}

async function open(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await app.request(path, { method, headers: { ...browser, ...headers }, redirect: 'manual' })
  return { status: response.status, headers: response.headers, html: await response.text() }
}

const tilesIn = (html: string) => [...html.matchAll(/<a id="i([\w-]{22})"/g)].map(([, id]) => id)

describe('the page of a link', () => {
  it('shows an album with its texts, its images in their order, and the albums inside', async () => {
    const images = [
      await newImage({ alt: 'The harbour' }),
      await newImage({ title: 'The bay', alt: 'Blue' }),
      await newImage(),
    ]
    const album = await newAlbum(images.toReversed())
    const inside = await newAlbum([images[0] ?? ''], { title: 'Genoa', parent_id: album })
    const path = await newLink({ album_id: album })
    const { status, html, headers } = await open(path)
    expect(status).toBe(200)
    expect(html).toContain('<title>Italy 2026 · Image Host</title>')
    for (const text of ['<h1>Italy 2026</h1>', 'By the sea', '3 images', 'alt="The harbour"', 'data-title="The bay"'])
      expect(html).toContain(text)
    expect(tilesIn(html)).toEqual(images.toReversed())
    expect(html).toContain(`<a href="${path}/${inside}">`)
    expect(html).not.toContain('Ada')
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src( 'sha256-[^']+'){3}; script-src 'sha256-[^']+' 'self'; .*connect-src 'self'.*frame-ancestors 'none'/,
      ),
    })
    const below = await open(`${path}/${inside}`)
    expect(below.html).toContain(`<a class="up" href="${path}">Italy 2026</a>`)
    expect(below.html).toContain('<h1>Genoa</h1>')
    // An album of the same owner that is not inside.
    expect((await open(`${path}/${await newAlbum(images)}`)).status).toBe(404)
  })

  it('is at most 14 KB with sixty images that have long texts, private ones among them', async () => {
    const first = await newImage({
      title: 'A long title of an image '.repeat(3),
      alt: 'What it shows, described '.repeat(3),
    })
    const images = [first, ...(await copies(first, 99, { visibility: 'private' }))]
    const album = await newAlbum(images, { description: 'A long description of the album. '.repeat(20) })
    const path = await newLink({ album_id: album, shows_private: true })
    const { html } = await open(path)
    expect(tilesIn(html)).toEqual(images.slice(0, 60))
    expect(html.match(/key=/g)?.length).toBeGreaterThan(59)
    expect(brotliCompressSync(html).length).toBeLessThan(14_000)
    const more = /id="more" href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&#38;', '&') ?? ''
    const next = await open(more)
    expect(tilesIn(next.html)).toEqual(images.slice(60))
    expect(next.html).not.toContain('id="more"')
    expect((await open(`${path}?cursor=nonsense`)).status).toBe(400)
  })

  it('has the place and the colours of every image before it is loaded', async () => {
    const { id, blur, placeholder } = (await app.upload(picture, { token: owner.token })).body
    const { html } = await open(await newLink({ images: [id, await newImage(), await newImage()] }))
    expect(html).toContain(`#i${id}{--r:1.5;--c:${placeholder} url(data:image/webp;base64,${blur}) center / cover}`)
    expect(html).toMatch(
      /<img src="[^"]+w=512[^"]*" srcset="[^"]+ 320w, [^"]+ 512w, [^"]+ 800w, [^"]+ 1200w" sizes="calc\(1\.5 \*/,
    )
    expect(html).toContain('width="1200" height="800"')
  })

  it('shows a single image large, with a download', async () => {
    const id = await newImage({ title: 'The bay' })
    const { html } = await open(await newLink({ images: [id] }))
    expect(html).toContain('<h1>The bay</h1>')
    expect(html).toContain('1200 × 800 · JPEG')
    expect(html).toMatch(/<a class="button" href="[^"]+\/uploads\/[^"]+" download="sea\.jpg">Download<\/a>/)
    expect(html).not.toContain('id="play"')
  })

  it('says when there is nothing yet', async () => {
    const { status, html } = await open(await newLink({ album_id: await newAlbum([]) }))
    expect([status, html.includes('No images here yet')]).toEqual([200, true])
  })

  it('gives nothing larger than the link allows, and no original, where visitors may not download', async () => {
    const large = await newImage({}, 'large.jpg', await jpeg(3000, 2000))
    const moving = await newImage({}, 'moving.gif', await animation('gif'))
    const { html } = await open(await newLink({ images: [large, moving], can_download: false }))
    expect(html).not.toMatch(/\/uploads\/|images\.zip|data-file/)
    for (const address of new Set(html.match(/(?<=["\s])https?:[^"\s]+(?:key=[^"\s]+)/g)))
      expect(await sizeOf(address.replaceAll('&#38;', '&'))).toBeLessThanOrEqual(1600)
    const small = await open(await newLink({ images: [large], max_size: 500 }))
    const widths = [...small.html.matchAll(/ (\d+)w[,"]/g)].map(([, width]) => Number(width))
    expect(Math.max(...widths)).toBeLessThanOrEqual(500)
  })

  it('takes no view of an image that can be viewed a few times', async () => {
    const limited = await newImage({ max_views: '3' })
    const { html } = await open(await newLink({ images: [limited, await newImage()] }))
    expect(html).toMatch(new RegExp(`<a class="limited" id="i${limited}" href="/i/${limited}[^"]*">Can be viewed`))
    expect(html).not.toMatch(new RegExp(`<img[^>]*${limited}`))
  })

  it('shows hostile texts as text', async () => {
    const title = `</style></title><script>alert(1)</script>"'`
    const images = [await newImage({ title, alt: title }), await newImage()]
    const path = await newLink({ album_id: await newAlbum(images, { title, description: title }) })
    const { html } = await open(path)
    expect(html).not.toContain('<script>alert')
    expect(html.match(/<script/g)).toHaveLength(2)
    expect((await openGraph({ html })).result.ogTitle).toBe(title)
  })

  it('is in the language of the reader', async () => {
    const { html } = await open(await newLink({ album_id: await newAlbum([]) }), { 'accept-language': 'de' })
    expect(html).toContain('<html lang="de">')
    expect(html).toContain('Hier sind noch keine Bilder')
  })
})

async function sizeOf(address: string): Promise<number> {
  const response = await app.request(address)
  expect([address, response.status]).toEqual([address, 200])
  const { default: sharp } = await import('sharp')
  const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
  return Math.max(width, height)
}

describe('a link that does not open', () => {
  it('looks the same for every reason, to people and to programs', async () => {
    const image = await newImage()
    const ended = await newLink({ images: [image], ends_at: new Date(app.deps.now() + 60_000).toISOString() })
    const waiting = await newLink({ images: [image], starts_at: new Date(app.deps.now() + 9e6).toISOString() })
    app.moveClock(120_000)
    const pages = []
    for (const path of [
      '/l/never-existed',
      ended,
      waiting,
      `${ended}/none`,
      `${ended}/images.zip`,
      '/l/%00',
      '/l/%22%3E',
    ]) {
      const { status, html, headers } = await open(path)
      expect([path, status, headers.get('cache-control')]).toEqual([path, 404, 'no-store'])
      pages.push(html)
      const data = await app.call('GET', path)
      expect([data.status, data.body.code]).toEqual([404, 'link_not_found'])
    }
    expect(pages[0]).toContain('<h1>This link has ended or never existed</h1>')
    expect(new Set(pages).size).toBe(1)
  })
})

describe('a link with a password', () => {
  const send = (path: string, password: string, headers: Record<string, string> = {}) =>
    app.request(path, {
      method: 'POST',
      body: new URLSearchParams({ password }),
      redirect: 'manual',
      headers: { ...browser, origin: app.url, ...headers },
    })

  it('says nothing of what it shares, and opens with the password', async () => {
    const image = await newImage()
    const path = await newLink({ album_id: await newAlbum([image]), password: 'open sesame' })
    const locked = await open(path)
    expect([locked.status, locked.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    expect(locked.html).toContain('<h1>This link has a password</h1>')
    for (const secret of ['Italy', image, 'By the sea', 'og:url']) expect(locked.html).not.toContain(secret)
    expect((await open(`${path}/images.zip`)).status).toBe(404)
    const wrong = await send(path, 'wrong')
    expect([wrong.status, await wrong.text()]).toEqual([403, expect.stringContaining('This password is wrong')])
    const right = await send(path, 'open sesame')
    expect([right.status, right.headers.get('location')]).toEqual([303, path])
    const [cookie = ''] = right.headers.getSetCookie()
    expect(cookie).toMatch(new RegExp(`^pass=[\\w.-]+; Path=${path}; Max-Age=\\d+; HttpOnly; SameSite=Lax$`))
    const opened = await open(path, { cookie: cookie.split(';', 1)[0] ?? '' })
    expect(opened.html).toContain('<h1>Italy 2026</h1>')
    expect((await open(path)).html).not.toContain('Italy')
  })

  it('has its one address in lower case, for which the cookies are', async () => {
    const path = await newLink({ images: [await newImage()], password: 'sea' })
    for (const more of ['', '/images.zip?album=A', '/Abc'])
      expect((await open(path.toUpperCase().replace('/L/', '/l/') + more)).headers.get('location')).toBe(path + more)
    const answer = await open('/l/%2F%2FEVIL.example')
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/l/%2F%2Fevil.example'])
  })

  it('refuses other sites and other forms, and says when one can try again', async () => {
    const path = await newLink({ images: [await newImage()], password: 'open sesame' })
    expect((await send(path, 'open sesame', { origin: 'https://evil.example' })).status).toBe(403)
    expect((await app.call('POST', path, { body: { password: 'open sesame' } })).status).toBe(415)
    expect((await send(path, 'x'.repeat(5000))).status).toBe(413)
    for (let n = 0; n < 10; n++) await send(path, 'wrong')
    const throttled = await send(path, 'wrong')
    expect([throttled.status, await throttled.text()]).toEqual([
      429,
      expect.stringMatching(/Too many wrong passwords\. Try again in \d+ minutes\./),
    ])
    expect(Number(throttled.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('chats', () => {
  it('show the first image of a link', async () => {
    const path = await newLink({ album_id: await newAlbum([await newImage({ alt: 'Waves' }), await newImage()]) })
    const { result } = await openGraph({ html: (await open(path)).html })
    expect(result).toMatchObject({ ogTitle: 'Italy 2026', ogUrl: app.url + path, twitterCard: 'summary_large_image' })
    expect(result.ogDescription).toBe('2 images · By the sea')
    const [image] = result.ogImage ?? []
    expect(image).toMatchObject({ width: '1200', height: '800', type: 'image/jpeg', alt: 'Waves' })
    expect((await app.request(image?.url ?? '')).status).toBe(200)
  })

  it('show four images in one, of what visitors see now, and nothing once the link has ended or has a password', async () => {
    const colours = ['#ff0000', '#00ff00', '#0000ff', '#ffff00', '#ff00ff']
    const drawn = (background: string) =>
      sharp({ create: { width: 900, height: 600, channels: 3, background } })
        .png()
        .toBuffer()
    const images: string[] = []
    for (const colour of colours) images.push(await newImage({}, 'colour.png', await drawn(colour)))
    const secret = await newImage({ visibility: 'private' })
    const album = await newAlbum([secret, ...images])
    const { body: link } = await app.call('POST', '/api/links', { token: owner.token, body: { album_id: album } })
    const change = (body: object) => app.call('PATCH', `/api/links/${link.id}`, { token: owner.token, body })
    const path = `/l/${link.slug}`
    const urlOf = async () => (await openGraph({ html: (await open(path)).html })).result.ogImage?.[0]
    const shownIn = async (url = '') => {
      const response = await app.request(url)
      const { data, info } = await sharp(Buffer.from(await response.arrayBuffer()))
        .raw()
        .toBuffer({ resolveWithObject: true })
      expect([response.status, info.width, info.height]).toEqual([200, 1200, 630])
      return [
        [300, 150],
        [900, 150],
        [300, 480],
        [900, 480],
      ].map(([x = 0, y = 0]) => {
        const at = (y * info.width + x) * info.channels
        return `#${[...data.subarray(at, at + 3)].map((value) => (value > 128 ? 'ff' : '00')).join('')}`
      })
    }
    const first = await urlOf()
    expect(first).toMatchObject({ width: '1200', height: '630', type: 'image/jpeg', alt: 'Italy 2026' })
    expect(await shownIn(first?.url)).toEqual(colours.slice(0, 4))

    await app.call('DELETE', `/api/images/${images[0]}`, { token: owner.token })
    const second = await urlOf()
    expect(second?.url).not.toBe(first?.url)
    expect(await shownIn(second?.url)).toEqual(colours.slice(1))
    // The old address shows nothing of before either.
    expect(await shownIn(first?.url)).toEqual(colours.slice(1))

    await change({ watermark: 'By Ada' })
    expect((await urlOf())?.url).not.toBe(second?.url)
    expect(await shownIn((await urlOf())?.url)).toHaveLength(4)
    const statusOf = async () => (await app.request(second?.url ?? '')).status
    await change({ password: 'open sesame' })
    expect(await statusOf()).toBe(404)
    await change({ password: null, revoked: true })
    expect(await statusOf()).toBe(404)
    await change({ revoked: false, max_views: 3 })
    expect(await statusOf()).toBe(403)
    expect((await open(`${await newLink({ images: images.slice(1, 3) })}/preview.jpg`)).status).toBe(404)
  })

  it('show the private first image with its key, and nothing of a link with a password', async () => {
    const body = { images: [await newImage({ visibility: 'private' })] }
    const { result } = await openGraph({ html: (await open(await newLink(body))).html })
    expect((await app.request(result.ogImage?.[0]?.url ?? '')).status).toBe(200)
    const locked = await openGraph({ html: (await open(await newLink({ ...body, password: 'x' }))).html })
    expect(locked.result).toMatchObject({ ogTitle: 'Image Host', twitterCard: 'summary' })
    expect(locked.result.ogImage?.[0]?.url).toBe(`${app.url}/icons/icon-512.png`)
  })
})

describe('oEmbed', () => {
  const oembed = (path: string, query = '') =>
    app.call('GET', `/oembed?url=${encodeURIComponent(app.url + path)}${query}`)

  it('describes a link by its first image, which leads to the page, and counts no visit', async () => {
    const image = await newImage({ alt: '"Waves"' })
    const path = await newLink({ album_id: await newAlbum([image, await newImage()]) })
    const { status, body } = await oembed(path, '&maxwidth=500')
    expect([status, body]).toMatchObject([200, { type: 'rich', title: 'Italy 2026', width: 400, height: 267 }])
    expect(body.html).toMatch(
      new RegExp(`^<a href="${app.url}${path}"><img src="[^"]+" alt="&#34;Waves&#34;" width="400"`),
    )
    expect((await app.request(body.thumbnail_url)).status).toBe(200)
    const [link] = (await app.call('GET', `/api/links?image=${image}`, { token: owner.token })).body
    expect(link?.views ?? 0).toBe(0)
    expect((await oembed(await newLink({ album_id: await newAlbum([]) }))).body).toMatchObject({ type: 'link' })
  })

  it('describes a link with enough images by the collage of its preview, as large as there is room', async () => {
    const images = []
    for (let n = 0; n < 4; n++) images.push(await newImage({ visibility: 'private' }))
    const path = await newLink({ images })
    const { result } = await openGraph({ html: (await open(path)).html })
    const { body } = await oembed(path)
    expect(body).toMatchObject({ type: 'rich', width: 1200, height: 630 })
    const image = `<img src="${result.ogImage?.[0]?.url.replaceAll('&', '&amp;')}" alt="4 images"`
    expect(body.html).toContain(`${image} width="1200" height="630"`)
    const small = (await oembed(path, '&maxwidth=600')).body
    // The collage is larger than that: its reader may not scale a thumbnail.
    expect(small).toMatchObject({ width: 600, height: 315, thumbnail_width: 512 })
    expect(small.html).toContain(`${image} width="600" height="315"`)
    expect((await app.request(small.thumbnail_url)).status).toBe(200)
  })

  it('has nothing of a link that does not open for everyone', async () => {
    const images = [await newImage()]
    expect((await oembed('/l/never-existed')).body.code).toBe('link_not_found')
    expect((await oembed(await newLink({ images, password: 'x' }))).status).toBe(401)
    expect((await oembed(await newLink({ images, max_views: 3 }))).status).toBe(401)
  })
})

describe('the ZIP file of a link', () => {
  const download = (path: string, method = 'GET') => app.request(`${path}/images.zip`, { method })

  it('has its size before it is sent, and every image once', async () => {
    const album = await newAlbum([await newImage(), await newImage()], { title: 'Italien „2026“' })
    await newAlbum([await newImage()], { title: 'Genoa', parent_id: album })
    const path = await newLink({ album_id: album })
    const [head, response] = [await download(path, 'HEAD'), await download(path)]
    const bytes = Buffer.from(await response.arrayBuffer())
    for (const { headers } of [head, response]) expect(headers.get('content-length')).toBe(String(bytes.length))
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="Italien _2026_.zip"; filename*=UTF-8''${encodeURIComponent('Italien „2026“')}.zip`,
      'cache-control': 'private, no-store',
    })
    // Each name comes twice: before the bytes, and in the list at the end.
    const names = bytes.toString('latin1').match(/(?:Genoa\/)?sea(?: \(2\))?\.jpg/g)
    expect(names?.slice(3)).toEqual(['sea.jpg', 'sea (2).jpg', 'Genoa/sea.jpg'])
  })

  it('is resumed where it broke off, while its album is the same', async () => {
    const album = await newAlbum([await newImage(), await newImage()], { title: 'Sea' })
    const path = `${await newLink({ album_id: album })}/images.zip`
    const get = async (headers: Record<string, string> = {}) => {
      const response = await app.request(path, { headers })
      return { response, bytes: Buffer.from(await response.arrayBuffer()) }
    }
    const { response, bytes } = await get()
    const etag = response.headers.get('etag') ?? ''
    expect(response.headers.get('accept-ranges')).toBe('bytes')
    expect((await get()).bytes.equals(bytes)).toBe(true)
    const rest = await get({ range: 'bytes=500-', 'if-range': etag })
    expect(rest.response.status).toBe(206)
    expect(rest.response.headers.get('content-range')).toBe(`bytes 500-${bytes.length - 1}/${bytes.length}`)
    expect(rest.bytes.equals(bytes.subarray(500))).toBe(true)
    expect((await get({ range: 'bytes=-30' })).bytes.equals(bytes.subarray(-30))).toBe(true)
    const beyond = await get({ range: `bytes=${bytes.length}-` })
    expect([beyond.response.status, beyond.response.headers.get('content-range')]).toEqual([
      416,
      `bytes */${bytes.length}`,
    ])
    const changed = await get({ range: 'bytes=500-', 'if-range': '"other"' })
    expect([changed.response.status, changed.bytes.length]).toEqual([200, bytes.length])
  })

  it('is not there where visitors may not download the originals', async () => {
    const images = [await newImage(), await newImage()]
    for (const body of [{ can_download: false }, { max_size: 800 }, { watermark: 'Ada' }]) {
      const path = await newLink({ images, ...body })
      expect((await open(path)).html).not.toContain('images.zip')
      expect((await download(path)).status).toBe(404)
    }
  })

  it('ends early, with an error, when the store has lost an image', async () => {
    const images = [await newImage(), await newImage()]
    const path = await newLink({ images })
    await app.deps.blobs.delete(images[1] ?? '')
    const response = await download(path)
    expect(response.status).toBe(200)
    await expect(response.arrayBuffer()).rejects.toThrow('terminated')
  })
})
