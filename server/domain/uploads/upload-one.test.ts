import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UploadedImage } from '../../../contract/endpoints/images.ts'
import { dayMs } from '../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import {
  animation,
  gpsWords,
  hugePngHeader,
  jpeg,
  phonePhotograph,
  png,
  textNamedPng,
  webp,
} from '../../testing/test-images.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const imageCount = async () =>
  Number(
    (
      await app.deps.db
        .selectFrom('images')
        .select((s) => s.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )

describe('uploadImage', () => {
  it.each([
    ['PNG', png, 'image/png', 'png'],
    ['JPEG', jpeg, 'image/jpeg', 'jpg'],
    ['WebP', webp, 'image/webp', 'webp'],
  ])('accepts a %s from a guest and returns every field', async (_, make, mime, extension) => {
    const before = Date.now()
    const { status, body, headers } = await app.upload(await make(640, 480), {
      name: 'Harbour at Dusk.bin',
      type: 'text/plain',
    })
    expect(status).toBe(201)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toMatchObject({ original_name: 'Harbour at Dusk.bin', width: 640, height: 480, mime, frames: 1 })
    expect(body).toMatchObject({ guest: true, is_guest: true })
    expect(body.id).toMatch(/^[\w-]{22}$/)
    expect(body.file_name).toBe(`harbour-at-dusk-${body.id}.${extension}`)
    expect(body.url).toBe(`${app.url}/uploads/${body.file_name}`)
    expect(body.thumbnailUrl).toBe(`${app.url}/api/thumbnail/${body.id}/400`)
    expect(body.delete_token).toMatch(/^[\w-]{43}$/)
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(60 * dayMs)
    expect(Date.parse(body.created_at)).toBeGreaterThanOrEqual(before)
  })

  it('stores only the hash of the delete token', async () => {
    const image = await app.guestImage(await jpeg())
    const row = await app.deps.db.selectFrom('images').selectAll().where('id', '=', image.id).executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(image.delete_token)
  })

  it('accepts GIF and 10 MB from a user, retained 365 days, with no delete token', async () => {
    const { token } = await app.newUser()
    const { status, body } = await app.upload(await animation('gif'), { token, name: 'moving.gif' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ guest: false, mime: 'image/gif', frames: 4 })
    expect(body).not.toHaveProperty('delete_token')
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(365 * dayMs)

    const large = Buffer.concat([await jpeg(), Buffer.alloc(10 * 1024 * 1024)])
    expect(await app.upload(large, { token })).toMatchObject({
      status: 413,
      body: { error: 'File is larger than 10485760 bytes' },
    })
  })

  const refusals: [what: string, make: () => Promise<Buffer> | Buffer, status: number, code: string, text: string][] = [
    [
      '5 MB and a byte',
      () => Buffer.alloc(5 * 1024 * 1024 + 1),
      413,
      'file_too_large',
      'File is larger than 5242880 bytes',
    ],
    ['20 MB', () => Buffer.alloc(20 * 1024 * 1024), 413, 'file_too_large', 'File is larger than 5242880 bytes'],
    ['a GIF from a guest', () => animation('gif'), 415, 'unsupported_type', 'File type must be PNG, JPG, JPEG or WebP'],
    ['a text named .png', () => textNamedPng, 415, 'unsupported_type', 'File type must be PNG, JPG, JPEG'],
    [
      'an SVG',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      415,
      'unsupported_type',
      'File type must be PNG, JPG, JPEG',
    ],
    ['an empty file', () => Buffer.alloc(0), 400, 'empty_file', 'File is smaller than 1 byte'],
    [
      'a truncated JPEG',
      async () => (await jpeg()).subarray(0, 5000),
      422,
      'broken_image',
      'The image is broken or incomplete',
    ],
    [
      'a truncated PNG',
      async () => (await png()).subarray(0, -200),
      422,
      'broken_image',
      'The image is broken or incomplete',
    ],
    [
      'a truncated WebP',
      async () => (await webp()).subarray(0, -200),
      422,
      'broken_image',
      'The image is broken or incomplete',
    ],
    ['a PNG header of 100000 x 100000', hugePngHeader, 422, 'image_over_limit', '100000'],
  ]
  it.each(refusals)('refuses %s with the reason and stores nothing', async (_, make, status, code, text) => {
    const before = [await imageCount(), await app.files('originals'), await app.files('variants')]
    const answer = await app.upload(await make(), { name: 'picture.png', type: 'image/png' })
    expect(answer).toMatchObject({ status, body: { code } })
    expect(answer.body.error).toContain(text)
    expect([await imageCount(), await app.files('originals'), await app.files('variants')]).toEqual(before)
    expect(await app.files('tmp')).toEqual([])
  })

  it('accepts exactly 5 MB', async () => {
    // Filler behind the end of a picture is dropped by the rewrite, and counts for the limit.
    const picture = await jpeg()
    const exact = Buffer.concat([picture, Buffer.alloc(5 * 1024 * 1024 - picture.length)])
    const { status, body } = await app.upload(exact)
    expect(status).toBe(201)
    expect(body.size).toBeLessThan(picture.length + 100)
  })

  it('stops reading a body without a length when it is too large', async () => {
    const boundary = 'xxBOUNDARYxx'
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      start: (controller) =>
        controller.enqueue(
          Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n`),
        ),
      pull(controller) {
        sent += 65_536
        if (sent > 30 * 1024 * 1024) controller.close()
        else controller.enqueue(new Uint8Array(65_536))
      },
    })
    const init = {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    }
    const response = await app.request('/api/upload', init as RequestInit)
    expect(response.status).toBe(413)
    expect(await app.files('tmp')).toEqual([])
  })

  const forms: [what: string, send: () => Promise<Response>, status: number, code: string][] = [
    ['no form', () => app.request('/api/upload', { method: 'POST', body: 'hello' }), 415, 'unsupported_body'],
    [
      'JSON without an image',
      () => app.request('/api/upload', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }),
      415,
      'unsupported_body',
    ],
    [
      'a form without a file',
      () => app.request('/api/upload', { method: 'POST', body: form({ title: 'x' }) }),
      400,
      'no_file',
    ],
    [
      'a file under another name',
      () => app.request('/api/upload', { method: 'POST', body: form({ other: new Blob(['x']) }) }),
      400,
      'no_file',
    ],
    [
      'no boundary',
      () =>
        app.request('/api/upload', { method: 'POST', body: 'x', headers: { 'content-type': 'multipart/form-data' } }),
      400,
      'malformed_upload',
    ],
    [
      'a form that breaks off',
      () =>
        app.request('/api/upload', {
          method: 'POST',
          body: '--b\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\nabc',
          headers: { 'content-type': 'multipart/form-data; boundary=b' },
        }),
      400,
      'malformed_upload',
    ],
    [
      'eleven fields',
      () =>
        app.request('/api/upload', {
          method: 'POST',
          body: form(Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`f${i}`, 'x']))),
        }),
      400,
      'malformed_upload',
    ],
  ]
  it.each(forms)('refuses %s', async (_, send, status, code) => {
    const response = await send()
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ code })
    expect(await app.files('tmp')).toEqual([])
  })

  it.each([
    [{ expires_in: 3600, max_views: 3 }, 201, undefined],
    [{ expires_in: '1h', max_views: '3' }, 201, undefined],
    [{ expires_in: 1.5 }, 400, 'expires_in: must be seconds, or a number with s, m, h or d'],
    [{ expires_in: true }, 400, 'expires_in: must be seconds, or a number with s, m, h or d'],
    [{ max_views: 0.5 }, 400, 'max_views: must be a whole number from 1 to 1000000'],
    [{ max_views: -1 }, 400, 'max_views: must be a whole number from 1 to 1000000'],
    [{ max_views: null }, 400, 'max_views: must be a whole number from 1 to 1000000'],
  ])('takes numbers in JSON, as in %j', async (fields, status, error) => {
    const body = JSON.stringify({ image: (await jpeg()).toString('base64'), ...fields })
    const headers = { 'content-type': 'application/json' }
    const response = await app.request('/api/upload', { method: 'POST', body, headers })
    const image: Partial<UploadedImage & { error: string }> = JSON.parse(await response.text())
    expect([response.status, image.error]).toEqual([status, error])
    if (status === 201) {
      expect(image.views_left).toBe(3)
      expect(Date.parse(image.expires_at ?? '') - Date.parse(image.created_at ?? '')).toBe(3_600_000)
    }
  })

  it.each([
    ['harbour at dusk.jpg', 'harbour at dusk.jpg'],
    ['sea/harbour.jpg', 'sea_harbour.jpg'],
    ['', 'image'],
    [undefined, 'image'],
  ])('has the name in JSON: %j', async (filename, name) => {
    const body = JSON.stringify({ image: (await jpeg()).toString('base64'), filename })
    const headers = { 'content-type': 'application/json' }
    const response = await app.request('/api/upload', { method: 'POST', body, headers })
    expect(await response.json()).toMatchObject({ original_name: name })
  })

  it('names what it takes when the body is an image itself', async () => {
    const init = { method: 'POST', body: new Uint8Array(await jpeg()), headers: { 'content-type': 'image/jpeg' } }
    expect(await (await app.request('/api/upload', init)).json()).toMatchObject({
      error: 'The Content-Type is not supported. Send multipart/form-data with a file, or JSON with base64',
    })
  })

  it('refuses two files', async () => {
    const two = new FormData()
    two.append('image', new Blob([new Uint8Array(await jpeg())]), 'a.jpg')
    two.append('image', new Blob([new Uint8Array(await jpeg())]), 'b.jpg')
    const response = await app.request('/api/upload', { method: 'POST', body: two })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'Too many files' })
  })

  it('refuses a guest upload from another site and accepts one from its own page', async () => {
    const bytes = await jpeg()
    expect(await app.upload(bytes, { headers: { origin: 'https://evil.example' } })).toMatchObject({
      status: 403,
      body: { code: 'foreign_origin' },
    })
    expect(await app.upload(bytes, { headers: { origin: 'null' } })).toMatchObject({ status: 403 })
    expect(await app.upload(bytes, { headers: { origin: app.url } })).toMatchObject({ status: 201 })
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'shows orientation %i upright everywhere and removes the location',
    async (orientation) => {
      const sent = await phonePhotograph(orientation)
      expect(sent.includes(gpsWords.model)).toBe(true)
      const image = await app.guestImage(sent)
      expect([image.width, image.height]).toEqual([400, 300])
      const paths = [
        image.url,
        image.thumbnailUrl,
        `/api/resize/${image.id}/200`,
        `/api/jpeg/${image.id}/200`,
        `/api/webp/${image.id}/80?width=200`,
      ]
      for (const path of paths) {
        const bytes = Buffer.from(await (await app.request(path)).arrayBuffer())
        for (const trace of [gpsWords.model, gpsWords.comment]) expect(bytes.includes(trace)).toBe(false)
        const metadata = await sharp(bytes).metadata()
        expect(metadata.exif === undefined || metadata.exif.length < 40).toBe(true)
        const { data, info } = await sharp(bytes).autoOrient().raw().toBuffer({ resolveWithObject: true })
        expect(info.width / info.height).toBeCloseTo(4 / 3, 1)
        const corner = data.subarray((5 * info.width + 5) * info.channels, (5 * info.width + 5) * info.channels + 3)
        expect(corner[0]).toBeGreaterThan(200)
        expect(corner[1]).toBeLessThan(80)
      }
    },
  )

  it('applies the sizes and retentions of the settings, and publishes them', async () => {
    const tuned = await startTestApp({
      GUEST_MAX_BYTES: '20000',
      USER_MAX_BYTES: '30000',
      GUEST_RETENTION_DAYS: '5',
      USER_RETENTION_DAYS: '500',
      GUEST_MAX_DAYS: '10',
    })
    try {
      const { token } = await tuned.newUser()
      const small = await jpeg(40, 30)
      const padded = (length: number) => Buffer.concat([small, Buffer.alloc(length - small.length)])
      const lifeDays = ({ body }: { body: { created_at: string; expires_at: string } }) =>
        (Date.parse(body.expires_at) - Date.parse(body.created_at)) / dayMs
      expect(lifeDays(await tuned.upload(padded(20_000)))).toBe(5)
      expect(lifeDays(await tuned.upload(padded(30_000), { token }))).toBe(500)
      expect((await tuned.upload(padded(20_001))).body.error).toBe('File is larger than 20000 bytes')
      expect((await tuned.upload(padded(30_001), { token })).body.error).toBe('File is larger than 30000 bytes')
      const { body } = await tuned.call('GET', '/api/limits')
      expect(body.guest).toMatchObject({ maxBytes: 20_000, keptDays: 5, maxDays: 10 })
      expect(body.user).toMatchObject({ maxBytes: 30_000, keptDays: 500, quotaBytes: 10 * 1024 ** 3 })
    } finally {
      await tuned.stop()
    }
  })

  it('refuses guest uploads with GUEST_UPLOADS=off', async () => {
    const closed = await startTestApp({ GUEST_UPLOADS: 'off' })
    try {
      expect(await closed.upload(await jpeg())).toMatchObject({ status: 403, body: { code: 'guest_uploads_off' } })
      const { token } = await closed.newUser()
      expect(await closed.upload(await jpeg(), { token })).toMatchObject({ status: 201 })
    } finally {
      await closed.stop()
    }
  })
})

function form(fields: Record<string, string | Blob>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') data.append(name, value)
    else data.append(name, value, 'file.png')
  }
  return data
}
