// Node's permission flags for a decoder process: its scripts read their code, access the files of their
// job (workspace.ts), and start no process and no worker.

import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Command line flags for a process that starts with `entry`. They restrict scripts, not native code:
 * libvips also needs the kill, the memory limit and the empty environment (docs/decisions/0022).
 */
export function permissionFlags(entry: URL): string[] {
  // dist/server/imaging/decoder/ is four folders below the installation.
  const installed = (path: string) => fileURLToPath(new URL(`../../../../${path}`, entry))
  const readable = [
    installed('dist/*'),
    installed('package.json'),
    ...moduleFolders(entry).map((path) => join(path, '*')),
  ]
  return [
    // Node 20 and 22 call it experimental, 22.13 and later accept both names, 24 only the short one.
    process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission',
    '--allow-addons',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    '--no-warnings',
  ]
}

/**
 * The folders `node_modules` in which Node looks for sharp and what it needs until it finds them. Each package manager has
 * places of its own: npm puts sharp inside the package, or beside it when the package is a project's dependency; pnpm links it
 * to its store.
 */
function moduleFolders(entry: URL): string[] {
  const folders = new Set<string>()
  const packages = new Set<string>()
  const add = (name: string, from: string) => {
    const lookedIn: string[] = []
    for (const folder of createRequire(from).resolve.paths(name) ?? []) {
      lookedIn.push(folder)
      if (!existsSync(join(folder, name, 'package.json'))) continue
      for (const each of lookedIn) folders.add(each)
      const found = realpathSync(join(folder, name))
      if (packages.has(found)) return
      packages.add(found)
      folders.add(found.slice(0, found.lastIndexOf(`${sep}node_modules${sep}`) + `${sep}node_modules`.length))
      const manifest = join(found, 'package.json')
      const { dependencies, optionalDependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as {
        dependencies?: object
        optionalDependencies?: object
      }
      for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies })) add(dependency, manifest)
      return
    }
  }
  add('sharp', fileURLToPath(entry))
  return [...folders]
}
