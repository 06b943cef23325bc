import { expect, test } from 'vitest'
import { ApiError, errorText, NoResponse } from './api-error.ts'

test.each([
  ["the server's own text", new ApiError(409, { error: 'Taken', code: 'x' }), 'Taken'],
  ['an empty text', new ApiError(409, { error: '' }), 'Login failed'],
  ['an error that is not a string', new ApiError(500, { error: { a: 1 } }), 'Login failed'],
  ['no body', new ApiError(502, undefined), 'Login failed'],
  [
    'no response',
    new NoResponse(true, { cause: new TypeError('Failed to fetch') }),
    'No response from the server: check your connection and try again.',
  ],
  ["a browser's own text", new TypeError('Failed to fetch'), 'Login failed'],
  ['anything', 'x', 'Login failed'],
])('errorText: %s', (_, error, expected) => {
  expect(errorText(error, 'Login failed')).toBe(expected)
})
