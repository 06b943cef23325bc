// Holds the native libraries to the versions whose holes are closed: a stale folder of packages is found at the start, not by
// whoever knows what was wrong with it.
import { createRequire } from 'node:module'

/** Of the releases that this one was tested with (docs/security.md, "Dependencies"); SQLite 3.51.3 mends a WAL that could lose a commit. */
const oldest: Record<string, string> = {
  sqlite: '3.51.3',
  vips: '8.18.7',
  rsvg: '2.63.2',
  png: '1.6.58',
  webp: '1.6.0',
  cgif: '0.5.4',
  exif: '0.6.26',
  lcms: '2.19.1',
  xml2: '2.15.4',
  expat: '2.8.5',
  cairo: '1.18.6',
  'zlib-ng': '2.3.3',
}

/** @throws with a sentence that names each library that is too old */
export function requireMinimumVersions(found: Record<string, string>): void {
  const old = Object.entries(found).filter(([name, version]) => oldest[name] && isOlder(version, oldest[name]))
  if (old.length === 0) return
  const words = old.map(([name, version]) => `${name} ${version} is older than ${oldest[name]}`)
  throw new Error(
    `Too old to be safe: ${words.join(', ')}. Run npm ci; if it is sqlite, update Node.js or that package`,
  )
}

const numbersOf = (version: string) => version.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0)

export function isOlder(version: string, than: string): boolean {
  const [mine, other] = [numbersOf(version), numbersOf(than)]
  const at = other.findIndex((number, i) => (mine[i] ?? 0) !== number)
  return at >= 0 && (mine[at] ?? 0) < (other[at] ?? 0)
}

/** As Node and sharp call them. */
const platforms = ['linux', 'linuxmusl', 'darwin', 'win32'].map((platform) => `${platform}-${process.arch}`)

/**
 * What is inside sharp. Read from its packages where they say it: to load sharp is for the decoder processes.
 * @throws where sharp itself cannot be loaded
 */
export async function imageLibraries(): Promise<Record<string, string>> {
  const require = createRequire(import.meta.url)
  for (const platform of platforms) {
    for (const name of [`@img/sharp-libvips-${platform}/versions`, `@img/sharp-${platform}/versions`]) {
      try {
        return require(name) as Record<string, string>
      } catch {
        // Not this platform: the next one. A libvips of the system's own has no such package at all.
      }
    }
  }
  const { default: sharp } = await import('sharp')
  return { ...sharp.versions }
}
