import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Package {
  version?: string
  resolved?: string
  optionalDependencies?: Record<string, string>
}

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
const manifest = JSON.parse(read('package.json')) as Record<
  'dependencies' | 'devDependencies' | 'overrides',
  Record<string, string>
>
const packages = (JSON.parse(read('package-lock.json')) as { packages: Record<string, Package> }).packages

test('every version in package.json is exact', () => {
  const { dependencies, devDependencies, overrides } = manifest
  const loose = Object.entries({ ...dependencies, ...devDependencies, ...overrides }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
  )
  expect(loose).toEqual([])
})

// A lockfile generated with a registry that lacks the binaries of some platforms installs on the others only.
test('every optional dependency has an entry in the lockfile, so that the lockfile serves every platform', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !lockfilePathsFor(path, name).some((place) => place in packages))
      .map((name) => `${path} wants ${name}`),
  )
  expect(Object.keys(packages).length).toBeGreaterThan(100)
  expect(missing).toEqual([])
})

/** The paths where Node looks for a package, from the folder of its dependent. */
function lockfilePathsFor(path: string, name: string): string[] {
  if (path === '') return [`node_modules/${name}`]
  const above = path.lastIndexOf('/node_modules/')
  return [`${path}/node_modules/${name}`, ...lockfilePathsFor(above < 0 ? '' : path.slice(0, above), name)]
}

test('the lockfile has no registry URLs, so that every installation uses its own registry', () => {
  expect(Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})
