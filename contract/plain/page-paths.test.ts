import { expect, it } from 'vitest'
import * as pagePaths from './page-paths.ts'

const { albumPath, isPagePath, paths } = pagePaths

it.each([...Object.values(paths), albumPath('a1'), '/Dashboard/', '/index.html'])('%s is of the page', (path) => {
  expect(isPagePath(path)).toBe(true)
})

/** The service worker leaves them to the network: its cached page would hide what the server renders. */
const ofServer = Object.values(pagePaths).filter((value) => typeof value === 'string')

it.each([...ofServer, '/old/address.html', '/api/images'])('%s is not of the page', (path) => {
  expect(isPagePath(path.replaceAll(/\{\w+\}/g, 'a1'))).toBe(false)
})
