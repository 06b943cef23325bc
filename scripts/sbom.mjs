// Writes the bill of materials of a production installation to dist/sbom.json (CycloneDX 1.5); part of every build.
// `npm run sbom` reads package-lock.json only: it requires no installation and no network. --stdout prints it instead.
// Not `npm sbom`: with --omit=dev, npm 10 and 11 omit packages that development tools depend on too, such as zod and pg.
import './node-version.mjs'
import { mkdir, writeFile } from 'node:fs/promises'
import { lockfilePathsFor, readLockfile } from './lockfile.mjs'
import { root } from './run.mjs'

/** @typedef {import('./lockfile.mjs').Installed} Installed */

/** Reproducible for a package-lock.json: without the optional timestamp and serial number. */
export async function makeSbom() {
  const { product, packages } = await readLockfile()
  const byPath = new Map(packages.map((one) => [one.path, one]))
  const self = { ...product, path: '', name: product.name }
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: { type: 'application', ...identity(self), licenses: licensesOf(product.license) },
    },
    components: [...new Map(packages.map((one) => [refOf(one), componentOf(one)])).values()],
    dependencies: mergedByRef([self, ...packages].map((one) => ({ ref: refOf(one), dependsOn: wanted(one, byPath) }))),
  }
}

export async function writeSbom() {
  const sbom = await makeSbom()
  await mkdir(`${root}dist`, { recursive: true })
  await writeFile(`${root}dist/sbom.json`, textOf(sbom))
  return sbom
}

const textOf = (/** @type {object} */ sbom) => `${JSON.stringify(sbom, null, 2)}\n`
const refOf = (/** @type {{ name: string, version: string }} */ { name, version }) => `${name}@${version}`

/** @param {{ name: string, version: string }} given */
const identity = ({ name, version }) => ({
  'bom-ref': refOf({ name, version }),
  name,
  version,
  purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
})

/**
 * Of packages whose package.json has no licence, by their readme.
 * @type {Record<string, string>}
 */
export const licencesInReadmes = { 'combine-errors': 'MIT' }

const componentOf = (/** @type {Installed} */ { name, version, license, integrity, optional }) => ({
  type: 'library',
  ...identity({ name, version }),
  scope: optional ? 'optional' : 'required',
  hashes: [hashOf(integrity)],
  licenses: licensesOf(license ?? licencesInReadmes[name] ?? ''),
})

function hashOf(/** @type {string} */ integrity) {
  const [algorithm = '', base64 = ''] = integrity.split('-', 2)
  return { alg: algorithm.toUpperCase().replace('SHA', 'SHA-'), content: Buffer.from(base64, 'base64').toString('hex') }
}

/** A single licence is an SPDX id, several are an expression. */
const licensesOf = (/** @type {string} */ license) =>
  license.includes(' ') ? [{ expression: license }] : [{ license: { id: license } }]

/**
 * The packages that Node resolves for a package's dependencies. Development-only ones are omitted.
 * @param {Installed} one
 * @param {Map<string, Installed>} byPath
 */
function wanted({ path, dependencies, optionalDependencies, peerDependencies }, byPath) {
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
  return names.flatMap((name) => {
    const place = lockfilePathsFor(path, name).find((candidate) => byPath.has(candidate))
    const found = place === undefined ? undefined : byPath.get(place)
    return found === undefined ? [] : [refOf(found)]
  })
}

/** A package installed in two places is listed once. */
function mergedByRef(/** @type {{ ref: string, dependsOn: string[] }[]} */ all) {
  /** @type {Map<string, Set<string>>} */
  const byRef = new Map()
  for (const { ref, dependsOn } of all) byRef.set(ref, new Set([...(byRef.get(ref) ?? []), ...dependsOn]))
  return [...byRef].map(([ref, dependsOn]) => ({ ref, dependsOn: [...dependsOn].sort() }))
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--stdout')) process.stdout.write(textOf(await makeSbom()))
  else console.log(`dist/sbom.json: ${(await writeSbom()).components.length} packages`)
}
