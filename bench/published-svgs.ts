// Published SVGs from npm packages. They are under other licenses, so they are cached outside the
// repository.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const downloadTimeoutMs = 60_000

/**
 * SHA-512 from the registry. Flags, emoji, illustrations, icons: with gradients, masks, styles,
 * `use` and clip paths.
 */
const packages = {
  'flag-icons@7.5.0': 'kd+MNXviFIg5hijH766tt+3x76ele1AXlo4zDdCxIvqWZhKt4T83bOtxUOOMlTx/EcFdUMH5yvQgYlFh1EqqFg==',
  '@twemoji/svg@15.0.0': 'ZSPef2B6nBaYnfgdTbAy4jgW95o7pi2xPGwGCU+WMTxo7J6B1lMPTWwSq/wTuiMq+N0khQ90CcvYp1wFoQpo/w==',
  'openmoji@17.0.0': 'EBnYrNGdcdw+OSXmENeNE1yBNRu6tOraTmoOyUbJkTmvT/+XETp8RZLSJFzD3lrPc5N9CzsyPnRTk0Vp4UaI9w==',
  'undraw-svg@2.0.0': 'bO7s1xPlet1Rh2XWZhwGwMJpalRadUZ0i7HUAY9kA/Pds85ZwKjwewuQuDzxAHpr5a3J0yXu6GhnFPIwjUMf3A==',
  'bootstrap-icons@1.13.2': 'fAU1Ly3dH7hwRg+CB8EZ0Vl0fF80zgXHeUVJyfUOKzoURr+TbwISbCW5tKUoQLERaWYG2emTCybcPbD96hdD1A==',
  'material-icon-theme@5.38.1':
    '14cFM4NJGdbuo68rIZTq9TSX0f5BtA6VF+eNX3zq23Z5NoEeVtM4Zn4PpZ0ERl++50jCBrywKFWXmOjbxf0xTA==',
}

export interface PublishedSvg {
  name: string
  svg: Buffer
}

/**
 * Returns `perPackage` SVGs of each package, spread evenly over it, the same ones in each run.
 * @param folder the cache; created if missing. The first run downloads 16 MB into it.
 * @returns the reason as text when they are unavailable
 */
export async function loadPublishedSvgs(folder: string, perPackage: number): Promise<PublishedSvg[] | string> {
  const found: PublishedSvg[] = []
  for (const [spec, sha512] of Object.entries(packages)) {
    const inside = join(folder, spec.replaceAll(/\W+/g, '-'))
    const lack = await fetchOnce(inside, spec, sha512)
    if (lack !== undefined) return lack
    const files = (await readdir(inside, { recursive: true })).filter((file) => file.endsWith('.svg')).toSorted()
    for (let n = 0; n < Math.min(perPackage, files.length); n++) {
      const file = files[Math.floor((n * files.length) / Math.min(perPackage, files.length))] ?? ''
      found.push({ name: `${spec}: ${file}`, svg: await readFile(join(inside, file)) })
    }
  }
  return found
}

/** @returns the reason when the package is unavailable */
async function fetchOnce(inside: string, spec: string, sha512: string): Promise<string | undefined> {
  if (await readdir(inside).catch(() => null)) return undefined
  const parent = join(inside, '..')
  await mkdir(parent, { recursive: true })
  const temp = await mkdtemp(join(parent, 'download-'))
  try {
    // `npm pack` runs no script of the package; the archive is only read.
    await run('npm', ['pack', '--silent', '--pack-destination', temp, spec], { timeout: downloadTimeoutMs })
    const archive = join(temp, (await readdir(temp))[0] ?? '')
    const hash = createHash('sha512')
      .update(await readFile(archive))
      .digest('base64')
    if (hash !== sha512) return `${spec} does not match its hash`
    await mkdir(join(temp, 'svg'))
    await run('tar', ['-xzf', archive, '-C', join(temp, 'svg'), '--wildcards', '*.svg'])
    // Renamed when complete: an interrupted download is repeated.
    await rename(join(temp, 'svg'), inside)
    return undefined
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    return `${spec} cannot be fetched: ${(stderr || message).trim().split('\n').at(-1)}`
  } finally {
    await rm(temp, { recursive: true, force: true })
  }
}
