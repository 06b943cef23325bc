// The built server, with everything an upload needs but its pictures: the file is read, hashed and written as the original, in this
// process; no decoder process is started or talked to, nothing is recognized, checked, decoded or cut away, no intermediate is
// made, and the thumbnail is some bytes. Takes DATA_DIR as its argument.
import { readFile, writeFile } from 'node:fs/promises'
import { pino } from 'pino'

/** @param {string} path below dist/server */
const built = (path) => import(new URL(`../dist/server/${path}`, import.meta.url).href)
const { startApp } = /** @type {typeof import('../server/app.ts')} */ (await built('app.js'))
const { readConfig } = /** @type {typeof import('../server/config.ts')} */ (await built('config.js'))
const { boundHeap } = /** @type {typeof import('../server/heap-growth.ts')} */ (await built('heap-growth.js'))

// As server/main.ts begins; a test holds them together.
process.umask(0o077)
boundHeap()

const config = readConfig({
  DATA_DIR: process.argv[2],
  PORT: '0',
  RATE_LIMIT: '0',
  RENDER_LIMIT: '0',
  GUEST_UPLOADS_PER_HOUR: '0',
})
const app = await startApp(config, {
  log: pino({ level: 'warn' }),
  warm: false,
  wrap: async (deps) => ({ ...deps, imaging: { ...deps.imaging, ingest } }),
})
process.send?.(app.url)
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', () => void app.stop().then(() => process.exit(0)))

/** @type {import('../server/imaging/imaging.ts').Imaging['ingest']} */
async function ingest({ sourcePath, originalPath, thumbnailPath }) {
  const source = await readFile(sourcePath)
  // In the thread pool: in the product, it is the decoder process that hashes.
  const hash = await crypto.subtle.digest('SHA-256', source)
  await writeFile(originalPath, source)
  await writeFile(thumbnailPath, 'not a picture')
  return {
    format: 'jpeg',
    widthPx: 4000,
    heightPx: 3000,
    frames: 1,
    hasAlpha: false,
    bytes: source.length,
    sha256: Buffer.from(hash).toString('hex'),
    placeholder: '#808080',
    intermediate: null,
  }
}
