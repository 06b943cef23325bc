// Node's permission flags for a decoder process: its scripts read their code and the images, write into the folder of uploads, and
// start no process and no worker.

import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Command line flags for a process that starts with `entry`. They restrict scripts, not native code: libvips also needs the kill,
 * the memory limit and the empty environment (docs/decisions/0022).
 * @param dataDir the folder of originals, variants and temporary files
 */
export function permissionFlags(entry: URL, dataDir: string): string[] {
  // dist/server/imaging/decoder/ is four folders below the installation.
  const installed = (path: string) => fileURLToPath(new URL(`../../../../${path}`, entry))
  const readable = [installed('dist/*'), installed('node_modules/*'), installed('package.json')]
  const images = ['originals', 'variants', 'tmp'].map((folder) => resolve(dataDir, folder, '*'))
  return [
    // Node 20 and 22 call it experimental, 22.13 and later accept both names, 24 only the short one.
    process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission',
    '--allow-addons',
    ...[...readable, ...images].map((path) => `--allow-fs-read=${path}`),
    `--allow-fs-write=${resolve(dataDir, 'tmp', '*')}`,
    '--no-warnings',
  ]
}
