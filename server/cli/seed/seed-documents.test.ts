import { expect, it } from 'vitest'
import { collections } from './seed-documents.ts'
import { createSeededRandom } from './seeded-random.ts'

const documentsOf = (name: string) => collections[name]?.(createSeededRandom(name)) ?? []

it('every model has an existing make, every trim an existing model', () => {
  const [makes, models, trims] = [documentsOf('makes'), documentsOf('models'), documentsOf('trims')]
  const [makeIds, modelIds, trimIds] = [makes, models, trims].map((all) => new Set(all.map(({ _id }) => _id)))
  expect([makeIds?.size, modelIds?.size, trimIds?.size]).toEqual([makes.length, models.length, trims.length])
  expect(models.filter(({ make }) => !makeIds?.has(make))).toEqual([])
  expect(trims.filter(({ model }) => !modelIds?.has(model))).toEqual([])
})
