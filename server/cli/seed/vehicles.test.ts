import { expect, it } from 'vitest'
import { randomFrom } from './seeded-random.ts'
import { makes, models, trims } from './vehicles.ts'

it('models are of makes, and trims of models, that there are', () => {
  const [allMakes, allModels, allTrims] = [makes, models, trims].map((make) => make(randomFrom(make.name)))
  const ids = (documents = allMakes) => new Set(documents?.map(({ _id }) => _id))
  expect(ids().size).toBe(allMakes?.length)
  expect(ids(allModels).size).toBe(allModels?.length)
  expect(ids(allTrims).size).toBe(allTrims?.length)
  expect(allModels?.filter(({ make }) => !ids().has(make))).toEqual([])
  expect(allTrims?.filter(({ model }) => !ids(allModels).has(model))).toEqual([])
})
