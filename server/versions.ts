// The versions of Node and of native libraries: those with known vulnerabilities are warned of or refused.
import { createRequire } from 'node:module'

/** Tested versions (docs/security.md, "Dependencies"). SQLite 3.51.3 fixes a lost commit in WAL. */
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

/** The oldest release line with security fixes (https://github.com/nodejs/release). */
const oldestSupportedNode = 22

/** @returns a sentence about a version of Node that works but has no security fixes */
export function outdatedNode(version = process.versions.node): string | undefined {
  if (Number.parseInt(version, 10) >= oldestSupportedNode) return undefined
  return `Node.js ${version} has had no security fixes since April 2026`
}

/** @throws with a message that names each outdated library */
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

/** Platform names of Node and sharp. */
const platforms = ['linux', 'linuxmusl', 'darwin', 'win32'].map((platform) => `${platform}-${process.arch}`)

/** Reads the versions of sharp's libraries from package metadata: only decoders load sharp. */
export async function imageLibraries(): Promise<Record<string, string>> {
  const require = createRequire(import.meta.url)
  for (const platform of platforms) {
    for (const name of [`@img/sharp-libvips-${platform}/versions`, `@img/sharp-${platform}/versions`]) {
      try {
        return require(name) as Record<string, string>
      } catch {
        // Not this platform: try the next. A system libvips has no such package.
      }
    }
  }
  const { default: sharp } = await import('sharp')
  return { ...sharp.versions }
}
