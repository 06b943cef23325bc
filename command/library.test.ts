// `image-host/client` as its users import it: by the name of the package, from the build.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../server/testing/app.ts'
import { jpeg } from '../server/testing/test-images.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
let folder: string
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  folder = await mkdtemp(join(tmpdir(), 'image-host-client-'))
  await mkdir(join(folder, 'node_modules'))
  await symlink(root, join(folder, 'node_modules', 'image-host'))
})
afterAll(async () => {
  await app.stop()
  await rm(folder, { recursive: true })
})

const run = (args: string[], env: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, args, { cwd: folder, env: { ...process.env, ...env } })

it('the example of docs/api.md runs', async () => {
  const { token } = await app.newUser()
  const { body } = await app.call('POST', '/api/api-keys', { token, body: { name: 'example', scopes: ['manage'] } })
  await writeFile(join(folder, 'example.mjs'), await readFile(join(root, 'docs/client-example.mjs')))
  await writeFile(join(folder, 'photo.jpg'), await jpeg())
  const { stdout } = await run(['example.mjs'], { IMAGE_HOST_URL: app.url, IMAGE_HOST_KEY: body.apiKey.key })
  expect(stdout).toMatch(
    new RegExp(String.raw`^${app.url}/uploads/photo-.*\.jpg\n1 images, the newest is photo\.jpg\nexpires 2.*Z\n$`),
  )
})

it('its declarations type requests and responses', async () => {
  await writeFile(
    join(folder, 'use.mts'),
    `import { connect, imageUrls, type Image } from 'image-host/client'
const host = connect({ url: 'https://img.example.com' })
const images: Image[] = (await host.listImages({ query: { limit: 5, cursor: undefined } })).items
await host.extendImage({ params: { id: images[0]!.id } })
await host.uploadImage(new Blob([]), { title: 'Harbour', alt: 'Boats', maxViews: 5 })
// @ts-expect-error -- an album has a title
await host.createAlbum({})
// @ts-expect-error -- no such order
await host.listImages({ query: { sort: 'odd' } })
const url: string = imageUrls.webp('https://img.example.com', images[0]!.id, 80)
// @ts-expect-error -- a number is not a name
await host.uploadImage(new Blob([]), { fileName: 1 })
// @ts-expect-error -- no such field
images[0]!.nonsense
export { url }
`,
  )
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', '']
  const { stdout } = await run([join(root, 'node_modules/typescript/bin/tsc'), ...options, 'use.mts']).catch(
    (error: { stdout: string }) => error,
  )
  expect(stdout).toBe('')
})
