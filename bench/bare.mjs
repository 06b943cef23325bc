// The limit of a render: sharp in a bare loop, in a process of its own. Takes one round after the other by message.
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { answerRounds } from './rounds.mjs'

/**
 * @typedef {object} BareRound
 * @property {'webp' | 'inspect' | 'stats'} work
 * @property {{ path: string, px: number }[]} items each once, in this order
 * @property {number} atOnce
 * @property {number} [effort] of WebP; without it, sharp's default
 */

answerRounds(run)

/** @param {BareRound} round */
async function run({ work, items, atOnce, effort }) {
  const does = { webp: render, inspect, stats }[work]
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
  await Promise.all(Array.from({ length: atOnce }, worker))
  const tookMs = performance.now() - start
  const { user, system } = process.cpuUsage(before)
  return { items: items.length, tookMs, times, cpuMs: (user + system) / 1000, peakMB: peak() }
}

/** As anyone would write it: sharp's defaults, from the file. */
async function render(/** @type {string} */ path, /** @type {number} */ px, /** @type {number | undefined} */ effort) {
  const picture = sharp(await readFile(path))
    .autoOrient()
    .resize(px, px, { fit: 'inside' })
  await picture.webp({ quality: 80, ...(effort !== undefined && { effort }) }).toBuffer()
}

/** Facts of the file, and statistics of all its pixels: as anyone would write an analysis. */
async function stats(/** @type {string} */ path) {
  const bytes = await readFile(path)
  await sharp(bytes).metadata()
  await sharp(bytes).stats()
}

/** The same of the picture made small: what the product does, without all that is around it. */
async function inspect(/** @type {string} */ path) {
  const bytes = await readFile(path)
  await sharp(bytes).metadata()
  const small = await sharp(bytes).resize(400, 400, { fit: 'inside' }).png({ compressionLevel: 0 }).toBuffer()
  await sharp(small).stats()
}

/** Since the process started: in megabytes, where there is /proc. */
function peak() {
  const status = process.platform === 'linux' ? readFileSync('/proc/self/status', 'latin1') : ''
  const [, kibibytes] = /^VmHWM:\s*(\d+) kB$/m.exec(status) ?? []
  return kibibytes === undefined ? [] : [(Number(kibibytes) * 1024) / 1e6]
}
