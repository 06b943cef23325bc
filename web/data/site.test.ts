import { expect, test, vi } from 'vitest'
import { parseSite } from './site.ts'

const defaults = {
  siteName: 'Image Host',
  supportEmail: '',
  developerUrl: '',
  guestUploads: true,
  emailJsPublicKey: '',
  emailJsServiceId: '',
  emailJsTemplateId: '',
}

test.each([
  ['{}', defaults],
  ['null', defaults],
  ['[]', defaults],
  ['{"siteName":""}', defaults],
  ['{"siteName":7,"guestUploads":"no"}', defaults],
  ['{"developerUrl":"javascript:alert(1)"}', defaults],
  [
    '{"siteName":"Pics","supportEmail":"a@b.c","developerUrl":"https://dev.example","guestUploads":false}',
    { ...defaults, siteName: 'Pics', supportEmail: 'a@b.c', developerUrl: 'https://dev.example', guestUploads: false },
  ],
  [
    '{"emailJsPublicKey":"p","emailJsServiceId":"s","emailJsTemplateId":7}',
    { ...defaults, emailJsPublicKey: 'p', emailJsServiceId: 's' },
  ],
])('parseSite(%s)', (json, expected) => {
  expect(parseSite(json)).toEqual(expected)
})

test('invalid JSON gives the defaults', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  expect(parseSite('{')).toEqual(defaults)
  expect(warn).toHaveBeenCalledOnce()
})
