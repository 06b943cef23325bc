// Images expire one after the other; both servers sweep continuously; some owners extend at the last moment.
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningServer } from '../../e2e/server.ts'
import { admin, bodyOf, call, logIn, register, requestJson } from '../client.ts'
import { type DeletionLog, idOf } from './deletion-log.ts'

/** Between the end of the preparations and the first expiry. */
const leadMs = 2000
/** Extensions are sent from this long before the expiry to this long after it. */
const around = { beforeMs: 1000, afterMs: 100 }
/** A run that exceeds the last expiry by more is a bug. */
const patienceMs = 60_000

export interface Named {
  name: string
  server: RunningServer
}

export interface Expiry {
  images: number
  expireWithinMs: number
  sweepEveryMs: number
  /** Every n-th image is extended at the moment of its expiry. */
  extendedOneIn: number
}

export interface StormResult {
  /** What each server reported about its own sweeps. */
  reported: Record<string, { images: number; bytes: number }>
  killed: string
  /** Ids whose extension was acknowledged. */
  extended: Set<string>
  wrongReplies: string[]
}

/** The first server is killed at half. */
export async function storm(
  { images, expireWithinMs, sweepEveryMs, extendedOneIn }: Expiry,
  servers: readonly [Named, Named],
  log: DeletionLog,
): Promise<StormResult> {
  const [one, two] = servers
  const token = await register(two.server.url, 'owner@example.com')
  const { user } = await requestJson<{ user: { id: string } }>(`${two.server.url}/api/me`, { token })
  const firstAt = Date.now() + leadMs
  const everyMs = expireWithinMs / images
  await log.plant({ count: images, ownerId: user.id, firstAt, everyMs })

  const found: StormResult = { reported: {}, killed: one.name, extended: new Set(), wrongReplies: [] }
  let isOver = false
  let isKilled = false
  const sweeps = servers.map(async ({ name, server }) => {
    const own = (found.reported[name] = { images: 0, bytes: 0 })
    const adminToken = await logIn(server.url, admin)
    while (!isOver && !(isKilled && name === one.name)) {
      const options = { method: 'POST', token: adminToken }
      const reply = await call(`${server.url}/api/database/cleanup`, options).catch(() => undefined)
      if (reply?.status === 200) {
        const { deletedImages, freedSpace } = bodyOf<{ deletedImages: number; freedSpace: number }>(reply)
        own.images += deletedImages
        own.bytes += freedSpace
      } else if (reply || name !== one.name || !isKilled) found.wrongReplies.push(`cleanup: ${reply?.status}`)
      await sleep(sweepEveryMs)
    }
  })
  const extensions = Array.from({ length: Math.floor(images / extendedOneIn) }, async (_, n) => {
    const index = n * extendedOneIn
    const shiftMs = Math.random() * (around.beforeMs + around.afterMs) - around.beforeMs
    const at = firstAt + index * everyMs + shiftMs
    await sleep(Math.max(0, at - Date.now()))
    const { name, server } = isKilled || n % 2 === 0 ? two : one
    const path = `/api/images/${idOf(index)}/extend-expiration`
    const reply = await call(server.url + path, { method: 'POST', token }).catch(() => undefined)
    if (reply?.status === 200) found.extended.add(idOf(index))
    else if (reply && reply.status !== 410) found.wrongReplies.push(`extend: ${reply.status}`)
    else if (!reply && name !== one.name) found.wrongReplies.push('extend: no reply')
  })

  const deadline = firstAt + expireWithinMs + patienceMs
  const gone = async () => (await log.countDeletions()) + found.extended.size
  while (Date.now() < deadline && (await log.countDeletions()) < images / 2) await sleep(20)
  isKilled = true
  await one.server.kill()
  await Promise.all(extensions)
  while (Date.now() < deadline && (await gone()) < images) await sleep(50)
  isOver = true
  await Promise.all(sweeps)
  addSweepsByTheClock(found, servers)
  return found
}

/** The servers also sweep every minute on schedule, and log the result. */
function addSweepsByTheClock({ reported }: StormResult, servers: readonly Named[]): void {
  for (const { name, server } of servers) {
    for (const line of server.log().split('\n')) {
      if (!line.includes('"job":"sweepExpired"')) continue
      const { result } = JSON.parse(line) as { result?: { deletedImages: number; freedBytes: number } }
      const own = reported[name]
      if (!own || !result) continue
      own.images += result.deletedImages
      own.bytes += result.freedBytes
    }
  }
}
