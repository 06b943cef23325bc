import { expect, it } from 'vitest'
import { createSeededRandom } from './seeded-random.ts'
import { vehicleMakes, vehicleModels, vehicleTrims } from './vehicles.ts'

it('every model has an existing make, and every trim an existing model', () => {
  const allMakes = vehicleMakes(createSeededRandom('makes'))
  const allModels = vehicleModels(createSeededRandom('models'))
  const allTrims = vehicleTrims(createSeededRandom('trims'))
  const ids = (documents = allMakes) => new Set(documents.map(({ _id }) => _id))
  expect(ids().size).toBe(allMakes.length)
  expect(ids(allModels).size).toBe(allModels.length)
  expect(ids(allTrims).size).toBe(allTrims.length)
  expect(allModels.filter(({ make }) => !ids().has(make))).toEqual([])
  expect(allTrims.filter(({ model }) => !ids(allModels).has(model))).toEqual([])
})
