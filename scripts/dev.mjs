// npm run dev: server and page with reload. The page is on Vite's port, which passes API calls on to the server.
import './node-version.mjs'
import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { readEnvFile } from './env-file.mjs'
import { makeReady } from './ready.mjs'
import { install } from './install.mjs'
import { root, tool } from './run.mjs'

await install({ dev: true })
await makeReady()
readEnvFile()
// From here on dist/server follows the sources by itself, so the next npm start must look for itself.
await rm(`${root}dist/.stamp`, { force: true })

const children = [
  [tool('typescript/bin/tsc'), '-p', 'server/tsconfig.build.json', '--watch', '--preserveWatchOutput'],
  ['--watch', '--watch-preserve-output', 'dist/server/main.js'],
  [tool('vite/bin/vite.js')],
].map((args) => spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], detached: true }))

/** All end together: a half of it alone would only confuse. Each with its own children, which is why they are groups. */
function stop() {
  for (const { pid } of children) {
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGTERM')
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error
    }
  }
}
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, stop)
for (const child of children) {
  child.once('exit', (code) => {
    process.exitCode ||= code ?? 0
    stop()
  })
}
