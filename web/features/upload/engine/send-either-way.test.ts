import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { token } from '../../../model/token.ts'
import { refusal } from './send-either-way.ts'

beforeEach(() => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} })
})
afterEach(() => {
  token.set(null)
  vi.unstubAllGlobals()
})

const refuse = (sentToken: string | null) =>
  refusal(401, { error: 'No', code: sentToken === null ? 'authentication_required' : 'invalid_token' }, () => null, {
    used: sentToken,
  })

test.each(['earlier', null])(
  'an upload with the token %j, which was replaced meanwhile, is sent again',
  (sentToken) => {
    token.set('current')
    expect(refuse(sentToken).status).toBe(0)
    expect(token.get()).toBe('current')
  },
)

test('the current token is discarded when it is refused', () => {
  token.set('current')
  expect(refuse('current').status).toBe(401)
  expect(token.get()).toBeNull()
})

test.each([
  ['17', 17_000],
  ['999999999', 65 * 60_000],
  ['soon', undefined],
])('Retry-After %s is read, and no wait is longer than an hourly limit needs', (header, expected) => {
  const headerOf = (name: string) => (name === 'retry-after' ? header : null)
  expect(refusal(429, undefined, headerOf, { used: null }).retryAfterMs).toBe(expected)
})

test('a guest whose uploads are no longer wanted is told so, although there is a login meanwhile', () => {
  token.set('current')
  const body = { error: 'Log in to upload', code: 'authentication_required' }
  const refused = refusal(401, body, () => null, { used: null, isGuest: true })
  expect(refused).toMatchObject({ status: 401, message: body.error })
  expect(token.get()).toBe('current')
})
