import { expect, it, vi } from 'vitest'
import type { Image } from '../../../../contract/endpoints/images.ts'
import { ApiError } from '../../../model/api-error.ts'
import { galleryStore } from '../../../model/images/gallery.ts'
import { createStore } from '../../../model/store.ts'
import type { UploadItem } from './upload-state.ts'

const client = vi.hoisted(() => ({ moveInAlbum: vi.fn(), listAlbumImages: vi.fn() }))
vi.mock('../../../model/http.ts', () => ({ client }))
const { keepAlbumPlaces, placesOf } = await import('./album-places.ts')

const none: ReadonlySet<string> = new Set()

it.each([
  ['nothing new', ['a', 'b'], new Set(['a', 'b']), []],
  ['one alone is at the end already', ['a', 'b'], new Set(['a']), []],
  ['several go in front of the last of them', ['a', 'b', 'c'], none, [{ ids: ['a', 'b'], before: 'c' }]],
  [
    'one that was overtaken goes in front of the next',
    ['a', 'b', 'c'],
    new Set(['b', 'c']),
    [{ ids: ['a'], before: 'b' }],
  ],
  [
    'each run has its place',
    ['a', 'b', 'c', 'd', 'e', 'f'],
    new Set(['c', 'd']),
    [
      { ids: ['a', 'b'], before: 'c' },
      { ids: ['e'], before: 'f' },
    ],
  ],
])('%s', (_, images, placed, moves) => {
  expect(placesOf(images, placed)).toEqual(moves)
})

/** Of three uploads into an album that is shown, the last of which came first. @param refusal of a move in front of it */
function placeThree(refusal: ApiError): void {
  vi.spyOn(console, 'info').mockImplementation(() => {})
  client.listAlbumImages.mockReset().mockResolvedValue({ items: [], total: 0 })
  client.moveInAlbum.mockReset().mockImplementation(async ({ body }) => {
    if (body.before !== null) throw refusal
  })
  const { query, ...rest } = galleryStore.get()
  const items = ['c', 'a', 'b'].map((id) => ({ id }) as Image)
  galleryStore.set({ ...rest, status: 'ready', items, ratios: [1, 1, 1], query: { ...query, album: 'italy' } })
  const store = createStore<readonly UploadItem[]>([])
  keepAlbumPlaces({ store })
  store.set(['a', 'b', 'c'].map((id) => ({ id, album: 'italy', stage: 'done', image: { id } }) as UploadItem))
}

const moves = () => client.moveInAlbum.mock.calls.map(([{ body }]) => body)
const shown = () => galleryStore.get().items.map((item) => item?.id)

it('uploads go to the end, in their order, when the last was taken out of the album meanwhile', async () => {
  placeThree(new ApiError(404, { code: 'image_not_found' }))
  const expected = ['c', null].map((before) => ({ ids: ['a', 'b'], before }))
  await vi.waitFor(() => expect(moves()).toEqual(expected))
  await vi.waitFor(() => expect(shown()).toEqual(['c', 'a', 'b']))
})

it('the page shows the order of the server after a refusal', async () => {
  placeThree(new ApiError(403, { code: 'album_role' }))
  await vi.waitFor(() => expect(shown()).toEqual([]))
  expect(moves()).toEqual([{ ids: ['a', 'b'], before: 'c' }])
})
