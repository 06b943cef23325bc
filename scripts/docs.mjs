// npm run docs: writes the pages that are generated from the code.
import './node-version.mjs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { install } from './install.mjs'
import { root } from './run.mjs'

await install({ dev: true })
const { modulesOf } = await import('./modules.mjs')
const modules = await modulesOf(root)
try {
  const { apiDoc } = /** @type {typeof import('./api-doc.ts')} */ (await modules.load('scripts/api-doc.ts'))
  const { referencePage } = /** @type {typeof import('./reference-doc.ts')} */ (
    await modules.load('scripts/reference-doc.ts')
  )
  const { decisionsPage } = /** @type {typeof import('./decisions-doc.ts')} */ (
    await modules.load('scripts/decisions-doc.ts')
  )
  const { configurationPage, envExample } = /** @type {typeof import('../server/testing/settings-doc.ts')} */ (
    await modules.load('server/testing/settings-doc.ts')
  )
  const pages = {
    'docs/api.md': apiDoc(),
    'docs/reference.md': referencePage(),
    'docs/decisions/README.md': decisionsPage(),
    'docs/configuration.md': configurationPage(),
    '.env.example': envExample(),
  }
  for (const [path, text] of Object.entries(pages)) await writeFile(join(root, path), text)
} finally {
  await modules.close()
}
