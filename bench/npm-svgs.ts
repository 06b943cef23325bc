// Published SVGs from npm packages.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unpackOnce } from './unpack-once.ts'

/** SHA-512 from the registry. Flags, emoji, illustrations, icons: with gradients, masks, styles, `use` and clip paths. */
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
  for (const [spec, value] of Object.entries(packages)) {
    const inside = join(folder, spec.replaceAll(/\W+/g, '-'))
    const lack = await unpackOnce(inside, {
      name: spec,
      hash: { algorithm: 'sha512', encoding: 'base64', value },
      // `npm pack` runs no script of the package; the archive is only read.
      download: ['npm', 'pack', '--silent', '--pack-destination', '.', spec],
      unpack: (archive, into) => ['tar', '-xzf', archive, '-C', into, '--wildcards', '*.svg'],
    })
    if (lack !== undefined) return lack
    const files = (await readdir(inside, { recursive: true })).filter((file) => file.endsWith('.svg')).toSorted()
    for (let n = 0; n < Math.min(perPackage, files.length); n++) {
      const file = files[Math.floor((n * files.length) / Math.min(perPackage, files.length))] ?? ''
      found.push({ name: `${spec}: ${file}`, svg: await readFile(join(inside, file)) })
    }
  }
  return found
}
