// The crowd needs only as many open files as its form requires.
import { expect, test } from 'vitest'
import { missingForCrowd } from './crowd.ts'

test('a short crowd runs when the limit of open files is too low for a full one', () => {
  const open = { short: 200, full: 8000 }
  expect(missingForCrowd('short', open, 1024)).toBeUndefined()
  expect(missingForCrowd('full', open, 1024)).toBe('it needs 8000 open files, the limit is 1024')
  expect(missingForCrowd('full', open, 8000)).toBeUndefined()
})
