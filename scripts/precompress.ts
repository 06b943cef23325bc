// Compresses the built page at the highest level at build time, instead of at every start of a server.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = new Set(['.js', '.css', '.json', '.svg', '.txt', '.wasm'])

/** Writes .br and .gz beside each compressible file, except HTML and manifest, which the server fills in (server/http/pages/page-assets.ts). */
export function precompress(): Plugin {
  let outDir = ''
  return {
    name: 'precompress',
    apply: (_, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    configResolved(config) {
      outDir = config.build.outDir
    },
    // After all other files are written, including the service worker.
    async closeBundle() {
      const files = await readdir(outDir, { recursive: true, withFileTypes: true })
      const chosen = files.filter((file) => file.isFile() && compressible.has(extname(file.name)))
      await Promise.all(chosen.map((file) => compressFile(join(file.parentPath, file.name))))
    },
  }
}

async function compressFile(path: string): Promise<void> {
  const bytes = await readFile(path)
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: 9 }),
  ])
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
}
