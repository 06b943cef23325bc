// Where the installed product is.
import { existsSync, readFileSync } from 'node:fs'

/** The URL of a file or folder of the installation. @param path from the folder of package.json */
export const installed = (path: string): URL => new URL(path, folder)

/** The version in package.json; between two releases with the commit that was built, if known: `0.3.0-dev+1a2b3c4d`. */
export function productVersion(): string {
  const { version } = JSON.parse(readFileSync(installed('package.json'), 'utf8')) as { version: string }
  const commit = installed('dist/commit')
  return version.endsWith('-dev') && existsSync(commit) ? `${version}+${readFileSync(commit, 'utf8')}` : version
}

/** Above the sources and above the bundle, which has one depth for all of them (scripts/bundle.mjs). */
const folder = findFolder(new URL('.', import.meta.url))

function findFolder(from: URL): URL {
  if (existsSync(new URL('package.json', from))) return from
  const above = new URL('..', from)
  if (above.href === from.href) throw new Error(`There is no package.json above ${import.meta.url}`)
  return findFolder(above)
}
