// Writes the bill of materials of a production installation to dist/sbom.json (CycloneDX 1.5); part of every build.
// `npm run sbom` reads package-lock.json only: it requires no installation and no network. --stdout prints it instead.
import './node-version.mjs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { npm } from './install.mjs'
import { root, run } from './run.mjs'

/** package-lock.json without what is for development only. */
export async function productionLockfile() {
  const lockfile = JSON.parse(await readFile(`${root}package-lock.json`, 'utf8'))
  const packages = Object.entries(lockfile.packages).filter(([, { dev }]) => !dev)
  return { ...lockfile, packages: Object.fromEntries(packages) }
}

/**
 * Of packages whose package.json has no licence, by their readme.
 * @type {Record<string, string>}
 */
export const licencesInReadmes = { 'combine-errors': 'MIT' }

/** Reproducible for a package-lock.json: without the optional timestamp and serial number. */
export async function makeSbom() {
  const { serialNumber: _, ...sbom } = await npmSbom()
  const { timestamp: __, component, ...metadata } = sbom.metadata
  for (const one of sbom.components) one.licenses ??= [{ license: { id: licencesInReadmes[one.name] } }]
  return { ...sbom, metadata: { ...metadata, component: { ...component, name: 'image-host' } } }
}

/**
 * Not with --omit=dev: npm 10 and 11 then omit packages that development tools depend on too, such as zod and pg.
 * @returns {Promise<any>}
 */
async function npmSbom() {
  const { devDependencies: _, ...product } = JSON.parse(await readFile(`${root}package.json`, 'utf8'))
  const lockfile = await productionLockfile()
  delete lockfile.packages[''].devDependencies
  const folder = await mkdtemp(join(tmpdir(), 'image-host-sbom-'))
  try {
    await writeFile(join(folder, 'package.json'), JSON.stringify(product))
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lockfile))
    const options = [
      '--global=false',
      '--package-lock-only',
      '--sbom-format=cyclonedx',
      '--sbom-type=application',
      '--silent',
    ]
    const { ok, output } = await run(npm(), ['sbom', ...options, '--prefix', folder], { quiet: true, cwd: folder })
    if (!ok) throw new Error(`npm sbom failed: ${output}`)
    return JSON.parse(output)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export async function writeSbom() {
  const sbom = await makeSbom()
  await mkdir(`${root}dist`, { recursive: true })
  await writeFile(`${root}dist/sbom.json`, textOf(sbom))
  return sbom
}

const textOf = (/** @type {object} */ sbom) => `${JSON.stringify(sbom, null, 2)}\n`

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--stdout')) process.stdout.write(textOf(await makeSbom()))
  else console.log(`dist/sbom.json: ${(await writeSbom()).components.length} packages`)
}
