import { expect, it } from 'vitest'
import * as pagePaths from './page-paths.ts'
import { reservedSlugs } from './reserved-slugs.ts'

const { paths, ...serverPaths } = pagePaths
const firstSegments = [...Object.values(paths), ...Object.values(serverPaths)]
  .filter((path) => typeof path === 'string')
  .map((path) => path.split('/')[1] ?? '')
  // One letter is too short for a custom link.
  .filter((segment) => segment.length > 1)

it.each([...new Set(firstSegments)])('no custom link passes for the page /%s', (segment) => {
  expect(reservedSlugs).toContain(segment)
})
