import { expect, test } from 'vitest'
import { ApiError } from '../../model/api-error.ts'
import { bannerTextOf } from './error-banner.ts'

const refusal = (status: number, error?: string, code?: string) => new ApiError(status, { error, code })

test.each([
  ['the server’s own text first', refusal(404, 'Collection not found'), 'Collection not found'],
  ['a refusal without one', refusal(500), 'Failed'],
  ['no answer', new TypeError('Failed to fetch'), 'No network'],
  ['no answer in time', new DOMException('took too long', 'TimeoutError'), 'No network'],
  ['an answer that is no JSON', new SyntaxError('Unexpected token'), 'Failed'],
  ['a document that is gone', refusal(404, 'Document not found'), undefined],
  ['any text with it', refusal(500, 'Error: Document not found in users'), undefined],
  ['the lock', refusal(401, 'The database view is locked. Enter its PIN', 'database_locked'), undefined],
  ['the end of the session', refusal(401, 'Log in again', 'invalid_token'), undefined],
])('%s', (_, error, expected) => {
  expect(bannerTextOf(error, 'Failed', 'No network')).toBe(expected)
})
