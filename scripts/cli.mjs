// npm run cli -- COMMAND: the operator's commands, with the same preparation as npm start.
import './node-version.mjs'

const { makeReady } = await import('./ready.mjs')
await makeReady()
await import(new URL('../dist/server/cli.js', import.meta.url).href)
