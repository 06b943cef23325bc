import { afterEach, expect, test, vi } from 'vitest'
import { errorText } from '../format/error-text.ts'
import { ApiError, NoResponse, troubleOf } from './api-error.ts'

test.each([
  ["the server's own text", new ApiError(409, { error: 'Taken', code: 'x' }), 'Taken'],
  ['an empty text', new ApiError(409, { error: '' }), 'Login failed'],
  ['an error that is not a string', new ApiError(500, { error: { a: 1 } }), 'Login failed'],
  ['no body', new ApiError(502, undefined), 'Login failed'],
  ['a silent server', new NoResponse(true, {}), 'The server did not respond within 10 seconds.'],
  [
    'no response',
    new NoResponse(false, { cause: new TypeError('Failed to fetch') }),
    'No response from the server: check your connection and try again.',
  ],
  ["a browser's own text", new TypeError('Failed to fetch'), 'Login failed'],
  ['anything', 'x', 'Login failed'],
])('errorText: %s', (_, error, expected) => {
  expect(errorText(error, 'Login failed')).toBe(expected)
})

afterEach(() => vi.unstubAllGlobals())

const json = (text: string, code = 'x') => ({ error: text, code })

test.each([
  [true, new NoResponse(true, {}), 'failed', 'The server did not respond within 10 seconds.', true],
  [true, new NoResponse(false, {}), 'failed', /^No response from the server/, true],
  [false, new NoResponse(false, {}), 'offline', 'You are offline.', true],
  [true, new ApiError(429, json('Try again in 70 seconds')), 'busy', 'Try again in 70 seconds', true],
  [true, new ApiError(429, undefined), 'busy', 'Too many requests.', true],
  [true, new ApiError(503, undefined), 'busy', 'The server is busy.', true],
  [true, new ApiError(502, undefined), 'failed', 'The server could not respond.', true],
  [true, new ApiError(403, json('Not allowed')), 'failed', 'Not allowed', false],
  [true, new ApiError(403, json('Confirm', 'password_required')), 'failed', 'Confirm', true],
  [true, new SyntaxError('Unexpected token'), 'failed', 'The server could not respond.', true],
])('troubleOf: online %s, %o', (onLine, error, kind, reason, canRetry) => {
  vi.stubGlobal('navigator', { onLine })
  const trouble = troubleOf(error)
  expect(trouble).toMatchObject({ kind, canRetry })
  expect(trouble.reason).toMatch(reason)
})
