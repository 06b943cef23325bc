import { expect, test } from 'vitest'
import { curlCommand, envLine, listCommand, shareXFileName, shareXUploader } from './snippet-texts.ts'

const base = 'https://pics.example'

test('the cURL command uploads with the key', () => {
  expect(curlCommand(base, 'ik_1')).toBe(
    'curl -X POST https://pics.example/api/upload \\\n  -H "Authorization: Bearer ik_1" \\\n  -F "image=@photo.jpg"',
  )
})

test('the cURL command of a key that may not upload lists images', () => {
  expect(listCommand(base, 'ik_1')).toBe('curl https://pics.example/api/images \\\n  -H "Authorization: Bearer ik_1"')
})

test('the .env line has the key', () => {
  expect(envLine('ik_1')).toBe('IMAGE_HOST_API_KEY=ik_1')
})

test('the ShareX file uploads with the key', () => {
  expect(JSON.parse(shareXUploader('My "Pics"', base, 'ik_1'))).toEqual({
    Version: '14.1.0',
    Name: 'My "Pics"',
    DestinationType: 'ImageUploader',
    RequestMethod: 'POST',
    RequestURL: 'https://pics.example/api/upload',
    Headers: { Authorization: 'Bearer ik_1' },
    Body: 'MultipartFormData',
    FileFormName: 'image',
    URL: '{json:url}',
    ThumbnailURL: '{json:thumbnailUrl}',
    ErrorMessage: '{json:error}',
  })
})

test.each([
  ['Image Host', 'image-host.sxcu'],
  ['  Dana’s / Pics! ', 'dana-s-pics.sxcu'],
  ['Größe', 'größe.sxcu'],
  ['../..', 'image-host.sxcu'],
])('the file of %s is %s', (name, expected) => {
  expect(shareXFileName(name)).toBe(expected)
})
