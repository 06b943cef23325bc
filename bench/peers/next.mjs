// Next's image optimizer in a production server, with one empty page. Arguments: a folder with the
// app's public/, the widths.
import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'

const folder = process.argv[2] ?? ''
const widths = (process.argv[3] ?? '').split(',').map(Number)
/** Imports from this folder's node_modules. @param {string} name */
const peer = (name) => import(import.meta.resolve(name))

await mkdir(join(folder, 'pages'), { recursive: true })
await writeFile(join(folder, 'pages/index.js'), 'export default function Page() { return null }\n')
await writeFile(join(folder, 'package.json'), '{ "private": true }\n')
// Next accepts only the widths that it was built with, at most 25 per list.
const images = { imageSizes: widths.slice(0, 25), deviceSizes: widths.slice(25, 50), qualities: [80] }
await writeFile(
  join(folder, 'next.config.mjs'),
  `export default { images: ${JSON.stringify(images)}, turbopack: { root: ${JSON.stringify(folder)} } }\n`,
)
await symlink(new URL('node_modules', import.meta.url).pathname, join(folder, 'node_modules'))
const environment = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
await promisify(execFile)(
  process.execPath,
  [join(new URL('node_modules', import.meta.url).pathname, 'next/dist/bin/next'), 'build', '--webpack'],
  { cwd: folder, env: environment, timeout: 240_000 },
)

process.env.NEXT_TELEMETRY_DISABLED = '1'
Object.assign(process.env, { NODE_ENV: 'production' })
const { default: next } = await peer('next')
const app = next({ dev: false, dir: folder })
await app.prepare()
const handle = app.getRequestHandler()
const server = createServer((request, response) => void handle(request, response))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') process.send?.(`http://127.0.0.1:${address.port}`)
})
process.on('disconnect', () => process.exit(0))
