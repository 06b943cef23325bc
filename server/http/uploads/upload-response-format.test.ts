import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'

let app: TestApp
let picture: Buffer
beforeAll(async () => {
  app = await startTestApp()
  picture = await jpeg()
})
afterAll(() => app.stop())

async function upload(query: string, headers: Record<string, string> = {}, bytes = picture) {
  const form = new FormData()
  form.append('image', new Blob([new Uint8Array(bytes)]), 'photo.jpg')
  return app.request(`/api/upload${query}`, { method: 'POST', body: form, headers, redirect: 'manual' })
}
const photoUrl = /^http:\/\/.+\/uploads\/photo-[\w-]{22}\.jpg$/

describe('the response of POST /api/upload', () => {
  it('has the fields that clients of Lsky and EasyImage read', async () => {
    const image = (await app.upload(picture)).body
    const { url, thumbnailUrl, delete_url: deleteUrl, file_name: name } = image
    expect(image).toMatchObject({
      success: true,
      code: 200,
      result: 'success',
      message: 'success',
      page_url: `${app.url}/i/${image.id}`,
      thumb: thumbnailUrl,
      del: deleteUrl,
      data: {
        key: image.id,
        name,
        url,
        links: {
          url,
          html: `<img src="${url}" alt="${name}" title="${name}" />`,
          bbcode: `[img]${url}[/img]`,
          markdown: `![${name}](${url})`,
          markdown_with_link: `[![${name}](${url})](${url})`,
          thumbnail_url: thumbnailUrl,
          delete_url: deleteUrl,
        },
      },
    })
  })

  it.each([
    ['?format=txt', {}],
    ['', { accept: 'text/plain' }],
    ['', { accept: 'text/plain; charset=utf-8, */*;q=0.1' }],
  ])('is the bare URL for %j %j', async (query, headers: Record<string, string>) => {
    const response = await upload(query, headers)
    expect([response.status, response.headers.get('content-type')]).toEqual([201, 'text/plain; charset=utf-8'])
    expect(await response.text()).toMatch(photoUrl)
  })

  it('redirects to the image for ?format=redirect', async () => {
    const response = await upload('?format=redirect')
    expect([response.status, response.headers.get('location')]).toEqual([303, expect.stringMatching(photoUrl)])
  })

  it.each([
    ['', { accept: 'application/json, text/plain, */*' }],
    ['?format=json', { accept: 'text/plain' }],
  ])('is JSON for %j %j', async (query, headers: Record<string, string>) => {
    const response = await upload(query, headers)
    expect(await response.json()).toMatchObject({ success: true })
  })

  it('of a failure is in the same format', async () => {
    const bad = Buffer.from('not an image')
    const json = await upload('', {}, bad)
    const { error, ...rest } = (await json.json()) as Record<string, unknown>
    expect([json.status, rest]).toEqual([415, { code: 'unsupported_type', message: error, success: false }])
    const text = await upload('?format=txt', {}, bad)
    expect([text.status, await text.text()]).toEqual([415, error])
    expect(await (await upload('?format=xml')).json()).toMatchObject({ code: 'invalid_input', success: false })
  })
})
