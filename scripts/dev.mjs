// npm run dev: server and page with reload. Vite serves the page and proxies API requests to the server.
import './node-version.mjs'
import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { readEnvFile } from './env-file.mjs'
import { installAndBuild } from './install-and-build.mjs'
import { install } from './install.mjs'
import { root, tool } from './run.mjs'

await install({ dev: true })
await installAndBuild()
readEnvFile()
// From here on dist/server changes with the sources: without the stamp, the next npm start checks the build again.
await rm(`${root}dist/.stamp`, { force: true })

const children = [
  ['scripts/bundle.mjs', '--watch'],
  ['--watch', '--watch-preserve-output', 'dist/server/main.js'],
  [tool('vite/bin/vite.js')],
].map((args) =>
  spawn(process.execPath, args, {
    cwd: root,
    // A change restarts the server at once.
    env: { DRAIN_SECONDS: '0', ...process.env },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  }),
)

/** All processes stop together. Each is a process group, so that its children stop too. */
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
