// npm run api-doc: writes docs/api.md from the contract.
import './node-version.mjs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { install } from './install.mjs'
import { root } from './run.mjs'

await install({ dev: true })
const { modulesOf } = await import('./modules.mjs')
const scripts = await modulesOf(join(root, 'scripts'))
try {
  const { apiDoc } = /** @type {typeof import('./api-doc.ts')} */ (await scripts.load('api-doc.ts'))
  await writeFile(join(root, 'docs/api.md'), apiDoc())
} finally {
  await scripts.close()
}
