// The limit of a render: a bare loop of sharp in its own process. Runs one round per message.
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { serveRounds } from './rounds.mjs'

/**
 * @typedef {object} SharpRound
 * @property {'webp' | 'jpeg' | 'ingest' | 'inspect' | 'stats'} work
 * @property {{ path: string, px: number }[]} items processed once each, in this order
 * @property {number} concurrency
 * @property {number} [effort] WebP effort; default: sharp's
 */

serveRounds(run)

/** @param {SharpRound} round */
async function run({ work, items, concurrency, effort }) {
  const does = { webp: renderWebp, jpeg: renderJpeg, ingest, inspect, stats }[work]
  const before = process.cpuUsage()
  const start = performance.now()
  /** @type {number[]} */
  const times = []
  let next = 0
  const worker = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) {
      const since = performance.now()
      await does(item.path, item.px, effort)
      times.push(performance.now() - since)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  const tookMs = performance.now() - start
  const { user, system } = process.cpuUsage(before)
  return { items: items.length, tookMs, times, cpuMs: (user + system) / 1000, peakMB: peak() }
}

/** The straightforward render: sharp's defaults, from the file. */
async function renderWebp(
  /** @type {string} */ path,
  /** @type {number} */ px,
  /** @type {number | undefined} */ effort,
) {
  const image = await resized(path, px)
  await image.webp({ quality: 80, ...(effort !== undefined && { effort }) }).toBuffer()
}

async function renderJpeg(/** @type {string} */ path, /** @type {number} */ px) {
  const image = await resized(path, px)
  await image.jpeg({ quality: 80 }).toBuffer()
}

const resized = async (/** @type {string} */ path, /** @type {number} */ px) =>
  sharp(await readFile(path))
    .autoOrient()
    .resize(px, px, { fit: 'inside' })

/**
 * What an upload computes: the image is decoded once, and encoded as the product encodes its
 * intermediate and its thumbnail.
 */
async function ingest(/** @type {string} */ path) {
  const { data, info } = await sharp(await readFile(path))
    .autoOrient()
    .resize(1600, 1600, { fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const pixels = () => sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
  await pixels().jpeg({ quality: 90 }).toBuffer()
  await pixels().resize(400, 400, { fit: 'inside' }).webp({ quality: 80, effort: 2 }).toBuffer()
}

/** The straightforward analysis: metadata of the file, and statistics of all its pixels. */
async function stats(/** @type {string} */ path) {
  const bytes = await readFile(path)
  await sharp(bytes).metadata()
  await sharp(bytes).stats()
}

/** Metadata, and statistics of a reduced image: the product's algorithm without its overhead. */
async function inspect(/** @type {string} */ path) {
  const bytes = await readFile(path)
  await sharp(bytes).metadata()
  const small = await sharp(bytes).resize(400, 400, { fit: 'inside' }).png({ compressionLevel: 0 }).toBuffer()
  await sharp(small).stats()
}

/** Peak resident memory since the process started, in megabytes. Empty without /proc. */
function peak() {
  const status = process.platform === 'linux' ? readFileSync('/proc/self/status', 'latin1') : ''
  const [, kibibytes] = /^VmHWM:\s*(\d+) kB$/m.exec(status) ?? []
  return kibibytes === undefined ? [] : [(Number(kibibytes) * 1024) / 1e6]
}
