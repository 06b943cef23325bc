// A second wall around a decoder: Node's own permissions. What script runs there reads its code and the pictures, writes next to
// the uploads, and starts no process and no worker.

import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Command line flags for a process that starts with `entry`. They bind script, not native code: libvips needs the kill, the
 * memory bound and the empty environment all the same (docs/decisions/0022).
 * @param dataDir the folder of originals, variants and temporary files
 */
export function permissionFlags(entry: URL, dataDir: string): string[] {
  // dist/server/imaging/decoder/ is four folders below the installation.
  const installed = (path: string) => fileURLToPath(new URL(`../../../../${path}`, entry))
  const readable = [installed('dist/*'), installed('node_modules/*'), installed('package.json')]
  const pictures = ['originals', 'variants', 'tmp'].map((folder) => resolve(dataDir, folder, '*'))
  return [
    // Node 20 and 22 call it experimental, 22.13 and later know both names, 24 only the short one.
    process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission',
    '--allow-addons',
    ...[...readable, ...pictures].map((path) => `--allow-fs-read=${path}`),
    `--allow-fs-write=${resolve(dataDir, 'tmp', '*')}`,
    '--no-warnings',
  ]
}
