import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'

let app: TestApp
let picture: Buffer
let token: string
let userId: string

beforeAll(async () => {
  app = await startTestApp()
  picture = await jpeg()
  ;({ token, id: userId } = await app.newUser())
})
afterAll(() => app.stop())

const uploadAs = async (uploader: 'guest' | 'user', name?: string) =>
  (await app.upload(picture, { ...(uploader === 'user' ? { token } : {}), ...(name === undefined ? {} : { name }) }))
    .body
const pathOf = ({ delete_url: url }: { delete_url: string }) => new URL(url).pathname
const open = async (path: string, method = 'GET') => {
  const response = await app.request(path, { method })
  return { status: response.status, headers: response.headers, html: await response.text() }
}

describe('the delete link', () => {
  it.each(['guest', 'user'] as const)('of a %s shows the image at GET and deletes it at POST', async (uploader) => {
    const image = await uploadAs(uploader)
    expect(image.delete_url).toMatch(`${app.url}/d/${image.id}/`)
    const page = await open(pathOf(image))
    expect(page.status).toBe(200)
    expect(page.html).toContain('<form method="post">')
    expect(page.html).toContain(`<img src="${image.thumbnailUrl}"`)
    // In the order of every dialog: the way back first.
    expect(page.html).toMatch(
      new RegExp(
        `<a class="button" href="/i/${image.id}">Cancel</a>\\s*<form method="post"><button class="button danger">`,
      ),
    )
    expect(page.html).toContain('<link rel="icon" href="/favicon.svg" type="image/svg+xml">')
    await open(pathOf(image), 'HEAD')
    expect((await app.request(image.url)).status).toBe(200)

    expect(await open(pathOf(image), 'POST')).toMatchObject({
      status: 200,
      html: expect.stringContaining('Image deleted'),
    })
    expect((await app.request(image.url)).status).toBe(410)
    for (const method of ['GET', 'POST']) expect((await open(pathOf(image), method)).status).toBe(410)
  })

  it('is the same in every response of an upload', async () => {
    const image = await uploadAs('user')
    expect([image.del, image.data.links.delete_url]).toEqual([image.delete_url, image.delete_url])
    expect(image).not.toHaveProperty('delete_token')
  })

  it('of a guest carries its delete_token', async () => {
    const image = await uploadAs('guest')
    expect(pathOf(image)).toBe(`/d/${image.id}/${image.delete_token}`)
  })

  it('with another token deletes nothing', async () => {
    const [guest, mine] = [await uploadAs('guest'), await uploadAs('user')]
    const wrong = [
      `/d/${mine.id}/${guest.delete_token}`,
      `/d/${guest.id}/${pathOf(mine).split('/')[3]}`,
      `/d/${mine.id}/${pathOf(mine).split('/')[3]?.slice(1)}`,
      `/d/${mine.id}/x`,
      `/d/${mine.id}/%00`,
    ]
    for (const path of wrong) {
      for (const method of ['GET', 'POST']) {
        const page = await open(path, method)
        expect([page.status, path], method).toEqual([403, path])
        expect(page.html).toContain('The delete token does not belong to this image')
        expect(page.html).not.toContain('<form')
      }
    }
    expect((await open(`/d/${'x'.repeat(22)}/x`)).status).toBe(404)
    for (const { url } of [guest, mine]) expect((await app.request(url)).status).toBe(200)
  })

  it('ends when a guest image is claimed, and that of the account begins', async () => {
    const image = await uploadAs('guest')
    const body = { images: [{ id: image.id, token: image.delete_token }] }
    expect((await app.call('POST', '/api/images/claim', { token, body })).status).toBe(200)
    expect((await open(pathOf(image), 'POST')).status).toBe(403)
  })

  it('deletes nothing of a suspended account', async () => {
    const image = await uploadAs('user')
    const setStatus = (status: 'Active' | 'Inactive') =>
      app.deps.db.updateTable('users').set({ status }).where('id', '=', userId).execute()
    await setStatus('Inactive')
    expect((await open(pathOf(image), 'POST')).status).toBe(451)
    await setStatus('Active')
    expect((await open(pathOf(image))).status).toBe(200)
  })

  it('cannot be framed, cached or indexed, runs no script, and hands its URL to no other site', async () => {
    const image = await uploadAs('guest', '<img src=x onerror=alert(1)>.jpg')
    const { headers, html } = await open(pathOf(image))
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-.*frame-ancestors 'none'/,
      ),
    })
    expect(html).toContain('&#60;img src=x onerror=alert(1)&#62;.jpg')
  })

  it('appears in no log line', async () => {
    const image = await uploadAs('user')
    await open(pathOf(image))
    await open(pathOf(image).replace('/d/', '/%64/'))
    const secret = pathOf(image).split('/')[3] ?? ''
    expect(JSON.stringify(app.logged)).toContain(`/d/${image.id}/***`)
    expect(JSON.stringify(app.logged)).not.toContain(secret)
  })
})
