// npm run bench -- NAME …: runs parts of bench/ against the built product and prints their tables. Without a name, all parts.
import './node-version.mjs'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'
import { buildWhenNeeded } from './build.mjs'
import { install } from './install.mjs'

const folder = fileURLToPath(new URL('../bench', import.meta.url))
const parts = (await readdir(folder)).filter((file) => file.endsWith('.bench.ts')).map((file) => file.slice(0, -9))
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !parts.includes(name))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Parts: ${parts.join(', ')}`)
  process.exit(2)
}

await install({ dev: true })
await buildWhenNeeded()
for (const name of asked.length > 0 ? asked : parts) {
  const { module } = await runnerImport(`${folder}/${name}.bench.ts`, { configFile: false, root: folder })
  await /** @type {{ run: () => Promise<void> }} */ (module).run()
}
