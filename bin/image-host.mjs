#!/usr/bin/env node
// The command of the installed package. In a clone of the repository: npm start, npm run cli.
import '../scripts/node-version.mjs'
import { join } from 'node:path'

const { foldersOf } = await import('../dist/command/folders.js')
const { config, data } = foldersOf()
const file = join(config, 'server.env')
try {
  process.loadEnvFile(file)
  // For the check of names (server/unknown-settings.ts).
  process.env.IMAGE_HOST_ENV_FILE = file
} catch (error) {
  if (error.code !== 'ENOENT') throw error
}
process.env.DATA_DIR ||= data
await import('../dist/command/main.js')
