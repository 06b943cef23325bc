// Compares the deletion log, the servers' reports and the bucket after the same sweeps.
import { pino } from 'pino'
import { closeDeps, openDeps } from '../../server/open-deps.ts'
import { readConfig } from '../../server/config.ts'
import { sweepOrphans } from '../../server/domain/images/deletion/sweep.ts'
import type { StoredObject } from '../../server/testing/s3-responses.ts'
import { withFolder } from '../resources.ts'
import { type DeletionLog, keyOf } from './deletion-log.ts'
import type { StormResult } from './storm.ts'

export interface Evidence extends StormResult {
  log: DeletionLog
  /** Of a server on the same database and bucket. */
  env: Record<string, string>
  objects: Map<string, StoredObject>
}

export async function judge({ log, reported, killed, extended, objects, env }: Evidence) {
  const deletions = await log.deletions()
  const images = await log.images()
  const left = new Map(images.map((image) => [image.id, image]))
  const times = new Map<string, number>()
  for (const { id } of deletions) times.set(id, (times.get(id) ?? 0) + 1)
  const wrongDeletions = [
    ...[...times.values()].filter((count) => count > 1).map((count) => `deleted ${count} times`),
    ...deletions.filter(({ at, expiresAt }) => expiresAt > at).map(() => 'deleted before its time'),
    ...images.filter(({ expiresAt }) => expiresAt <= Date.now()).map(() => 'expired and still there'),
  ]
  const lost = [...extended]
    .filter((id) => !left.has(id) || !objects.has(keyOf(id)))
    .map((id) => `${id} was extended and is deleted`)

  const wrongSums: string[] = []
  let unreportedBytes = 0
  for (const [name, own] of Object.entries(reported)) {
    const done = deletions.filter(({ by }) => by === name)
    const bytes = done.reduce((sum, deletion) => sum + deletion.bytes, 0)
    // Deletions that the killed server had not reported yet are lost to the comparison: at most this difference.
    if (name === killed) unreportedBytes = bytes - own.bytes
    if (name === killed ? own.bytes > bytes : own.bytes !== bytes || own.images !== done.length)
      wrongSums.push(`${name} reported ${own.images} images, ${own.bytes} bytes; it was ${done.length}, ${bytes}`)
  }
  const counted = await log.counted()
  const there = { images: images.length, bytes: images.reduce((sum, image) => sum + image.bytes, 0) }
  if (counted.images !== there.images || counted.bytes !== there.bytes)
    wrongSums.push(`${JSON.stringify(counted)} is counted for the owner of ${JSON.stringify(there)}`)

  const known = new Set(images.map(({ id }) => keyOf(id)))
  const orphans = () => [...objects.keys()].filter((key) => !known.has(key)).length
  const orphansBefore = orphans()
  await tidy(env)
  const deleted = deletions.length
  return { deleted, wrongDeletions, lost, wrongSums, unreportedBytes, orphansBefore, orphansAfter: orphans() }
}

/** The nightly job of every server. */
const tidy = (env: Record<string, string>): Promise<void> =>
  withFolder(async (dataDir) => {
    const deps = await openDeps(readConfig({ ...env, DATA_DIR: dataDir }), { log: pino({ level: 'silent' }) })
    try {
      await sweepOrphans(deps, Infinity)
    } finally {
      await closeDeps(deps)
    }
  })
