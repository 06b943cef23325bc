// The built server, with everything an upload needs but its pictures: the file is read, hashed and written as the original, by another
// thread of this process; no decoder process is started or talked to, nothing is recognized, checked, decoded or cut away, no
// intermediate is made, and the thumbnail is some bytes. Takes DATA_DIR as its argument.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { pino } from 'pino'

/** @param {string} path below dist/server */
const built = (path) => import(new URL(`../dist/server/${path}`, import.meta.url).href)
const { startApp } = /** @type {typeof import('../server/app.ts')} */ (await built('app.js'))
const { readConfig } = /** @type {typeof import('../server/config.ts')} */ (await built('config.js'))
const { limitHeapGrowth } = /** @type {typeof import('../server/heap-growth.ts')} */ (await built('heap-growth.js'))

// As server/main.ts begins; a test holds them together.
process.umask(0o077)
limitHeapGrowth()

const config = readConfig({
  DATA_DIR: process.argv[2],
  PORT: '0',
  RATE_LIMIT: '0',
  RENDER_LIMIT: '0',
  GUEST_UPLOADS_PER_HOUR: '0',
})
const standIn = new Worker(new URL('./stand-in.mjs', import.meta.url))
const app = await startApp(config, {
  log: pino({ level: 'warn' }),
  warm: false,
  wrap: async (deps) => ({ ...deps, imaging: { ...deps.imaging, ingest } }),
})
process.send?.(app.url)
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', () => void app.stop().then(() => process.exit(0)))

/** One at a time, as in the product: there is one process for what is not large. @type {Promise<unknown>} */
let last = Promise.resolve()

/** @type {import('../server/imaging/pool/imaging.ts').Imaging['ingest']} */
async function ingest({ sourcePath, originalPath, thumbnailPath }) {
  const done = last.then(async () => {
    standIn.postMessage({ sourcePath, originalPath, thumbnailPath })
    const [answer] = /** @type {[{ bytes: number, sha256: string }]} */ (await once(standIn, 'message'))
    return answer
  })
  last = done
  return {
    format: 'jpeg',
    widthPx: 4000,
    heightPx: 3000,
    frames: 1,
    hasAlpha: false,
    placeholder: '#808080',
    intermediate: null,
    ...(await done),
  }
}
