// npm run docs: writes the pages that are generated from the code.
import { writeFile } from 'node:fs/promises'
import { configurationPage, envExample } from '../server/testing/settings-doc.ts'
import { apiDoc } from './api-doc.ts'
import { decisionsPage } from './decisions-doc.ts'
import { referencePage } from './reference-doc.ts'

export async function main(): Promise<boolean> {
  const pages = {
    'docs/api.md': apiDoc(),
    'docs/reference.md': referencePage(),
    'docs/decisions/README.md': decisionsPage(),
    'docs/configuration.md': configurationPage(),
    '.env.example': envExample(),
  }
  for (const [path, text] of Object.entries(pages)) await writeFile(new URL(`../${path}`, import.meta.url), text)
  return true
}
