// The built server with a stub in place of the decoder processes: a thread reads and hashes the file and writes it as the
// original. Nothing is sniffed, checked, decoded or sanitized, no intermediate is rendered, and the thumbnail is arbitrary
// bytes. Arguments: PORT, DATA_DIR.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { pino } from 'pino'

/** @param {string} path below dist/server */
const built = (path) => import(new URL(`../dist/server/${path}`, import.meta.url).href)
const { startApp } = /** @type {typeof import('../server/app.ts')} */ (await built('app.js'))
const { readConfig } = /** @type {typeof import('../server/config.ts')} */ (await built('config.js'))
const { limitHeapGrowth } = /** @type {typeof import('../server/heap-growth.ts')} */ (await built('heap-growth.js'))

// The same settings as server/main.ts; a test compares them.
process.umask(0o077)
limitHeapGrowth()

const config = readConfig({
  PORT: process.argv[2],
  DATA_DIR: process.argv[3],
  RATE_LIMIT: '0',
  RENDER_LIMIT: '0',
  GUEST_UPLOADS_PER_HOUR: '0',
})
const stub = new Worker(new URL('./decoder-stub.mjs', import.meta.url))
const app = await startApp(config, {
  log: pino({ level: 'warn' }),
  warm: false,
  wrap: async (deps) => ({ ...deps, imaging: { ...deps.imaging, ingest, warmIngest() {} } }),
})
process.on('SIGTERM', () => void app.stop().then(() => process.exit(0)))

/** Serializes the jobs, as the product's single process for small images does. @type {Promise<unknown>} */
let last = Promise.resolve()

/** @type {import('../server/imaging/pool/imaging.ts').Imaging['ingest']} */
async function ingest({ sourcePath, originalPath, thumbnailPath, listThumbnailPath }) {
  const done = last.then(async () => {
    stub.postMessage({ sourcePath, originalPath, thumbnailPath, listThumbnailPath })
    const [result] = /** @type {[{ bytes: number, sha256: string }]} */ (await once(stub, 'message'))
    return result
  })
  last = done
  return {
    format: 'jpeg',
    widthPx: 4000,
    heightPx: 3000,
    frames: 1,
    hasAlpha: false,
    placeholder: '#808080',
    blur: '',
    phashes: [],
    phashQuality: 0,
    intermediate: null,
    ...(await done),
  }
}
