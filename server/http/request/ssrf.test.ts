// By default the server connects to no address that a client supplies; upload-by-url.test.ts has the
// exception. scripts/dangerous.test.ts lists the files that open connections at all.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'

let app: TestApp
let canary: string
const received: string[] = []
const listener = createServer((request, response) => {
  received.push(request.url ?? '')
  response.end('x')
})
beforeAll(async () => {
  app = await startTestApp({ DB_VIEW_PIN: '4711' })
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  canary = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
})
afterAll(async () => {
  listener.close()
  await app.stop()
})

const title = 'no address in a field, a header, an image or a document is ever fetched'
it(title, { timeout: 60_000 }, async () => {
  const { token } = await app.newUser()
  const { body } = await app.call('POST', '/db/unlock', { token, body: { pin: '4711' } })
  const link = `${canary}/seen`
  const headers = {
    'x-db-token': body.token,
    'x-forwarded-host': canary.slice(7),
    forwarded: `host=${canary.slice(7)}`,
    referer: link,
    'x-original-url': link,
  }
  const svgs = [
    `<image href="${link}" width="9" height="9"/>`,
    `<use href="${link}#a"/>`,
    `<style>@import "${link}"; rect { fill: url(${link}) }</style><rect width="9" height="9"/>`,
    `<filter id="f"><feImage href="${link}"/></filter><rect width="9" height="9" filter="url(#f)"/>`,
  ].map((drawing) => `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${drawing}</svg>`)
  for (const svg of [...svgs, `<!DOCTYPE svg [<!ENTITY e SYSTEM "${link}">]>${svgs[0]}`]) {
    await app.upload(Buffer.from(svg), { name: 'a.svg', type: 'image/svg+xml', token })
  }
  const uploaded = await app.upload(await jpeg(), { name: link, token, headers })
  const calls: [string, string, unknown][] = [
    ['POST', '/api/upload', { url: link, image: link }],
    ['POST', '/db/collections/links/documents', { url: link, $ref: link }],
    ['PUT', '/api/me', { name: link }],
    ['POST', '/api/api-keys', { name: link }],
    ['GET', `/api/analyze/${uploaded.body.id}`, undefined],
    ['GET', `/api/thumbnail/${encodeURIComponent(link)}/100`, undefined],
    ['GET', `/api/resize/${uploaded.body.id}/20?url=${encodeURIComponent(link)}`, undefined],
    ['GET', `/uploads/${encodeURIComponent(link)}`, undefined],
    ['GET', link.replace('http:/', ''), undefined],
  ]
  for (const [method, path, sent] of calls) {
    const { status } = await app.call(method, path, { token, headers, body: sent })
    expect(status, path).toBeLessThan(500)
  }
  expect(received).toEqual([])
  expect(await (await fetch(link)).text()).toBe('x')
  expect(received).toEqual(['/seen'])
})
