// npm start: installs and builds when needed, then runs the server in this process, so that signals reach it.
import './node-version.mjs'

const { installAndBuild } = await import('./install-and-build.mjs')
const { readEnvFile } = await import('./env-file.mjs')
await installAndBuild()
readEnvFile()
if (process.env.npm_lifecycle_event !== undefined) stopWithNpm()
await import(new URL('../dist/server/main.js', import.meta.url).href)

/**
 * npm runs scripts in a shell and forwards SIGTERM to that shell only, which exits and leaves the server orphaned. A changed
 * parent process therefore stops the server like SIGTERM, unless a signal has arrived already.
 */
function stopWithNpm() {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, 200).unref()
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => clearInterval(watch))
}
