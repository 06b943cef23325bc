// Finds a Chromium for the tests: an installed one, or the npm package, which needs no system libraries.
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * Chromium's sandbox does not work as root. The other flags stop background requests to Google's
 * servers: on a closed network each one fails slowly.
 */
export const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export interface Browser {
  executablePath: string
  /** For the browser only: its libraries are not for the server under test. */
  env: Record<string, string>
}

/** For benchmarks: the browser that people have. The package is for a machine without one. */
export async function findBrowser(): Promise<Browser> {
  const executablePath = askedPath() ?? installed.find((path) => existsSync(path))
  return executablePath === undefined ? unpackedBrowser() : { executablePath, env: environment() }
}

/** For journeys: the package draws no windows, which takes a third less CPU time. It is built for Linux on x64 only. */
export async function findHeadlessBrowser(): Promise<Browser> {
  const isBuilt = process.platform === 'linux' && process.arch === 'x64'
  return isBuilt && askedPath() === undefined ? unpackedBrowser() : findBrowser()
}

function askedPath(): string | undefined {
  const asked = process.env.CHROMIUM_PATH
  if (asked !== undefined && !existsSync(asked)) throw new Error(`CHROMIUM_PATH: there is no ${asked}`)
  return asked
}

const environment = () => process.env as Record<string, string>

const modules = fileURLToPath(new URL('../node_modules', import.meta.url))

/** Unpacks Chromium once per checkout and version, with the system libraries and fonts that a minimal machine lacks. */
async function unpackedBrowser(): Promise<Browser> {
  const manifest = await readFile(join(modules, '@sparticuz/chromium/package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  const folder = join(modules, '.cache', `chromium-${version}`)
  if (!existsSync(folder)) await unpackInto(folder)
  return {
    executablePath: join(folder, 'chromium'),
    env: { ...environment(), LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'), FONTCONFIG_PATH: join(folder, 'fonts') },
  }
}

/**
 * The package unpacks to fixed names in the temporary folder, reuses whatever is there, and adds its
 * system libraries only on AWS. So it gets a folder of its own and an AWS environment variable.
 */
async function unpackInto(folder: string): Promise<void> {
  const before = { ...process.env }
  const unfinished = `${folder}.${process.pid}`
  await mkdir(unfinished, { recursive: true })
  process.env.TMPDIR = unfinished
  process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs22.x'
  try {
    const { default: chromium } = await import('@sparticuz/chromium')
    await chromium.executablePath()
    await writeFile(join(unfinished, 'fonts', 'fonts.conf'), fontsConfig(join(folder, 'fonts')))
    // A concurrent run may have finished first, with the same content.
    await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }))
  } finally {
    for (const name of ['TMPDIR', 'AWS_EXECUTION_ENV', 'FONTCONFIG_PATH', 'LD_LIBRARY_PATH'])
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
  }
}

/** The package's own configuration has fixed folders and no font family, and Chromium crashes when a family has no font. */
const fontsConfig = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${folder}/cache</cachedir>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>serif</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family><family>Open Sans</family></prefer></alias>
</fontconfig>
`
