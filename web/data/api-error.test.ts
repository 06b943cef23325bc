import { expect, test } from 'vitest'
import { ApiError, errorText } from './api-error.ts'

test.each([
  ["the server's own text", new ApiError(409, { error: 'Taken', code: 'x' }), 'Taken'],
  ['an empty text', new ApiError(409, { error: '' }), 'Login failed'],
  ['an error that is not a string', new ApiError(500, { error: { a: 1 } }), 'Login failed'],
  ['no body', new ApiError(502, undefined), 'Login failed'],
  ["a network exception's text", new TypeError('Failed to fetch'), 'Failed to fetch'],
  ['anything', 'x', 'Login failed'],
])('errorText: %s', (_, error, expected) => {
  expect(errorText(error, 'Login failed')).toBe(expected)
})
