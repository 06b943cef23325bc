import { expect, test, vi } from 'vitest'
import { parseGuestImages } from './guest-images.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const image = {
  id: 'abcdefghijklmnopqrstuv',
  file_name: 'harbour-abcdefghijklmnopqrstuv.png',
  original_name: 'harbour.png',
  url: 'https://i.example/uploads/harbour-abcdefghijklmnopqrstuv.png',
  thumbnailUrl: 'https://i.example/api/thumbnail/abcdefghijklmnopqrstuv/400',
  page_url: 'https://i.example/i/abcdefghijklmnopqrstuv',
  width: 900,
  height: 600,
  created_at: '2026-11-01T00:00:00.000Z',
  expires_at: '2026-12-31T00:00:00.000Z',
  delete_token: 'secret',
}
const parse = (value: unknown) => parseGuestImages(JSON.stringify(value), now)

test('a stored image is parsed unchanged', () => {
  expect(parse([image])).toEqual([image])
  const ofBatch = { ...image, batch: 'a', batch_at: 2 }
  expect(parse([ofBatch])).toEqual([ofBatch])
})

test('missing fields are filled in', () => {
  const { id, file_name } = image
  expect(parse([{ _id: id, file_name, created_at: image.created_at }])).toEqual([
    {
      id,
      file_name,
      original_name: file_name,
      url: `/uploads/${file_name}`,
      thumbnailUrl: `/api/thumbnail/${id}/400`,
      page_url: `/i/${id}`,
      width: 0,
      height: 0,
      created_at: image.created_at,
      expires_at: '2026-12-31T00:00:00.000Z',
    },
  ])
})

test.each([
  ['nothing', null],
  ['a number', 7],
  ['an object', { 0: image }],
  ['no images', [null, 1, 'x', [], {}, { id: 5 }, { id: '' }, { id: 'x' }]],
])('%s is an empty list', (_, value) => {
  expect(parse(value)).toEqual([])
})

test('missing storage and invalid JSON are an empty list', () => {
  const info = vi.spyOn(console, 'info').mockImplementation(() => {})
  expect(parseGuestImages(null, now)).toEqual([])
  expect(parseGuestImages('[{', now)).toEqual([])
  expect(info).toHaveBeenCalledOnce()
})

test('an image is listed once', () => {
  expect(parse([image, { ...image, original_name: 'again' }])).toEqual([image])
})

test.each([
  ['expired an hour ago', '2026-11-21T11:00:00Z', 1],
  ['expired six days ago', '2026-11-15T12:00:00Z', 1],
  ['expired seven days ago', '2026-11-14T12:00:00Z', 0],
])('%s', (_, expires_at, count) => {
  expect(parse([{ ...image, expires_at }])).toHaveLength(count)
})

test.each(['javascript:alert(1)', 'data:text/html,x', '//evil.example/x.png', 'x', ''])(
  'the address %j is replaced by our own',
  (address) => {
    const [parsed] = parse([{ ...image, url: address, thumbnailUrl: address }])
    expect(parsed?.url).toBe(`/uploads/${image.file_name}`)
    expect(parsed?.thumbnailUrl).toBe(`/api/thumbnail/${image.id}/400`)
  },
)
