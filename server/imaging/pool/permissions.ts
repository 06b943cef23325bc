// Node's permission flags for a decoder process: its scripts read their code, access the files of their
// job (workspace.ts), and start no process and no worker.

import { fileURLToPath } from 'node:url'

/**
 * Command line flags for a process that starts with `entry`. They restrict scripts, not native code:
 * libvips also needs the kill, the memory limit and the empty environment (docs/decisions/0022).
 */
export function permissionFlags(entry: URL): string[] {
  // dist/server/imaging/decoder/ is four folders below the installation.
  const installed = (path: string) => fileURLToPath(new URL(`../../../../${path}`, entry))
  const readable = [installed('dist/*'), installed('node_modules/*'), installed('package.json')]
  return [
    // Node 20 and 22 call it experimental, 22.13 and later accept both names, 24 only the short one.
    process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission',
    '--allow-addons',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    '--no-warnings',
  ]
}
