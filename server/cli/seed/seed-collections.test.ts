import { expect, it } from 'vitest'
import { collections } from './seed-collections.ts'
import { createSeededRandom } from './seeded-random.ts'

const documentsOf = (name: string) => collections[name]?.(createSeededRandom(name)) ?? []

it('every model has an existing make', () => {
  const [makes, models] = [documentsOf('makes'), documentsOf('models')]
  const makeIds = new Set(makes.map(({ _id }) => _id))
  expect(makeIds.size).toBe(makes.length)
  expect(new Set(models.map(({ _id }) => _id)).size).toBe(models.length)
  expect(models.filter(({ make }) => !makeIds.has(make))).toEqual([])
})
