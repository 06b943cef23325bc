import { basename } from 'node:path'

/** How commands are typed: `image-host` where the package is installed, else by npm in a clone of the repository. */
export const isInstalled = /^image-host(\.mjs|\.cmd)?$/.test(basename(process.argv[1] ?? ''))
export const commandPrefix = isInstalled ? 'image-host ' : 'npm run cli -- '
