import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { requestModerated, requestThumbnails } from './early-thumbnails.ts'

const requested: string[] = []
const stored = new Map<string, string>()

beforeEach(() => {
  requested.length = 0
  stored.clear()
  vi.stubGlobal('localStorage', { getItem: (key: string) => stored.get(key) ?? null })
  vi.stubGlobal('innerWidth', 1280)
  vi.stubGlobal('devicePixelRatio', 1)
  vi.stubGlobal(
    'Image',
    class {
      set src(url: string) {
        requested.push(url)
      }
    },
  )
})
afterEach(() => vi.unstubAllGlobals())

const image = (id: number, more: object = {}) => ({ width: 1500, height: 1000, thumbnailUrl: `/${id}`, ...more })
const listed = (...images: object[]) => Response.json(images)

it('the thumbnails of the first tiles are requested, and the list can still be read', async () => {
  const response = listed(...Array.from({ length: 100 }, (_, id) => image(id)))
  await requestThumbnails(response)
  expect(requested).toEqual(Array.from({ length: 12 }, (_, id) => `/${id}`))
  expect(await response.json()).toHaveLength(100)
})

it('an image with limited views is not requested: that would take one', async () => {
  await requestThumbnails(listed(image(1, { views_left: 3 }), image(2, { views_left: null })))
  expect(requested).toEqual(['/2'])
})

it.each([
  ['many pixels per point', () => vi.stubGlobal('devicePixelRatio', 3)],
  ['high rows', () => stored.set('gallery', JSON.stringify({ rowHeight: 400 }))],
  ['the list view', () => stored.set('gallery', JSON.stringify({ view: 'list' }))],
])('with %s the tiles load other variants, so nothing is requested', async (_, choose) => {
  choose()
  await requestThumbnails(listed(image(1, { width: 3000, height: 1000 })))
  expect(requested).toEqual([])
})

it('of everyone, those that are served are requested', async () => {
  const served = { quarantined_at: null, owner: { status: 'Active' } }
  const response = listed(
    image(1, served),
    image(2, { ...served, owner: null }),
    image(3, { ...served, quarantined_at: '2026-11-28T12:00:00.000Z' }),
    image(4, { ...served, owner: { status: 'Inactive' } }),
    image(5, { ...served, views_left: 2 }),
  )
  await requestModerated(response)
  expect(requested).toEqual(['/1', '/2'])
  expect(await response.json()).toHaveLength(5)
})

it('without a response nothing is requested', async () => {
  await requestThumbnails(undefined)
  await requestModerated(undefined)
  expect(requested).toEqual([])
})
