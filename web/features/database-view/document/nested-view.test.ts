import { expect, it } from 'vitest'
import { nestedView } from './nested-view.ts'

const document = { _id: 'a', createdAt: '2026-01-01T00:00:00.000Z', address: { geo: { lat: 1 } }, text: 'x' }

it('returns the value, its path and its parent', () => {
  expect(nestedView(document, ['address', 'geo'])).toEqual({
    data: { lat: 1 },
    path: ['address', 'geo'],
    parentDocumentId: 'a',
    parentData: document.address,
  })
})

it('has no data when the document no longer contains the path', () => {
  expect(nestedView(document, ['text', 'geo'])).toMatchObject({ data: undefined, parentData: 'x' })
})
