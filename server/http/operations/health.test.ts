import type { KyselyPlugin } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'

let app: TestApp
afterEach(() => app.stop())

it('a server that stops says so on readyz first, and serves requests until it is drained', async () => {
  app = await startTestApp()
  let end = () => {}
  const stopping = app.halt(new Promise<void>((resolve) => (end = resolve)))
  expect(await app.call('GET', '/readyz')).toMatchObject({ status: 503, body: { code: 'busy' } })
  const image = await app.guestImage(await jpeg())
  expect((await app.request(image.url)).status).toBe(200)
  expect((await app.call('GET', '/healthz')).status).toBe(200)
  end()
  await stopping
  await expect(app.request('/healthz')).rejects.toThrow('fetch failed')
})

it('a decoder that cannot start: uploads say so with 500, and readyz fails', async () => {
  app = await startTestApp({}, undefined, { decoderEntry: new URL('file:///nowhere/main.js') })
  expect((await app.call('GET', '/readyz')).status).toBe(200)
  const failure = { status: 500, body: { code: 'decoder_unavailable' } }
  expect(await app.upload(await jpeg())).toMatchObject(failure)
  expect(await app.call('GET', '/readyz')).toMatchObject(failure)
  expect(app.logged).toContainEqual(
    expect.objectContaining({
      level: 50,
      event: 'decoder_cannot_start',
      trace: expect.stringContaining('Cannot find module'),
    }),
  )
})

it('readyz runs one query for all concurrent requests, and responds in time while the database does not', async () => {
  let queries = 0
  let release = () => {}
  let blocked: Promise<void> | undefined
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      queries++
      return node
    },
    transformResult: async ({ result }) => {
      await blocked
      return result
    },
  }
  app = await startTestApp({}, undefined, {
    wrap: async (deps) => ({ ...deps, db: deps.db.withPlugin(plugin) }),
  })
  expect(await app.call('GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })

  blocked = new Promise((resolve) => (release = resolve))
  const before = queries
  const responses = await Promise.all(Array.from({ length: 50 }, () => app.call('GET', '/readyz')))
  for (const { status, body, headers } of responses)
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'busy', '1'])
  expect((await app.call('GET', '/healthz')).status).toBe(200)
  expect(queries - before).toBe(1)

  release()
  blocked = undefined
  expect((await app.call('GET', '/readyz')).status).toBe(200)
})
