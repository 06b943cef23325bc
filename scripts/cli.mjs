// npm run cli -- COMMAND: the operator's commands. Installs and builds like npm start.
import './node-version.mjs'

const { makeReady } = await import('./ready.mjs')
const { readEnvFile } = await import('./env-file.mjs')
await makeReady()
readEnvFile()
await import(new URL('../dist/command/main.js', import.meta.url).href)
