// npm start: installs and builds when needed, then becomes the server, so that a signal to this process is one to the server.
import './node-version.mjs'

const { makeReady } = await import('./ready.mjs')
const { readEnvFile } = await import('./env-file.mjs')
await makeReady()
readEnvFile()
if (process.env.npm_lifecycle_event !== undefined) stopWithNpm()
await import(new URL('../dist/server/main.js', import.meta.url).href)

/**
 * npm runs scripts in a shell, and passes SIGTERM on to that shell only: it dies, and would leave the server behind with
 * another parent. So a change of the parent stops the server like SIGTERM does, unless a signal came here already.
 */
function stopWithNpm() {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, 200).unref()
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => clearInterval(watch))
}
