// Anyone may request 64 sizes of an image: the files that galleries and renders need stay.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { limits } from '../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

it('many requested sizes of an image evict neither its thumbnails nor its intermediate', async () => {
  const { id } = await app.guestImage(await jpeg(1800, 900))
  const before = await app.files(`variants/${id.slice(0, 2)}/${id}`)
  expect(before).toHaveLength(3)
  for (let width = 1; width <= limits.variant.maxStoredPerImage + 3; width++) {
    const response = await app.request(`/api/thumbnail/${id}/${width}`)
    await response.arrayBuffer()
    expect(response.status).toBe(200)
  }
  await expect.poll(() => app.files(`variants/${id.slice(0, 2)}/${id}`)).toHaveLength(limits.variant.maxStoredPerImage)
  expect(await app.files(`variants/${id.slice(0, 2)}/${id}`)).toEqual(expect.arrayContaining(before))
})
