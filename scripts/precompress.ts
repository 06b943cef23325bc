// Compresses the built page once, as far as it goes, instead of at every start of every server.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = new Set(['.js', '.css', '.json', '.svg', '.txt', '.wasm'])

/** Beside each file that is worth it stand its .br and .gz; the server fills in HTML and manifest itself (server/http/web.ts). */
export function precompress(): Plugin {
  let outDir = ''
  return {
    name: 'precompress',
    apply: (_, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    configResolved(config) {
      outDir = config.build.outDir
    },
    // When all is written, the service worker too.
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
