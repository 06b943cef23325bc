import { expect, test } from 'vitest'
import { catalogue } from 'virtual:api-catalogue'
import { compatRoutes } from '../../../../contract/compat/routes.ts'
import { routes } from '../../../../contract/plain/routes.ts'
import type { Category } from '../docs-address.ts'
import { countByCategory, filterEndpoints } from './filter-endpoints.ts'
import { statusesOf, statusMeaning, statusName } from './http-statuses.ts'

const names = (category: Category, q: string) => filterEndpoints(catalogue, category, q).map(({ name }) => name)

test('lists every endpoint once', () => {
  expect(names('all', '').toSorted()).toEqual(Object.keys({ ...routes, ...compatRoutes }).toSorted())
})

test.each<[Category, string, string[]]>([
  ['all', '/API/Upload', ['uploadImage', 'createUpload', 'continueUpload', 'getUpload', 'deleteUpload']],
  ['all', 'uploadimage', ['uploadImage']],
  ['all', '  delete   backup ', ['deleteBackup']],
  ['api-keys', 'delete', ['deleteApiKey']],
  ['auth', 'guest images', []],
  ['images', '{file_name}', ['getOriginal']],
  ['all', '__proto__', []],
  ['all', '<b>', []],
])('%s, %j', (category, q, expected) => {
  expect(names(category, q)).toEqual(expected)
})

test('counts the contact endpoints under all and under no other category', () => {
  const { all, ...others } = countByCategory(catalogue)
  const inChips = Object.values(others).reduce((sum, count) => sum + count, 0)
  expect(all).toBe(catalogue.length)
  expect(all - inChips).toBe(catalogue.filter(({ category }) => category === 'contact').length)
})

test('every status of the contract has a text', () => {
  for (const status of statusesOf(catalogue))
    expect(statusName(status) && statusMeaning(status), String(status)).not.toBe('')
})
