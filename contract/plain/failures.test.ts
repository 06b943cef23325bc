import { describe, expect, it } from 'vitest'
import { failures, failureText } from './failures.ts'

describe('failureText', () => {
  it('fills in the placeholders', () => {
    expect(failureText('file_too_large', { maxBytes: 5_242_880 })).toBe('File is larger than 5242880 bytes')
    expect(failureText('invalid_input', { field: 'width', problem: 'must be {a} $& number' })).toBe(
      'width: must be {a} $& number',
    )
  })

  it.each(Object.entries(failures))('%s has an error status and a text', (_, { status, text }) => {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(text).toMatch(/^\S.*\S$/)
  })
})
