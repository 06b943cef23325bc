import { expect, test } from 'vitest'
import type { Image } from '../../../contract/endpoints/images.ts'
import { completeImage } from './stored-image.ts'

const image = {
  id: 'abcdefghijklmnopqrstuv',
  file_name: 'harbour-abcdefghijklmnopqrstuv.png',
  original_name: 'harbour.png',
  title: '',
  alt: '',
  slug: null,
  tags: [],
  url: 'https://i.example/uploads/harbour-abcdefghijklmnopqrstuv.png',
  thumbnailUrl: 'https://i.example/api/thumbnail/abcdefghijklmnopqrstuv/400',
  page_url: 'https://i.example/i/abcdefghijklmnopqrstuv',
  width: 900,
  height: 600,
  size: 5000,
  mime: 'image/png',
  frames: 1,
  placeholder: '#808080',
  blur: null,
  created_at: '2026-11-01T00:00:00.000Z',
  expires_at: '2026-12-31T00:00:00.000Z',
  views_left: null,
  views: 0,
  visibility: 'public',
  view_key: null,
  is_guest: false,
  guest: false,
} satisfies Image

test('a complete image is unchanged', () => {
  expect(completeImage(image)).toEqual(image)
})

test('an image with _id and without URLs gets the id and the default URLs', () => {
  const { id, url: _url, thumbnailUrl: _thumbnailUrl, page_url: _pageUrl, ...rest } = image
  expect(completeImage({ ...rest, _id: id } as Partial<Image>)).toMatchObject({
    ...rest,
    id,
    url: `/uploads/${image.file_name}`,
    thumbnailUrl: `/api/thumbnail/${id}/400`,
    page_url: `/i/${id}`,
  })
})

test('an image without dates expires 60 days from now', () => {
  const { id, file_name } = image
  const { created_at = '', expires_at, size } = completeImage<Partial<Image>>({ id, file_name })
  expect(Date.parse(expires_at ?? '') - Date.parse(created_at)).toBe(60 * 86_400_000)
  expect(Date.parse(expires_at ?? '')).toBeGreaterThan(Date.now())
  expect(size).toBe(0)
})
