// npm run cli -- COMMAND: the operator's commands. Installs and builds like npm start.
import './node-version.mjs'

const { installAndBuild } = await import('./install-and-build.mjs')
const { readEnvFile } = await import('./env-file.mjs')
await installAndBuild()
readEnvFile()
await import(new URL('../dist/command/main.js', import.meta.url).href)
