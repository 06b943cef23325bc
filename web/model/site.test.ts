import { expect, test, vi } from 'vitest'
import { parseSite } from './site.ts'

const defaults = {
  siteName: 'Image Host',
  version: '',
  supportEmail: '',
  developerUrl: '',
  guestUploads: true,
  mail: false,
  registration: 'open',
  passwordMin: 6,
  passwordLogin: true,
  loginProviders: [],
  guestMaxBytes: 5_242_880,
  guestRetentionDays: 60,
  guestMaxFiles: 50,
  userMaxBytes: 10_485_760,
  userRetentionDays: 365,
  isExpiryAfterView: false,
  mayKeep: 'nobody',
  trashDays: 7,
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
    '{"guestMaxBytes":1024,"userRetentionDays":30,"userMaxBytes":"10"}',
    { ...defaults, guestMaxBytes: 1024, userRetentionDays: 30 },
  ],
  [
    '{"emailJsPublicKey":"p","emailJsServiceId":"s","emailJsTemplateId":7}',
    { ...defaults, emailJsPublicKey: 'p', emailJsServiceId: 's' },
  ],
])('parseSite(%s)', (json, expected) => {
  expect(parseSite(json)).toEqual(expected)
})

test('a site has its providers', () => {
  const json = '{"passwordLogin":false,"loginProviders":[{"id":"a","name":"A"}]}'
  expect(parseSite(json)).toEqual({ ...defaults, passwordLogin: false, loginProviders: [{ id: 'a', name: 'A' }] })
})

test('invalid JSON gives the defaults', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  expect(parseSite('{')).toEqual(defaults)
  expect(warn).toHaveBeenCalledOnce()
})
