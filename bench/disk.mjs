// The limit of an upload: writes and syncs files concurrently, in its own process.
import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { serveRounds } from './rounds.mjs'

/**
 * @typedef {object} DiskRound
 * @property {string} folder
 * @property {string} path of the file whose content is written each time
 * @property {number} count
 * @property {number} concurrency
 */

serveRounds(run)

/** @param {DiskRound} round */
async function run({ folder, path, count, concurrency }) {
  const bytes = await readFile(path)
  const before = process.cpuUsage()
  const start = performance.now()
  /** @type {number[]} */
  const times = []
  let next = 0
  const writer = async () => {
    while (next < count) {
      const target = join(folder, `bench-${next++}`)
      const since = performance.now()
      const file = await open(target, 'w')
      await file.writeFile(bytes)
      await file.datasync()
      await file.close()
      times.push(performance.now() - since)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, writer))
  const tookMs = performance.now() - start
  const { user, system } = process.cpuUsage(before)
  for (let n = 0; n < count; n++) await rm(join(folder, `bench-${n}`))
  return { items: count, tookMs, times, cpuMs: (user + system) / 1000 }
}
