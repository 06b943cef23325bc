// The limits of the product, each measured alone: bare loops of sharp, and files written and synced. Runs in a process of its
// own, a round per message.
import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

/**
 * @typedef {{ path: string, px: number }} Item
 * @typedef {object} BareRound
 * @property {'webp' | 'jpeg' | 'ingest' | 'write'} work
 * @property {Item[]} items processed once each, in this order
 * @property {number} concurrency
 * @property {number} [effort] WebP effort; default: sharp's
 * @property {string} [folder] where `write` writes
 */

/** @type {Record<BareRound['work'], (item: Item, round: BareRound, n: number) => Promise<unknown>>} */
const works = {
  /** The straightforward render: sharp's defaults, from the file. */
  webp: async (item, { effort }) =>
    (await resized(item)).webp({ quality: 80, ...(effort !== undefined && { effort }) }).toBuffer(),
  jpeg: async (item) => (await resized(item)).jpeg({ quality: 80 }).toBuffer(),
  ingest,
  write,
}

process.on('message', (/** @type {BareRound} */ round) => {
  run(round).then(
    (found) => process.send?.(found),
    (error) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit(0))

/** @param {BareRound} round */
async function run(round) {
  const { work, items, concurrency, folder } = round
  const before = process.cpuUsage()
  const start = performance.now()
  /** @type {number[]} */
  const times = []
  let next = 0
  const worker = async () => {
    for (let n = next++; n < items.length; n = next++) {
      const since = performance.now()
      await works[work](/** @type {Item} */ (items[n]), round, n)
      times.push(performance.now() - since)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  const tookMs = performance.now() - start
  const { user, system } = process.cpuUsage(before)
  const peakMB = (process.resourceUsage().maxRSS * 1024) / 1e6
  if (folder !== undefined) for (const n of items.keys()) await rm(join(folder, `bench-${n}`))
  return { items: items.length, tookMs, times, cpuMs: (user + system) / 1000, peakMB: [peakMB] }
}

/** @param {Item} item */
async function resized({ path, px }) {
  return sharp(await readFile(path))
    .autoOrient()
    .resize(px, px, { fit: 'inside' })
}

/**
 * What an upload computes: the image is decoded once, and encoded as the product encodes its intermediate and its thumbnail.
 * @param {Item} item
 */
async function ingest({ path }) {
  const { data, info } = await (await resized({ path, px: 1600 })).raw().toBuffer({ resolveWithObject: true })
  const pixels = () => sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
  await pixels().jpeg({ quality: 90 }).toBuffer()
  await pixels().resize(400, 400, { fit: 'inside' }).webp({ quality: 80, effort: 2 }).toBuffer()
}

/** @type {Map<string, Buffer>} */
const contents = new Map()

/**
 * Writes the content of the item's file, which is read once, and syncs it.
 * @param {Item} item
 * @param {BareRound} round
 * @param {number} n
 */
async function write({ path }, { folder = '' }, n) {
  const bytes = contents.get(path) ?? (await readFile(path))
  contents.set(path, bytes)
  const file = await open(join(folder, `bench-${n}`), 'w')
  await file.writeFile(bytes)
  await file.datasync()
  await file.close()
}
