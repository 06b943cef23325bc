import { expect, it } from 'vitest'
import { nestedView } from './nested.ts'

const document = { _id: 'a', createdAt: '2026-01-01T00:00:00.000Z', address: { geo: { lat: 1 } }, text: 'x' }

it('knows what it shows, where that stands, and what holds it', () => {
  expect(nestedView(document, ['address', 'geo'])).toEqual({
    data: { lat: 1 },
    path: ['address', 'geo'],
    parentDocumentId: 'a',
    parentData: document.address,
  })
})

it('has no data where the document is another by now', () => {
  expect(nestedView(document, ['text', 'geo'])).toMatchObject({ data: undefined, parentData: 'x' })
})
