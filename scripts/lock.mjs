// A lock file: one installation or build at a time per checkout, across processes.
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from './run.mjs'

const path = `${root}dist/.lock`
const beatMs = 2_000
/** A holder killed with SIGKILL leaves its lock behind. Its process id may be reused, so a heartbeat shows whether it runs. */
const staleMs = 15_000

/**
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(work) {
  await mkdir(`${root}dist`, { recursive: true })
  await take()
  const beat = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => {}), beatMs)
  const release = () => rm(path, { force: true })
  try {
    return await work()
  } finally {
    clearInterval(beat)
    await release()
  }
}

async function take() {
  for (let said = false; ;) {
    try {
      return await writeFile(path, String(process.pid), { flag: 'wx' })
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
    }
    const holder = Number(await readFile(path, 'utf8').catch(() => ''))
    if (await isStale(holder)) {
      await rename(path, `${path}.${process.pid}`).catch(() => {})
      await rm(`${path}.${process.pid}`, { force: true })
      continue
    }
    if (!said) console.log(`Another process (${holder}) is installing or building; waiting for it.`)
    said = true
    await sleep(200)
  }
}

/** @param {number} holder */
async function isStale(holder) {
  const age = await stat(path).then(
    (info) => Date.now() - info.mtimeMs,
    () => 0,
  )
  return age > staleMs || (holder > 0 && !isAlive(holder))
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}
