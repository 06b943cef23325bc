// The limit of an upload: files written and synced, several at once, and nothing else. In a process of its own.
import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { answerRounds } from './rounds.mjs'

/**
 * @typedef {object} DiskRound
 * @property {string} folder
 * @property {string} path of the file that is written again and again
 * @property {number} count
 * @property {number} atOnce
 */

answerRounds(run)

/** @param {DiskRound} round */
async function run({ folder, path, count, atOnce }) {
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
  await Promise.all(Array.from({ length: atOnce }, writer))
  const tookMs = performance.now() - start
  const { user, system } = process.cpuUsage(before)
  for (let n = 0; n < count; n++) await rm(join(folder, `bench-${n}`))
  return { items: count, tookMs, times, cpuMs: (user + system) / 1000 }
}
